package io.weir.proxy.upstream;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.util.concurrent.Future;
import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.Kernel;
import io.weir.kernel.tls.OriginTls;
import io.weir.kernel.tls.OriginTlsConfig;
import io.weir.kernel.tls.TlsCause;
import io.weir.kernel.tls.TlsFault;
import io.weir.proxy.context.EngineStats;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * TLS for origins by {@code proxy.origin-tls}: certificate and name are verified unless it is configured otherwise.
 * Shared; created at first use, so that a server without https origins does not pay for it, but at once if a trust file
 * is configured, so that an invalid one prevents the start.
 */
public final class OriginSecurity implements OriginConnector.Tls, AutoCloseable {
    private static final String SECTION = "proxy.origin-tls";

    private final OriginTlsConfig config;
    private final Kernel kernel;
    private final Stats stats;
    private final Counter handshakes;
    private final Counter resumed;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable OriginTls made;
    private volatile @Nullable OriginTls withoutHttp2;

    /**
     * Checks what can be checked without a connection.
     *
     * @throws IllegalArgumentException if a configured file cannot be used
     */
    public OriginSecurity(OriginTlsConfig config, Kernel kernel, Stats stats) {
        this.config = config;
        this.kernel = kernel;
        this.stats = stats;
        this.handshakes = stats.counter(EngineStats.ORIGIN_TLS_HANDSHAKES);
        this.resumed = stats.counter(EngineStats.ORIGIN_TLS_RESUMED);
        if (!config.files().isEmpty()) {
            tls();
        }
    }

    @Override
    public SslHandler handler(Channel channel, String host, int port, Duration timeOut, boolean mayBeHttp2) {
        boolean asConfigured = mayBeHttp2 || !config.alpn().contains("h2");
        SslHandler handler = (asConfigured ? tls() : http1()).handler(channel, host, port, timeOut);
        long began = SystemClock.INSTANCE.millis();
        handler.handshakeFuture().addListener(done -> count(handler, done, began));
        return handler;
    }

    private void count(SslHandler handler, Future<?> done, long began) {
        if (done.isSuccess()) {
            handshakes.inc();
            SSLSession session = handler.engine().getSession();
            stats.counter(EngineStats.ORIGIN_TLS_CIPHERS, session.getProtocol(), session.getCipherSuite())
                    .inc();
            if (OriginTls.resumed(handler, began)) {
                resumed.inc();
            }
        } else {
            boolean late = done.cause() instanceof SslHandshakeTimeoutException;
            TlsCause cause = late ? TlsCause.TIMEOUT : TlsCause.of(done.cause());
            refused(cause);
        }
    }

    @Override
    public boolean upToDate(Channel channel) {
        // a connection uses one of the two, which follow the same files
        OriginTls first = made;
        OriginTls other = withoutHttp2;
        return first != null ? first.upToDate(channel) : other == null || other.upToDate(channel);
    }

    @Override
    public void refused(TlsCause cause) {
        stats.counter(EngineStats.ORIGIN_TLS_FAILURES, cause.label()).inc();
    }

    private OriginTls tls() {
        OriginTls now = made;
        if (now != null) {
            return now;
        }
        lock.lock();
        try {
            now = made;
            if (now == null) {
                now = make(SECTION, config);
                made = now;
            }
            return now;
        } finally {
            lock.unlock();
        }
    }

    /** For requests that HTTP/2 does not support with an origin. */
    private OriginTls http1() {
        OriginTls now = withoutHttp2;
        if (now != null) {
            return now;
        }
        lock.lock();
        try {
            now = withoutHttp2;
            if (now == null) {
                now = make(SECTION + " over http/1.1", config.withAlpn(List.of("http/1.1")));
                withoutHttp2 = now;
            }
            return now;
        } finally {
            lock.unlock();
        }
    }

    private OriginTls make(String section, OriginTlsConfig of) {
        try {
            return kernel.connecting(section, of);
        } catch (TlsFault e) {
            throw new IllegalArgumentException(section + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        for (OriginTls each : new OriginTls[] {made, withoutHttp2}) {
            if (each != null) {
                each.close();
            }
        }
    }
}
