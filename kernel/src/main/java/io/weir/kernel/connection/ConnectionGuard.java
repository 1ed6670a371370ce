package io.weir.kernel.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.weir.base.Counter;
import io.weir.kernel.mux.Deadline;
import io.weir.kernel.tls.ServerTls;
import io.weir.kernel.tls.TlsConnection;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The first handler of every connection: installs the handlers that follow, and enforces that the client reads what is
 * written. Confined to the connection's muxer.
 */
final class ConnectionGuard extends ChannelDuplexHandler implements TlsConnection {
    /** Netty's accounting overhead for each queued message, in bytes, beside its length. */
    private static final int ENTRY = 96;

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
        if (connection.listener().config().proxyProtocol().enabled()) {
            waitForFirst();
            ProxyHeader.install(connection, ctx.pipeline(), connection.parts, this::known);
        } else {
            known();
        }
    }

    /** The client's address is known. */
    private void known() {
        ServerTls tls = connection.listener().tls();
        if (tls == null) {
            ready();
        } else {
            tls.install(this);
        }
    }

    /** Limits and TLS are in place: installs the protocol. */
    private void ready() {
        Channel channel = connection.channel();
        waitForFirst();
        connection.parts.protocol().install(connection, channel.pipeline());
        channel.pipeline().addLast("last", connection.parts.last());
    }

    private void waitForFirst() {
        connection.waitForFirstRequest(
                new FirstRequest(connection, connection.parts.acceptTimeOuts()),
                connection.parts.config().acceptTimeOut().toNanos());
    }

    @Override
    public Channel channel() {
        return connection.channel();
    }

    @Override
    public InetSocketAddress remote() {
        return connection.remote();
    }

    @Override
    public void handshakeBegins(Runnable timedOut) {
        connection.waitForFirstRequest(
                Deadline.of(timedOut),
                connection.parts.config().timeOuts().tlsHandshake().toNanos());
    }

    @Override
    public void serverName(@Nullable String name) {
        connection.sni(name);
    }

    @Override
    public void clientCertificates(List<X509Certificate> shown) {
        connection.clientCertificates(shown);
    }

    @Override
    public void secured() {
        ready();
    }

    @Override
    public void reset() {
        connection.reset();
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
            connection.parts.writePauses().inc();
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        WriteWatch w = watch;
        if (w != null) {
            connection.muxer().deadlines().disarm(w);
            w.over();
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
        WriteWatch w = watch;
        if (w != null) {
            w.added += UnsentBytes.of(msg) + ENTRY;
        }
        var _ = ctx.write(msg, promise);
    }

    private long timeOut() {
        return connection
                .parts
                .pressure()
                .time(connection.parts.config().timeOuts().write().toNanos());
    }

    private long rate() {
        return connection
                .parts
                .pressure()
                .rate(connection.parts.config().timeOuts().writeRate().bytes());
    }

    /**
     * Active while bytes wait for the client: checks four times per time-out how many were sent. It starts with a
     * credit equal to the time-out; elapsed time uses the credit up, and each byte sent restores the time that it may
     * take at the minimum rate.
     */
    private final class WriteWatch extends Deadline {
        private long added;
        private long pending;
        private long progress;
        private long looked;
        private long moved;
        private long credit = timeOut();

        WriteWatch(ChannelOutboundBuffer unsent) {
            pending = unsent.totalPendingWriteBytes();
            progress = unsent.currentProgress();
            connection.parts.pressure().unsent(pending);
            looked = connection.muxer().deadlines().now();
            moved = looked;
        }

        /** No unsent data remains. */
        void over() {
            watch = null;
            connection.parts.pressure().unsent(-pending);
        }

        void again() {
            connection.muxer().deadlines().arm(this, Pressure.look(timeOut() / 4));
        }

        @Override
        protected void expired() {
            ChannelOutboundBuffer unsent = connection.channel().unsafe().outboundBuffer();
            if (unsent == null || unsent.isEmpty()) {
                over();
                return;
            }
            look(unsent, connection.muxer().deadlines().now());
            if (credit > 0) {
                again();
                return;
            }
            over();
            boolean trickled = looked - moved < timeOut();
            (trickled ? connection.parts.writeRateTimeOuts() : connection.parts.writeTimeOuts()).inc();
            connection.late = true;
            connection.reset();
        }

        private void look(ChannelOutboundBuffer unsent, long now) {
            long left = left(unsent);
            long timeOut = timeOut();
            long rate = rate();
            credit = Math.min(timeOut, credit) - (now - looked);
            looked = now;
            if (left > 0) {
                moved = now;
                long worth = rate == 0 ? 2 * timeOut : TimeUnit.SECONDS.toNanos(left) / rate;
                credit = Math.min(timeOut, credit + Math.min(2 * timeOut, worth));
            }
        }

        /** Bytes sent since the last check, including Netty's overhead per message. */
        private long left(ChannelOutboundBuffer unsent) {
            long nowPending = unsent.totalPendingWriteBytes();
            long nowProgress = unsent.currentProgress();
            long left = added + pending - nowPending + nowProgress - progress;
            connection.parts.pressure().unsent(nowPending - pending);
            added = 0;
            pending = nowPending;
            progress = nowProgress;
            return Math.max(0, left);
        }
    }

    /** Closes a connection whose client connected but sends nothing. */
    private static final class FirstRequest extends Deadline {
        private final Connection connection;
        private final Counter timeOuts;

        FirstRequest(Connection connection, Counter timeOuts) {
            this.connection = connection;
            this.timeOuts = timeOuts;
        }

        @Override
        protected void expired() {
            timeOuts.inc();
            connection.close();
        }
    }
}
