package io.weir.wire.login;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The users and their passwords. Shared. */
public interface Realm {
    /** The principal if user and password are correct, otherwise null. Intentionally slow; called on its own thread. */
    @Nullable
    Principal check(String user, char[] password) throws IOException;

    /** The principal of a client without a user name, or null if a name is required. Called on loops: must be fast. */
    @Nullable
    Principal anonymous(InetSocketAddress from);

    /** A number that changes with each change of users or passwords. Called on loops: must be fast. */
    long version();
}
