package io.weir.proxy.tunnel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import io.weir.kernel.mux.Deadline;
import io.weir.proxy.context.LoopContext;

/**
 * A {@link ChannelTunnel} whose client end is a stream (RFC 9113 section 8.5): DATA both ways, a half-close is the end
 * of the stream's side, and each side is read only while the other is writable. On the origin's channel; confined to
 * the muxer.
 */
public final class StreamTunnel extends ChannelInboundHandlerAdapter {
    private final LoopContext loop;
    private final TunnelStream client;
    private final Channel origin;
    private final TunnelEnd closed;
    private final Deadline idle = Deadline.of(this::idleTimedOut);
    private long fromClient;
    private long fromOrigin;
    private boolean clientEnded;
    private boolean originEnded;
    private boolean over;

    /**
     * @param closed called once at the end: bytes from the client and bytes from the origin
     */
    public StreamTunnel(LoopContext loop, TunnelStream client, Channel origin, TunnelEnd closed) {
        this.loop = loop;
        this.client = client;
        this.origin = origin;
        this.closed = closed;
    }

    /** Starts passing bytes; takes ownership of bytes already read from the origin. */
    public void start(ByteBuf early) {
        origin.config().setAutoRead(false);
        origin.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        origin.pipeline().addLast(this);
        touch();
        pass(early);
        client.process();
        client.flush();
        if (origin.isActive()) {
            origin.read();
        } else {
            close();
        }
    }

    private void touch() {
        loop.deadlines().arm(idle, loop.settings().tunnelNanos());
    }

    private void idleTimedOut() {
        loop.counters().tunnelsTimedOut.inc();
        close();
    }

    /** Whether the origin is writable. */
    public boolean ready() {
        return origin.isWritable();
    }

    /** A piece from the client; taken over. */
    public void send(ByteBuf data) {
        fromClient += data.readableBytes();
        var _ = origin.writeAndFlush(data, origin.voidPromise());
        touch();
    }

    /** The client has half-closed. */
    public void clientEnded() {
        if (clientEnded) {
            return;
        }
        clientEnded = true;
        origin.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((ChannelFutureListener) _ -> {
            if (originEnded) {
                close();
            } else {
                HalfClose.output(origin);
            }
        });
    }

    /** The client is writable again. */
    public void resumeWriting() {
        if (!originEnded && client.writable()) {
            origin.read();
        }
    }

    private void pass(ByteBuf data) {
        fromOrigin += data.readableBytes();
        client.add(data);
    }

    /** Closes the tunnel in both directions. */
    public void close() {
        if (over) {
            return;
        }
        over = true;
        loop.deadlines().disarm(idle);
        var _ = origin.close();
        client.tunnelClosed();
        closed.closed(fromClient, fromOrigin);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (msg instanceof ByteBuf data && !over) {
            pass(data);
        } else {
            ReferenceCountUtil.release(msg);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!over) {
            touch();
            client.flush();
            resumeWriting();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (origin.isWritable()) {
            client.process();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            originEnded();
        }
        ctx.fireUserEventTriggered(event);
    }

    private void originEnded() {
        if (originEnded || over) {
            return;
        }
        originEnded = true;
        client.originEnded();
        if (clientEnded) {
            close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        originEnded();
        close();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        close();
    }
}
