package io.weir.kernel.tls;

import io.netty.channel.Channel;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.internal.tcnative.SSL;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelMessages;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS to origins: certificates are verified against the trust file or the JDK's authorities, and against the host's
 * name. Shared by all connections to origins, which use the trust and certificate current when they are made; changed
 * under a lock by the watch and the administration. Created by {@code Kernel.connecting}; close it after the last
 * connection.
 */
public final class OriginTls implements CertificateOwner, AutoCloseable {
    /** The state in use: a context, and the certificate that it presents to origins that request one. */
    private record InUse(SslContext context, @Nullable X509Certificate own) {}

    private static final AttributeKey<Integer> GENERATION = AttributeKey.valueOf(OriginTls.class, "generation");

    private final String section;
    private final OriginTlsConfig config;
    private final TlsParts parts;
    private final KernelContext kernel;
    private final SslProvider provider;
    private final ReentrantLock lock = new ReentrantLock();
    private final TlsFiles files;
    private final CertificateExpiry expiry;
    private volatile InUse current;
    private final AtomicInteger generation = new AtomicInteger();
    private boolean closed;

    private OriginTls(String section, OriginTlsConfig config, TlsParts parts) throws TlsFault {
        this.section = section;
        this.config = config;
        this.parts = parts;
        this.kernel = parts.kernel();
        this.provider = TlsProviders.choose(config.provider(), section, kernel.log());
        if (!config.verify()) {
            kernel.log().log(KernelMessages.TLS_UNVERIFIED, section);
        }
        this.files = new TlsFiles(section, config.files(), config.reloadInterval(), kernel);
        this.expiry = new CertificateExpiry(section, kernel);
        this.current = make();
        expiry.serve(shown());
        files.begin(shown());
    }

    /**
     * Loads trust and certificate; the files are watched until it is closed.
     *
     * @param section the name of the configuration section, for messages
     * @throws TlsFault if its files or settings cannot be used
     */
    public static OriginTls open(String section, OriginTlsConfig config, TlsParts parts) throws TlsFault {
        OriginTls tls = new OriginTls(section, config, parts);
        parts.watch().watch(tls);
        return tls;
    }

    private InUse make() throws TlsFault {
        TlsProviders.fit(config.protocols(), config.ciphers());
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(provider)
                .protocols(TlsProviders.names(config.protocols()))
                .sessionCacheSize(config.sessionCache())
                .applicationProtocolConfig(TlsProviders.alpn(config.alpn()));
        if (!config.ciphers().isEmpty()) {
            builder.ciphers(config.ciphers());
        }
        X509Certificate shown = null;
        if (config.certificate().given()) {
            KeyMaterial own = KeyMaterial.load(config.certificate());
            builder.keyManager(own.key(), own.chain());
            shown = own.chain().getFirst();
        }
        trust(builder);
        try {
            SslContext context = builder.build();
            if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
                sessions.setSessionCacheEnabled(true);
            }
            return new InUse(context, shown);
        } catch (SSLException | IllegalArgumentException e) {
            throw new TlsFault("Cannot use TLS for " + section + ": " + TlsFault.reason(e), e);
        }
    }

    private void trust(SslContextBuilder builder) throws TlsFault {
        if (!config.verify()) {
            builder.trustManager(TlsProviders.anybody()).endpointIdentificationAlgorithm("");
            return;
        }
        builder.endpointIdentificationAlgorithm("HTTPS");
        String file = config.trustFile();
        if (file != null) {
            builder.trustManager(TlsProviders.trust(file, config.trustPassword(), config.crlFile()));
        } else if (config.crlFile() != null) {
            throw new TlsFault("crl-file needs trust-file. Set trust-file to the authorities that issued the lists.");
        }
    }

    private Map<String, X509Certificate> shown() {
        X509Certificate own = current.own();
        return own == null ? Map.of() : Map.of(config.certificate().place(), own);
    }

    /**
     * Whether a completed handshake resumed a session.
     *
     * @param began when the handshake began, milliseconds of the machine's clock
     */
    public static boolean resumed(SslHandler handler, long began) {
        if (handler.engine() instanceof ReferenceCountedOpenSslEngine engine) {
            long pointer = engine.sslPointer();
            return pointer != 0 && SSL.isSessionReused(pointer);
        }
        return handler.engine().getSession().getCreationTime() < began;
    }

    /**
     * Creates the handler for one connection, on its muxer.
     *
     * @param host sent as SNI (unless it is an IP address), and verified against the certificate
     */
    public SslHandler handler(Channel channel, String host, int port, Duration handshakeTimeOut) {
        // read the generation before the context: a concurrent change then outdates the connection too early, not too
        // late
        channel.attr(GENERATION).set(generation.get());
        SslHandler handler = current.context().newHandler(channel.alloc(), host, port);
        handler.setHandshakeTimeoutMillis(handshakeTimeOut.toMillis());
        return handler;
    }

    /** Whether a connection was made with the current trust and certificate; false if files have changed since. */
    public boolean upToDate(Channel channel) {
        Integer made = channel.attr(GENERATION).get();
        return made == null || made == generation.get();
    }

    @Override
    public String owner() {
        return section;
    }

    @Override
    public List<CertificateReport> certificates() {
        return shown().entrySet().stream()
                .map(e -> CertificateReport.of(section, e.getKey(), e.getValue(), CertificateReport.Stapling.OFF))
                .toList();
    }

    @Override
    public TlsReload loaded() {
        return files.last();
    }

    @Override
    public TlsReload reload() {
        lock.lock();
        try {
            return closed
                    ? new TlsReload(kernel.clock().millis(), "the server is stopping", List.of())
                    : files.load(this::load);
        } finally {
            lock.unlock();
        }
    }

    /** Earlier sessions are not resumed, because they were established under different trust. */
    private Map<String, X509Certificate> load(Set<String> changed) throws TlsFault {
        InUse next = make();
        InUse old = current;
        current = next;
        if (!changed.isEmpty()) {
            generation.incrementAndGet();
        }
        expiry.serve(shown());
        parts.afterHandshakes().execute(() -> ReferenceCountUtil.release(old.context()));
        return shown();
    }

    @Override
    public void maintain() {
        lock.lock();
        try {
            if (!closed) {
                if (files.due(kernel.clock().nanos())) {
                    files.load(this::load);
                }
                expiry.warn(shown());
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                parts.watch().forget(this);
                ReferenceCountUtil.release(current.context());
            }
        } finally {
            lock.unlock();
        }
    }
}
