package io.weir.proxy.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.weir.kernel.connection.Connection;

/** Ways to close a client connection after its last answer. Stateless; on the connection's muxer. */
final class OrderlyClose {
    private OrderlyClose() {}

    /** Closes when all writes have completed; the kernel's write time-out bounds the wait. */
    static void afterWrites(Outbox outbox, Channel channel) {
        outbox.last().addListener(ChannelFutureListener.CLOSE);
        channel.flush();
    }

    /**
     * Half-closes when all writes have completed, so that a client that is still sending can read the answer: closing
     * with unread input would reset the connection (RFC 9112 section 9.6).
     *
     * @param alone whether the client has already half-closed
     */
    static void ourSide(Outbox outbox, Connection connection, boolean alone) {
        Channel channel = connection.channel();
        outbox.last().addListener((ChannelFutureListener) written -> {
            if (written.isSuccess() && channel instanceof DuplexChannel duplex && !connection.secure() && !alone) {
                var _ = duplex.shutdownOutput();
            } else {
                var _ = channel.close();
            }
        });
        channel.flush();
    }
}
