package io.weir.wire.channel;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;

/** How a connection's channel is closed once its last frame is out. Stateless. */
final class Closing {
    private Closing() {}

    /** Ends our direction and leaves the rest to the peer; under TLS, or on other channels, closes. */
    static void afterLast(ChannelHandlerContext ctx, boolean secure) {
        if (!secure && ctx.channel() instanceof DuplexChannel duplex && duplex.isActive()) {
            var _ = duplex.shutdownOutput();
        } else {
            var _ = ctx.close();
        }
    }
}
