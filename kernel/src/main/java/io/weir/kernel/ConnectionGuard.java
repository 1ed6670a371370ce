package io.weir.kernel;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import org.jspecify.annotations.Nullable;

/**
 * The first handler of every connection: installs what follows, and watches that the client takes what is written.
 * Confined to the connection's muxer.
 */
final class ConnectionGuard extends ChannelDuplexHandler {
    private final Connection connection;
    private @Nullable WriteWatch watch;

    ConnectionGuard(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        Kernel kernel = connection.listener().kernel();
        if (connection.listener().config().proxyProtocol().enabled()) {
            waitForFirst(kernel);
            ProxyHeader.install(connection, ctx.pipeline(), () -> secure(kernel, ctx.pipeline()));
        } else {
            secure(kernel, ctx.pipeline());
        }
    }

    /** The client is known. */
    private void secure(Kernel kernel, ChannelPipeline pipeline) {
        ListenerTls tls = connection.listener().tls();
        if (tls == null) {
            ready(kernel);
        } else {
            tls.install(connection, pipeline, () -> ready(kernel));
        }
    }

    /** Limits and TLS are in place: the protocol takes over. */
    private void ready(Kernel kernel) {
        Channel channel = connection.channel();
        waitForFirst(kernel);
        connection.listener().protocol().install(connection, channel.pipeline());
        channel.pipeline().addLast("last", kernel.lastResort());
    }

    private void waitForFirst(Kernel kernel) {
        connection.waitForFirstRequest(
                new FirstRequest(connection, kernel),
                kernel.config().acceptTimeOut().toNanos());
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        if (watch == null) {
            ChannelOutboundBuffer unsent = ctx.channel().unsafe().outboundBuffer();
            if (unsent != null && !unsent.isEmpty()) {
                watch = new WriteWatch(unsent);
                watch.again();
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!ctx.channel().isWritable()) {
            connection.listener().kernel().writePauses().inc();
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        WriteWatch w = watch;
        if (w != null) {
            connection.muxer().deadlines().disarm(w);
            watch = null;
        }
        ctx.fireChannelInactive();
    }

    private long timeOut() {
        return connection.listener().kernel().config().timeOuts().write().toNanos();
    }

    /** Lives while bytes wait for the client: looks four times within the time-out whether any of them left. */
    private final class WriteWatch extends Deadline {
        private long seen;
        private long since;

        WriteWatch(ChannelOutboundBuffer unsent) {
            seen = position(unsent);
            since = connection.muxer().deadlines().now();
        }

        void again() {
            connection.muxer().deadlines().arm(this, Math.max(1, timeOut() / 4));
        }

        @Override
        protected void expired() {
            ChannelOutboundBuffer unsent = connection.channel().unsafe().outboundBuffer();
            if (unsent == null || unsent.isEmpty()) {
                watch = null;
                return;
            }
            long now = connection.muxer().deadlines().now();
            long position = position(unsent);
            if (position != seen) {
                seen = position;
                since = now;
            } else if (now - since >= timeOut()) {
                watch = null;
                connection.listener().kernel().writeTimeOuts().inc();
                connection.reset();
                return;
            }
            again();
        }

        /** Changes whenever bytes leave: which buffer is being sent, how much of it, and what follows. */
        private static long position(ChannelOutboundBuffer unsent) {
            long buffer = System.identityHashCode(unsent.current());
            return (buffer * 31 + unsent.currentProgress()) * 31 + unsent.totalPendingWriteBytes();
        }
    }

    /** A client that connected and sends nothing. */
    private static final class FirstRequest extends Deadline {
        private final Connection connection;
        private final Kernel kernel;

        FirstRequest(Connection connection, Kernel kernel) {
            this.connection = connection;
            this.kernel = kernel;
        }

        @Override
        protected void expired() {
            kernel.acceptTimeOuts().inc();
            connection.close();
        }
    }
}
