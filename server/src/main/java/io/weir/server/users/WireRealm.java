package io.weir.server.users;

import io.weir.base.Log;
import io.weir.server.catalogue.ServerMessages;
import io.weir.wire.login.LoginConfig;
import io.weir.wire.login.LoginConfig.Guests;
import io.weir.wire.login.Principal;
import io.weir.wire.login.Realm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The file realm for logins of messaging. Shared. */
public final class WireRealm implements Realm {
    /** The user of logins without a name. */
    public static final String GUEST = "guest";

    private final FileRealm users;
    private final Supplier<LoginConfig> config;
    private final Log log;

    public WireRealm(FileRealm users, Supplier<LoginConfig> config, Log log) {
        this.users = users;
        this.config = config;
        this.log = log;
    }

    @Override
    public @Nullable Principal check(String user, char[] password) throws IOException {
        FileRealm.User found = users.check(user, password);
        return found == null ? null : new Principal(found.name(), found.groups());
    }

    @Override
    public @Nullable Principal anonymous(InetSocketAddress from) {
        Guests guests = config.get().guests();
        boolean local = from.getAddress() != null && from.getAddress().isLoopbackAddress();
        boolean welcome = local && (guests == Guests.LOCAL || (guests == Guests.AUTO && noUsers()));
        return welcome ? new Principal(GUEST, List.of()) : null;
    }

    private boolean noUsers() {
        try {
            return users.users().isEmpty();
        } catch (IOException e) {
            log.log(ServerMessages.REALM_UNREADABLE, e);
            return false;
        }
    }

    @Override
    public long version() {
        return users.version();
    }
}
