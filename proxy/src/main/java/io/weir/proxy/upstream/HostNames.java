package io.weir.proxy.upstream;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Resolves origins' names without blocking, on one muxer: the hosts file, then the configured or the system's name
 * servers, with {@link HostDnsCache} in front and {@link StaleAddresses} as a fallback. Confined to the muxer; the
 * resolver is created at first use, because many servers only use addresses.
 */
final class HostNames implements OriginConnector.Names {
    private final EventLoop loop;
    private final ChannelFactory<? extends DatagramChannel> udp;
    private final ChannelFactory<? extends SocketChannel> tcp;
    private final HostDnsCache cache;
    private final StaleAddresses stale;
    private final List<InetSocketAddress> servers;
    private final long timeOutMillis;
    private @Nullable DnsNameResolver resolver;

    HostNames(
            EventLoop loop,
            ChannelFactory<? extends DatagramChannel> udp,
            ChannelFactory<? extends SocketChannel> tcp,
            HostDnsCache cache,
            StaleAddresses stale,
            List<InetSocketAddress> servers,
            long timeOutMillis) {
        this.loop = loop;
        this.udp = udp;
        this.tcp = tcp;
        this.cache = cache;
        this.stale = stale;
        this.servers = List.copyOf(servers);
        this.timeOutMillis = timeOutMillis;
    }

    @Override
    public Future<List<InetAddress>> resolve(String host) {
        Future<List<InetAddress>> found = resolver().resolveAll(host);
        if (found.isSuccess()) {
            stale.found(host, found.getNow());
            return found;
        }
        Promise<List<InetAddress>> promise = loop.newPromise();
        found.addListener(_ -> {
            List<InetAddress> before = found.isSuccess() ? found.getNow() : stale.instead(host, found.cause());
            if (found.isSuccess()) {
                stale.found(host, before);
            }
            if (before.isEmpty()) {
                promise.setFailure(found.cause());
            } else {
                promise.setSuccess(before);
            }
        });
        return promise;
    }

    /**
     * A name's addresses and their time to live.
     *
     * @param ttlSeconds the shortest of the records' times to live
     */
    record Answer(List<InetAddress> addresses, long ttlSeconds) {}

    /** Queries the name servers, bypassing the cache: IPv4 addresses, and IPv6 ones if there are none. */
    Future<Answer> addresses(String host) {
        Promise<Answer> promise = loop.newPromise();
        records(
                host,
                DnsRecordType.A,
                answer -> {
                    if (answer.addresses().isEmpty()) {
                        records(host, DnsRecordType.AAAA, promise::setSuccess, promise::setFailure);
                    } else {
                        promise.setSuccess(answer);
                    }
                },
                _ -> records(host, DnsRecordType.AAAA, promise::setSuccess, promise::setFailure));
        return promise;
    }

    private void records(String host, DnsRecordType type, Consumer<Answer> then, Consumer<Throwable> otherwise) {
        resolver()
                .resolveAll(new DefaultDnsQuestion(host.endsWith(".") ? host : host + ".", type))
                .addListener(f -> {
                    if (!f.isSuccess()) {
                        otherwise.accept(f.cause());
                        return;
                    }
                    List<InetAddress> found = new ArrayList<>();
                    long ttl = Long.MAX_VALUE;
                    List<?> records = (List<?>) f.getNow();
                    for (Object record : records) {
                        if (record instanceof DnsRawRecord raw && raw.type().equals(type)) {
                            found.add(InetAddress.getByAddress(host, ByteBufUtil.getBytes(raw.content())));
                            ttl = Math.min(ttl, raw.timeToLive());
                        }
                        ReferenceCountUtil.safeRelease(record);
                    }
                    then.accept(new Answer(List.copyOf(found), ttl));
                });
    }

    private DnsNameResolver resolver() {
        DnsNameResolver r = resolver;
        if (r == null) {
            r = open();
            resolver = r;
        }
        return r;
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
