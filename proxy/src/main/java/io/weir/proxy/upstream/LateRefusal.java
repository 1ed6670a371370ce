package io.weir.proxy.upstream;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.weir.kernel.tls.TlsCause;
import io.weir.proxy.context.Buffers;
import java.io.IOException;
import java.io.Serial;

/**
 * With TLS 1.3 an origin verifies our certificate after our side of the handshake is complete: an alert at that point
 * is a refusal of the connection, not the end of a working one. Confined to the connection's muxer; removes itself with
 * the first bytes from the origin.
 */
final class LateRefusal extends ChannelInboundHandlerAdapter {
    /** The origin rejected our certificate; it has not processed the request. */
    static final class Refused extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        Refused(Throwable alert) {
            super("TLS failed: " + Buffers.reason(alert), alert);
        }
    }

    private final OriginConnector.Tls tls;

    LateRefusal(OriginConnector.Tls tls) {
        this.tls = tls;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object bytes) {
        ctx.pipeline().remove(this);
        ctx.fireChannelRead(bytes);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        TlsCause why = TlsCause.of(cause);
        if (why == TlsCause.CERTIFICATE_MISSING || why == TlsCause.CERTIFICATE_REFUSED) {
            tls.refused(why);
            ctx.fireExceptionCaught(new Refused(cause));
        } else {
            ctx.fireExceptionCaught(cause);
        }
    }
}
