package io.weir.kernel;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.internal.tcnative.SSL;
import io.netty.util.ReferenceCountUtil;
import io.weir.base.Log;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;

/**
 * TLS to origins: certificates are checked against the trust file or the JDK's authorities, and against the host's name.
 * Shared by all connections to origins; close it after the last of them.
 */
public final class OriginTls implements AutoCloseable {
    private final SslContext context;
    private final AtomicBoolean closed = new AtomicBoolean();

    private OriginTls(SslContext context) {
        this.context = context;
    }

    /**
     * Builds it.
     *
     * @param who what is named in messages, for example {@code origins}
     * @throws TlsFault when the trust file or the settings cannot be used
     */
    public static OriginTls of(String who, OriginTlsConfig config, Log log) throws TlsFault {
        SslProvider provider = TlsProviders.choose(config.provider(), who, log);
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(provider)
                .protocols(TlsProviders.names(config.protocols()))
                .sessionCacheSize(config.sessionCache())
                .applicationProtocolConfig(TlsProviders.alpn(config.alpn()));
        if (!config.ciphers().isEmpty()) {
            builder.ciphers(config.ciphers());
        }
        if (config.certificate().given()) {
            KeyMaterial own = KeyMaterial.load(config.certificate().files());
            builder.keyManager(own.key(), own.chain());
        }
        trust(builder, who, config, log);
        try {
            SslContext context = builder.build();
            if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
                sessions.setSessionCacheEnabled(true);
            }
            return new OriginTls(context);
        } catch (SSLException | IllegalArgumentException e) {
            throw new TlsFault("Cannot use TLS for " + who + ": " + e.getMessage(), e);
        }
    }

    private static void trust(SslContextBuilder builder, String who, OriginTlsConfig config, Log log) throws TlsFault {
        if (!config.verify()) {
            log.log(KernelMessages.TLS_UNVERIFIED, who);
            builder.trustManager(TlsProviders.anybody()).endpointIdentificationAlgorithm("");
            return;
        }
        builder.endpointIdentificationAlgorithm("HTTPS");
        String file = config.trustFile();
        if (file != null) {
            builder.trustManager(TlsProviders.trust(file, config.trustPassword(), config.crlFile()));
        } else if (config.crlFile() != null) {
            throw new TlsFault("crl-file needs trust-file. Give the authorities whose revocation lists these are.");
        }
    }

    /**
     * Whether a completed handshake resumed a session.
     *
     * @param began when it began, milliseconds of the machine's clock
     */
    public static boolean resumed(SslHandler handler, long began) {
        if (handler.engine() instanceof ReferenceCountedOpenSslEngine engine) {
            long pointer = engine.sslPointer();
            return pointer != 0 && SSL.isSessionReused(pointer);
        }
        return handler.engine().getSession().getCreationTime() < began;
    }

    /**
     * A handler for one connection. The host is what is sent as SNI (unless it is an IP address) and what the
     * certificate must be for.
     */
    public SslHandler handler(ByteBufAllocator allocator, String host, int port, Duration handshakeTimeOut) {
        SslHandler handler = context.newHandler(allocator, host, port);
        handler.setHandshakeTimeoutMillis(handshakeTimeOut.toMillis());
        return handler;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            ReferenceCountUtil.release(context);
        }
    }
}
