package io.weir.server.siblings;

import java.net.SocketAddress;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** Who may ask this cache for what it has. Shared. */
public interface CacheAccess {
    /** Whether it can be known already who may. */
    boolean open();

    /** For a connection from another cache; null: without TLS, on loopback. */
    @Nullable
    SSLEngine server();

    /** A connection was not one of another cache that may ask. */
    void refused(Throwable cause, @Nullable SocketAddress from);
}
