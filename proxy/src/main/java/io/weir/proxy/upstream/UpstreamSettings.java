package io.weir.proxy.upstream;

import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.NetUtil;
import io.weir.base.Live;
import io.weir.kernel.Kernel;
import io.weir.proxy.program.config.DnsConfig;
import io.weir.proxy.program.config.NameServer;
import io.weir.proxy.program.config.OriginPoolConfig;
import io.weir.proxy.program.config.ProxyConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The knobs of the origin side, read when a connection is made or a name is looked up. Shared; follows the live
 * configuration, except {@code bind}, which is validated and swapped with the rest of a change.
 */
public final class UpstreamSettings {
    private final Live<ProxyConfig> config;
    private final Kernel kernel;
    private volatile @Nullable InetAddress bind;

    /** @throws IllegalArgumentException if {@code origin-pool.bind} is not an address */
    UpstreamSettings(Live<ProxyConfig> config, Kernel kernel) {
        this.config = config;
        this.kernel = kernel;
        this.bind = localAddress(config.get());
    }

    /** The local address in a configuration; null: any. */
    static @Nullable InetAddress localAddress(ProxyConfig config) {
        String text = config.originPool().bind();
        if (text == null || text.isEmpty()) {
            return null;
        }
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(text);
        if (literal == null) {
            throw new IllegalArgumentException("proxy.origin-pool.bind: expected an address, found \"" + text + "\"");
        }
        return literal;
    }

    /** Sets the local address of new connections. */
    void bind(@Nullable InetAddress next) {
        bind = next;
    }

    HostDnsCache.Limits dnsLimits() {
        DnsConfig dns = config.get().dns();
        return new HostDnsCache.Limits(
                dns.cache(),
                dns.entries(),
                dns.expire().toSeconds(),
                dns.negative().toSeconds());
    }

    long dnsExpireSeconds() {
        return config.get().dns().expire().toSeconds();
    }

    long dnsNegativeSeconds() {
        return config.get().dns().negative().toSeconds();
    }

    long dnsStaleNanos() {
        return config.get().dns().stale().toNanos();
    }

    List<InetSocketAddress> nameServers() {
        return config.get().dns().servers().stream().map(NameServer::parse).toList();
    }

    long dnsTimeOutMillis() {
        return config.get().timeOuts().dns().toMillis();
    }

    long connectNanos() {
        return config.get().timeOuts().connect().toNanos();
    }

    OriginPoolConfig poolConfig() {
        return config.get().originPool();
    }

    /** The bounds on connections, over all muxers. */
    public OriginBounds bounds() {
        return new OriginBounds(poolConfig(), kernel.descriptors());
    }

    /** One muxer's part of the bounds. */
    PoolBounds poolBounds() {
        return bounds().of(Math.max(1, kernel.muxers().all().size()));
    }

    /** Bytes of one answer that an origin may send over HTTP/2 before they are read. */
    int originWindow() {
        return config.get().http2().originWindow().asInt();
    }

    OriginConnector.Settings connectSettings() {
        var times = config.get().timeOuts();
        int most = config.get().limits().streamBuffer().asInt();
        return new OriginConnector.Settings(
                (int) times.connect().toMillis(),
                (int) times.tlsHandshake().toMillis(),
                new WriteBufferWaterMark(most / 4, most),
                bind);
    }
}
