package io.weir.server.assembly;

import io.weir.base.Live;
import io.weir.base.Stats;
import io.weir.server.config.WeirConfig;
import io.weir.server.log.ServerLog;
import io.weir.server.start.ServerParts;
import io.weir.server.users.FileRealm;
import io.weir.server.users.RealmLogins;
import io.weir.server.users.WireRealm;
import io.weir.wire.login.CheckedLogins;
import io.weir.wire.login.LoginConfig;
import io.weir.wire.server.WireConfig;

/**
 * The checks of users' passwords, shared by the proxy's functions and messaging. Lives as long as the server.
 *
 * @param checked performs the checks
 */
public record UserLogins(CheckedLogins checked) implements AutoCloseable {
    public static UserLogins start(ServerParts parts, Live<WeirConfig> live, Stats stats, ServerLog log) {
        Live<LoginConfig> config = live.part(c -> c.messaging().wire()).part(WireConfig::logins);
        WireRealm users = new WireRealm(new FileRealm(parts.dataDir()), config, log);
        return new UserLogins(new CheckedLogins(users, config, stats, log, parts.clock()));
    }

    /** The checks in the form that functions use. */
    RealmLogins ofFunctions() {
        return new RealmLogins(checked);
    }

    @Override
    public void close() {
        checked.close();
    }
}
