package io.weir.proxy;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.weir.base.Log;
import io.weir.kernel.OriginTls;
import io.weir.kernel.OriginTlsConfig;
import io.weir.kernel.TlsFault;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * TLS towards origins by {@code proxy.origin-tls}: certificate and name are checked unless that says otherwise. Shared;
 * made at the first use, so that a server without https origins does not pay for it, but at once where a trust file is
 * named, so that a wrong one stops the start.
 */
final class OriginSecurity implements OriginConnector.Tls, AutoCloseable {
    private final OriginTlsConfig config;
    private final Log log;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable OriginTls made;

    /**
     * Checks what can be checked without a connection.
     *
     * @throws IllegalArgumentException when the trust file cannot be used
     */
    OriginSecurity(OriginTlsConfig config, Log log) {
        this.config = config;
        this.log = log;
        if (config.trustFile() != null) {
            tls();
        }
    }

    @Override
    public SslHandler handler(Channel channel, String host, int port, Duration timeOut) {
        return tls().handler(channel.alloc(), host, port, timeOut);
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
                now = OriginTls.of("origins", config, log);
                made = now;
            }
            return now;
        } catch (TlsFault e) {
            throw new IllegalArgumentException("proxy.origin-tls: " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        OriginTls now = made;
        if (now != null) {
            now.close();
        }
    }
}
