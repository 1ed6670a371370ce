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
 * Checks of users' passwords, which the proxy's functions and messaging share. Lives as long as the server.
 *
 * @param checked where they are checked
 */
public record UserLogins(CheckedLogins checked) implements AutoCloseable {
    public static UserLogins start(ServerParts parts, Live<WeirConfig> live, Stats stats, ServerLog log) {
        Live<LoginConfig> config = live.part(c -> c.messaging().wire()).part(WireConfig::logins);
        WireRealm users = new WireRealm(new FileRealm(parts.dataDir()), config, log);
        return new UserLogins(new CheckedLogins(users, config, stats, log, parts.clock()));
    }

    /** As functions ask for them. */
    RealmLogins ofFunctions() {
        return new RealmLogins(checked);
    }

    @Override
    public void close() {
        checked.close();
    }
}
