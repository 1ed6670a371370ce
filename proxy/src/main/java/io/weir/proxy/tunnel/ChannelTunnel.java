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
import org.jspecify.annotations.Nullable;

/**
 * Passes bytes both ways between a client and an origin after CONNECT (RFC 9110 section 9.3.6) or 101 (section 7.8),
 * with back-pressure: a side is read only while the other is writable. A half-close is passed on; an idle tunnel is
 * closed. Confined to the muxer that both channels share.
 */
public final class ChannelTunnel {
    private final Side client;
    private final Side origin;
    private final Deadline idle;
    private final LoopContext loop;
    private final TunnelEnd closed;
    private boolean ended;

    /**
     * Joins two channels whose handlers have been removed.
     *
     * @param closed called once at the end: bytes from the client and bytes from the origin
     */
    public ChannelTunnel(LoopContext loop, Channel clientChannel, Channel originChannel, TunnelEnd closed) {
        this.loop = loop;
        this.closed = closed;
        this.client = new Side(clientChannel);
        this.origin = new Side(originChannel);
        client.other = origin;
        origin.other = client;
        this.idle = Deadline.of(this::idleTimedOut);
    }

    /**
     * Starts passing bytes; bytes read earlier are passed first. Takes ownership of both buffers.
     *
     * @param clientEnded the client has already half-closed
     */
    public void start(ByteBuf fromClient, ByteBuf fromOrigin, boolean clientEnded) {
        client.attach();
        origin.attach();
        client.pass(fromClient);
        origin.pass(fromOrigin);
        client.channel.flush();
        origin.channel.flush();
        loop.deadlines().arm(idle, loop.settings().tunnelNanos());
        if (clientEnded) {
            client.inputEnded();
        } else {
            client.channel.read();
        }
        origin.channel.read();
        if (!origin.channel.isActive() || !client.channel.isActive()) {
            close();
        }
    }

    /** Closes the tunnel in both directions. */
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        loop.deadlines().disarm(idle);
        var _ = client.channel.close();
        var _ = origin.channel.close();
        closed.closed(client.bytes, origin.bytes);
    }

    private void idleTimedOut() {
        loop.counters().tunnelsTimedOut.inc();
        close();
    }

    /** One end: its received bytes are written to the other. */
    private final class Side extends ChannelInboundHandlerAdapter {
        private final Channel channel;
        private @Nullable Side other;
        private long bytes;
        private boolean inputClosed;
        /** Our side of this channel is closed, after all bytes were sent. */
        private boolean outputClosed;

        Side(Channel channel) {
            this.channel = channel;
        }

        private Side peer() {
            Side o = other;
            if (o == null) {
                throw new IllegalStateException("a tunnel has two ends");
            }
            return o;
        }

        void attach() {
            channel.config().setAutoRead(false);
            channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
            channel.pipeline().addLast(this);
        }

        void pass(ByteBuf data) {
            if (!data.isReadable()) {
                data.release();
                return;
            }
            bytes += data.readableBytes();
            Channel to = peer().channel;
            var _ = to.write(data, to.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object msg) {
            if (msg instanceof ByteBuf data) {
                pass(data);
            } else {
                ReferenceCountUtil.release(msg);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            loop.deadlines().arm(idle, loop.settings().tunnelNanos());
            Channel to = peer().channel;
            to.flush();
            readIfWanted();
        }

        private void readIfWanted() {
            if (!inputClosed && peer().channel.isWritable()) {
                channel.read();
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            if (channel.isWritable()) {
                peer().readIfWanted();
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof ChannelInputShutdownEvent) {
                inputEnded();
            }
            ctx.fireUserEventTriggered(event);
        }

        /** Passes the half-close on, after the bytes still in flight. */
        void inputEnded() {
            if (inputClosed) {
                return;
            }
            inputClosed = true;
            Side to = peer();
            to.channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((ChannelFutureListener) _ -> to.endOutput());
        }

        private void endOutput() {
            outputClosed = true;
            if (peer().outputClosed || !HalfClose.output(channel)) {
                close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (!ended) {
                peer().channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((ChannelFutureListener) _ -> close());
            }
            ctx.fireChannelInactive();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            close();
        }
    }
}
