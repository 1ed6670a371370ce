package io.weir.kernel.listen;

import io.netty.channel.Channel;
import io.weir.base.Counter;
import io.weir.kernel.connection.Protocol;

/** Receives the connections that listeners accept. Called by acceptors' threads; lives as long as the listeners. */
public interface AcceptedSockets {
    /** The protocol of the connections: {@link Protocol#name}. */
    String protocol();

    /** Receives an accepted connection; its channel is not registered yet, and the callee must close it. */
    void accepted(Listener listener, Channel socket);

    /** Blocks an acceptor, and counts that, while connections accepted earlier have not been registered. */
    void awaitRoom(Counter waits);
}
