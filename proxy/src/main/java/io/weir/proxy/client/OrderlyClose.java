package io.weir.proxy.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.weir.kernel.connection.Connection;

/** The ways in which a client connection ends once its last answer is written. Stateless; on the connection's muxer. */
final class OrderlyClose {
    private OrderlyClose() {}

    /** Closes when all that was written has left; the kernel's write time-out bounds how long that takes. */
    static void afterWrites(Outbox outbox, Channel channel) {
        outbox.last().addListener(ChannelFutureListener.CLOSE);
        channel.flush();
    }

    /**
     * Ends our side when all that was written has left, so that a client that still sends can read the answer: closing
     * with unread input would reset the connection (RFC 9112 section 9.6).
     *
     * @param alone whether the client has ended its side already
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
