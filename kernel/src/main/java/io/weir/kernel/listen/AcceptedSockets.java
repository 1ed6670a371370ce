package io.weir.kernel.listen;

import io.netty.channel.Channel;
import io.weir.base.Counter;
import io.weir.kernel.connection.Protocol;

/** Takes what listeners accept. Called by acceptors' threads; lives as long as the listeners. */
public interface AcceptedSockets {
    /** What is spoken on them: {@link Protocol#name}. */
    String protocol();

    /** A connection was accepted; its channel is registered nowhere yet, and is the callee's to close. */
    void accepted(Listener listener, Channel socket);

    /** Holds an acceptor up, and counts it, while what was accepted before has not been taken. */
    void awaitRoom(Counter waits);
}
