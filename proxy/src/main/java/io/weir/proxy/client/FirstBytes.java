package io.weir.proxy.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import io.weir.kernel.connection.Connection;
import io.weir.proxy.context.Buffers;
import io.weir.proxy.http2.Http2Session;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Inspects the first bytes of a connection without TLS: a client with prior knowledge of HTTP/2 starts with a preface
 * that is not an HTTP/1 request (RFC 9113 sections 3.3 and 3.4). Removes itself at the first byte that differs, so a
 * kept HTTP/1 connection pays once. Confined to the connection's muxer.
 */
final class FirstBytes extends ChannelInboundHandlerAdapter {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Connection connection;
    private final Function<Connection, Http2Session> http2;
    private @Nullable ByteBuf held;

    FirstBytes(Connection connection, Function<Connection, Http2Session> http2) {
        this.connection = connection;
        this.http2 = http2;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (!(msg instanceof ByteBuf bytes)) {
            ctx.fireChannelRead(msg);
            return;
        }
        ByteBuf before = held;
        held = null;
        ByteBuf in = before == null ? bytes : Buffers.join(ctx.alloc(), before, bytes);
        int looked = Math.min(in.readableBytes(), PREFACE.length);
        if (!starts(in, looked)) {
            pass(ctx, in);
        } else if (looked < PREFACE.length) {
            held = in;
        } else {
            connection.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
            ctx.pipeline().remove(Http1Connection.class);
            ctx.pipeline().addAfter(ctx.name(), "http2", http2.apply(connection));
            pass(ctx, in);
        }
    }

    private static boolean starts(ByteBuf in, int looked) {
        for (int i = 0; i < looked; i++) {
            if (in.getByte(in.readerIndex() + i) != PREFACE[i]) {
                return false;
            }
        }
        return true;
    }

    private void pass(ChannelHandlerContext ctx, ByteBuf in) {
        ctx.fireChannelRead(in);
        ctx.pipeline().remove(this);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        ByteBuf in = held;
        if (event instanceof ChannelInputShutdownEvent && in != null) {
            held = null;
            pass(ctx, in);
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        ReferenceCountUtil.release(held);
        held = null;
    }
}
