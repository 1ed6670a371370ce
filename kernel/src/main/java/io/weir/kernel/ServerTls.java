package io.weir.kernel;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SniCompletionEvent;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.weir.base.Stats;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** TLS of one listener. Shared by its connections; the handlers that it makes are confined to their muxers. */
final class ServerTls implements ListenerTls {
    private static final int LARGEST_HELLO = 16 * 1024;

    private final String listener;
    private final SniCertificates certificates;
    private final Kernel kernel;
    private final AtomicBoolean closed = new AtomicBoolean();

    ServerTls(String listener, SniCertificates certificates, Kernel kernel) {
        this.listener = listener;
        this.certificates = certificates;
        this.kernel = kernel;
    }

    @Override
    public void install(Connection connection, ChannelPipeline pipeline, Runnable ready) {
        if (certificates.several()) {
            pipeline.addLast("tls", new Choosing());
        } else {
            pipeline.addLast(
                    "tls", handler(certificates.first(), connection.channel().alloc()));
        }
        pipeline.addLast("handshake", new Handshake(connection, ready));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            certificates.release();
        }
    }

    /** Its own time-out is off: the kernel's deadline counts from accept, the hello included. */
    private static SslHandler handler(SslContext context, ByteBufAllocator alloc) {
        SslHandler handler = context.newHandler(alloc);
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    /** Waits for the client's hello and replaces itself by the TLS handler for the name in it. */
    private final class Choosing extends SniHandler {
        Choosing() {
            super(certificates, LARGEST_HELLO, 0);
        }

        @Override
        protected SslHandler newSslHandler(SslContext context, ByteBufAllocator alloc) {
            return handler(context, alloc);
        }
    }

    /** Lives until the handshake is done: then the protocol takes its place. */
    private final class Handshake extends ChannelInboundHandlerAdapter {
        private final Connection connection;
        private final Runnable ready;
        private final Deadline deadline = Deadline.of(this::expired);
        private boolean failed;

        Handshake(Connection connection, Runnable ready) {
            this.connection = connection;
            this.ready = ready;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            connection.waitForFirstRequest(
                    deadline, kernel.config().timeOuts().tlsHandshake().toNanos());
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            switch (event) {
                case SniCompletionEvent sni when sni.isSuccess() -> connection.sni(sni.hostname());
                case SslHandshakeCompletionEvent done when done.isSuccess() -> done(ctx);
                case SslHandshakeCompletionEvent done -> fail(done.cause());
                case SniCompletionEvent sni -> fail(sni.cause());
                default -> ctx.fireUserEventTriggered(event);
            }
        }

        private void done(ChannelHandlerContext ctx) {
            SSLSession session = connection.tls();
            if (session != null) {
                stats().counter(KernelStats.TLS_HANDSHAKES, listener, session.getProtocol())
                        .inc();
                if (connection.sni() == null) {
                    connection.sni(nameOf(session));
                }
            }
            connection.muxer().deadlines().disarm(deadline);
            ctx.pipeline().remove(this);
            ready.run();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            fail(cause);
            var _ = ctx.close();
        }

        private void expired() {
            count(TlsCause.TIMEOUT, "no handshake within the time-out");
            connection.reset();
        }

        private void fail(Throwable cause) {
            count(TlsCause.of(cause), String.valueOf(cause));
        }

        private void count(TlsCause cause, String text) {
            if (!failed) {
                failed = true;
                stats().counter(KernelStats.TLS_FAILURES, listener, cause.label())
                        .inc();
                kernel.log().log(KernelMessages.TLS_HANDSHAKE_FAILED, listener, cause.label(), text);
            }
        }

        private Stats stats() {
            return kernel.stats();
        }
    }

    private static @Nullable String nameOf(SSLSession session) {
        if (session instanceof ExtendedSSLSession extended) {
            for (SNIServerName name : extended.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName();
                }
            }
        }
        return null;
    }
}
