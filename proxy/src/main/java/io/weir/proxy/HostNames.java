package io.weir.proxy;

import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resolves origins' names without blocking, on one muxer: the hosts file, then the configured or the system's name
 * servers, with {@link HostDnsCache} in front. Confined to the muxer; the resolver is made at the first use, for many servers only
 * ever see addresses.
 */
final class HostNames implements OriginConnector.Names {
    private final EventLoop loop;
    private final ChannelFactory<? extends DatagramChannel> udp;
    private final ChannelFactory<? extends SocketChannel> tcp;
    private final HostDnsCache cache;
    private final List<InetSocketAddress> servers;
    private final long timeOutMillis;
    private @Nullable DnsNameResolver resolver;

    HostNames(
            EventLoop loop,
            ChannelFactory<? extends DatagramChannel> udp,
            ChannelFactory<? extends SocketChannel> tcp,
            HostDnsCache cache,
            List<InetSocketAddress> servers,
            long timeOutMillis) {
        this.loop = loop;
        this.udp = udp;
        this.tcp = tcp;
        this.cache = cache;
        this.servers = List.copyOf(servers);
        this.timeOutMillis = timeOutMillis;
    }

    @Override
    public Future<List<InetAddress>> resolve(String host) {
        DnsNameResolver r = resolver;
        if (r == null) {
            r = open();
            resolver = r;
        }
        return r.resolveAll(host);
    }

    private DnsNameResolver open() {
        DnsNameResolverBuilder builder = new DnsNameResolverBuilder(loop)
                .datagramChannelFactory(udp)
                .socketChannelFactory(tcp, true)
                .resolveCache(cache)
                .queryTimeoutMillis(timeOutMillis)
                .resolvedAddressTypes(ResolvedAddressTypes.IPV4_PREFERRED);
        if (!servers.isEmpty()) {
            builder.nameServerProvider(new SequentialDnsServerAddressStreamProvider(servers));
        }
        return builder.build();
    }

    void close() {
        DnsNameResolver r = resolver;
        resolver = null;
        if (r != null) {
            r.close();
        }
    }
}
