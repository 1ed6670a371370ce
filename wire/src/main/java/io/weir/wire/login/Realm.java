package io.weir.wire.login;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Who may log in with which password. Shared. */
public interface Realm {
    /** The principal when user and password are right, else null. Slow by intent; called on a thread of its own. */
    @Nullable
    Principal check(String user, char[] password) throws IOException;

    /** Who a client without a user name is, or null when it needs one. Called on loops: quick. */
    @Nullable
    Principal anonymous(InetSocketAddress from);

    /** Another number after each change of users or passwords. Called on loops: quick. */
    long version();
}
