package io.weir.kernel.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SniCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A client's TLS handshake, from accept until it is complete; then the protocol's handlers replace it. Confined to the
 * connection's muxer.
 */
public final class TlsHandshake extends ChannelInboundHandlerAdapter {
    private final TlsConnection connection;
    private final KernelContext kernel;
    private final String listener;
    private final boolean requestsCertificate;
    private final Runnable over;
    private boolean named;
    /** By the machine's clock, like the JDK's {@link SSLSession#getCreationTime}. */
    private final long began = SystemClock.INSTANCE.millis();

    private boolean failed;

    /**
     * Creates a handshake.
     *
     * @param listener the listener's name, for statistics and messages
     * @param requestsCertificate whether a client certificate is requested
     * @param over called once when it ends, successfully or not
     */
    public TlsHandshake(
            TlsConnection connection,
            KernelContext kernel,
            String listener,
            boolean requestsCertificate,
            Runnable over) {
        this.connection = connection;
        this.kernel = kernel;
        this.listener = listener;
        this.requestsCertificate = requestsCertificate;
        this.over = over;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        connection.handshakeBegins(this::expired);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        over.run();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        switch (event) {
            case SniCompletionEvent sni when sni.isSuccess() -> named(sni.hostname());
            case SslHandshakeCompletionEvent done when done.isSuccess() -> done(ctx);
            case SslHandshakeCompletionEvent done -> fail(done.cause());
            case SniCompletionEvent sni -> fail(sni.cause());
            default -> ctx.fireUserEventTriggered(event);
        }
    }

    private void done(ChannelHandlerContext ctx) {
        SslHandler handler = ctx.pipeline().get(SslHandler.class);
        SSLSession session = handler == null ? null : handler.engine().getSession();
        if (session != null && handler != null) {
            Stats stats = kernel.stats();
            stats.counter(KernelStats.TLS_HANDSHAKES, listener, session.getProtocol())
                    .inc();
            stats.counter(KernelStats.TLS_CIPHERS, listener, session.getCipherSuite())
                    .inc();
            if (OriginTls.resumed(handler, began)) {
                stats.counter(KernelStats.TLS_RESUMED, listener).inc();
            }
            if (!named) {
                connection.serverName(nameOf(session));
            }
            if (requestsCertificate) {
                connection.clientCertificates(shown(session));
            }
        }
        watch(ctx, session);
        ctx.pipeline().remove(this);
        connection.secured();
    }

    private void named(@Nullable String name) {
        named = name != null;
        connection.serverName(name);
    }

    /** Watches for renegotiation, which TLS 1.3 does not have. */
    private static void watch(ChannelHandlerContext ctx, @Nullable SSLSession session) {
        RecordWatch records = ctx.pipeline().get(RecordWatch.class);
        if (records != null) {
            records.established();
            if (session != null && session.getProtocol().equals("TLSv1.3")) {
                ctx.pipeline().remove(records);
            }
        }
    }

    /** Reports a handshake record after the handshake. */
    public void renegotiates() {
        count(TlsCause.RENEGOTIATION, "requested after the handshake");
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
            kernel.stats()
                    .counter(KernelStats.TLS_FAILURES, listener, cause.label())
                    .inc();
            kernel.log().log(KernelMessages.TLS_HANDSHAKE_FAILED, listener, cause.label(), text);
        }
    }

    private static List<X509Certificate> shown(SSLSession session) {
        try {
            return Arrays.stream(session.getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // a client certificate is optional
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
