package io.weir.lab.bench.program;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Passes what a connection reads to its other one, which is opened first, and stops reading while that cannot write.
 * Confined to its connections' loop.
 */
final class BareRelay extends ChannelInboundHandlerAdapter {
    /** Where the other connection goes; 0: this is that other one. */
    private final int target;

    private @Nullable Channel other;

    private BareRelay(int target, @Nullable Channel other) {
        this.target = target;
        this.other = other;
    }

    /** For an accepted connection, to a port on loopback. */
    static BareRelay to(int target) {
        return new BareRelay(target, null);
    }

    /** To be called before the connection reads. */
    void begin(Channel accepted) {
        accepted.config().setOption(ChannelOption.AUTO_READ, false);
        var _ = Sockets.client(accepted.eventLoop(), c -> c.pipeline().addLast(new BareRelay(0, accepted)))
                .connect(InetAddress.getLoopbackAddress(), target)
                .addListener((ChannelFutureListener) opened -> {
                    if (opened.isSuccess()) {
                        other = opened.channel();
                        accepted.config().setAutoRead(true);
                    } else {
                        var _ = accepted.close();
                    }
                });
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Channel to = other;
        if (to != null) {
            var _ = to.write(message, to.voidPromise());
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        Channel to = other;
        if (to != null) {
            to.flush();
            if (!to.isWritable()) {
                ctx.channel().config().setAutoRead(false);
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Channel from = other;
        if (from != null && ctx.channel().isWritable()) {
            from.config().setAutoRead(true);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        Channel to = other;
        if (to != null) {
            var _ = to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // a client that ended its turn
        var _ = ctx.close();
    }
}
