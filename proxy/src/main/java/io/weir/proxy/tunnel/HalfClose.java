package io.weir.proxy.tunnel;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.ssl.SslHandler;

/** Half-closes our side of a tunnel's channel. Stateless. */
public final class HalfClose {
    private HalfClose() {}

    /** Half-closes after what was written; returns false if the channel does not support it. */
    public static boolean output(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null) {
            var _ = tls.closeOutbound();
        } else if (channel instanceof DuplexChannel duplex) {
            var _ = duplex.shutdownOutput();
        } else if (channel instanceof Http2StreamChannel) {
            var _ = channel.writeAndFlush(new DefaultHttp2DataFrame(true));
        } else {
            return false;
        }
        return true;
    }
}
