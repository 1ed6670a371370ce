package io.weir.proxy.upstream;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Transport;
import io.weir.proxy.context.EngineMessages;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.program.config.OriginPoolConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The origin side of one muxer: connections and their waiting borrowers, HTTP/2 sessions, names, and the share of each
 * client address. Confined to the muxer; lives as long as the proxy.
 */
public final class Upstream {
    private static final long SWEEP_NANOS = Duration.ofSeconds(1).toNanos();

    private final LoopContext loop;
    private final UpstreamSettings settings;
    private final UpstreamCounters counters;
    private final OriginConnector connector;
    private final OriginPool pool;
    private final HostNames names;
    private final HostDnsCache dns;
    private final OriginSessions sessions;
    private final AddressShares shares;
    private final MemberFetches members = new MemberFetches();
    private final Chunks chunks = new Chunks();
    private final Deadline sweeper = Deadline.of(this::sweep);
    private @Nullable OriginPoolConfig boundsOf;
    private @Nullable PoolBounds bounds;
    private boolean sweeping;

    public Upstream(
            LoopContext loop,
            UpstreamSettings settings,
            OriginConnector.Tls tls,
            OriginConnector.Tls members,
            UpstreamCounters counters) {
        this.loop = loop;
        this.settings = settings;
        this.counters = counters;
        Transport transport = loop.kernel().choice().transport();
        this.dns = new HostDnsCache(settings::dnsLimits, loop.clock(), counters.dnsHits, counters.dnsMisses);
        this.names = new HostNames(
                loop.muxer().eventLoop(),
                transport.datagram(),
                transport.client(),
                dns,
                new StaleAddresses(
                        () -> settings.dnsLimits().entries(), settings::dnsStaleNanos, loop.clock(), counters.dnsStale),
                settings.nameServers(),
                settings.dnsTimeOutMillis());
        this.sessions = new OriginSessions(new OriginSessions.Parts(
                loop.deadlines(),
                () -> settings.poolBounds().idleNanos(),
                settings::connectNanos,
                loop.scratch(),
                () -> loop.settings().responseLimits(),
                settings::originWindow,
                tls,
                counters.http2));
        this.connector = new OriginConnector(new OriginConnector.Parts(
                loop.muxer().eventLoop(),
                transport::client,
                loop.proxy().allocator(),
                names,
                tls,
                members,
                () -> loop.settings().responseLimits(),
                loop.scratch(),
                settings::connectSettings,
                sessions));
        this.shares = new AddressShares(this::bounds, counters.poolRefused);
        this.pool = new OriginPool(connector, this::bounds, loop.clock(), counters, loop.proxy()::unexpected);
    }

    public LoopContext loop() {
        return loop;
    }

    public UpstreamCounters counters() {
        return counters;
    }

    /** Computed again when the configuration changed. */
    private PoolBounds bounds() {
        OriginPoolConfig now = settings.poolConfig();
        PoolBounds known = bounds;
        if (known == null || !now.equals(boundsOf)) {
            known = settings.poolBounds();
            bounds = known;
            boundsOf = now;
        }
        return known;
    }

    public OriginPool pool() {
        assert loop.here() : "origin connections belong to their muxer";
        if (!sweeping) {
            sweeping = true;
            loop.deadlines().arm(sweeper, SWEEP_NANOS);
        }
        return pool;
    }

    /** The shares of connections of client addresses. */
    AddressShares shares() {
        return shares;
    }

    /** Connections for active checks: separate from those of requests, one for each server, none kept. */
    OriginPool checkConnections() {
        PoolBounds one = new PoolBounds(1, 1, false, 0, 1, Integer.MAX_VALUE, 0, 1);
        return new OriginPool(connector, () -> one, loop.clock(), counters, loop.proxy()::unexpected);
    }

    /** Resolves names; on the muxer. */
    HostNames names() {
        assert loop.here() : "a resolver belongs to its muxer";
        return names;
    }

    Chunks chunks() {
        return chunks;
    }

    /** An origin gets no more requests: closes its idle connections. On the muxer. */
    public void originRemoved(OriginKey origin) {
        pool.dropIdle(origin);
        sessions.originRemoved(origin);
    }

    /** The fetches from other members of the cluster. */
    MemberFetches members() {
        return members;
    }

    /** Another member has left the cluster: what it does not send soon is fetched elsewhere. On the muxer. */
    void memberLeft(OriginKey member) {
        originRemoved(member);
        members.left(member);
    }

    /** Registers the gauges of this muxer. */
    public void gauges(Stats stats) {
        String muxer = Integer.toString(loop.muxer().index());
        stats.gauge(EngineStats.ORIGIN_CONNECTIONS, pool::open, muxer);
        stats.gauge(EngineStats.ORIGIN_IDLE, pool::idle, muxer);
        stats.gauge(EngineStats.ORIGIN_WAITING, pool::waiting, muxer);
        stats.gauge(EngineStats.DNS_ENTRIES, dns::size, muxer);
    }

    /** Utilisation of the busiest origin at the last sweep, 0 to 1. From any thread. */
    public double fullest() {
        return pool.fullest();
    }

    /**
     * Logs that an origin, or a member of the cluster, failed a request, once per origin and interval. A destination refused by a rule is not the
     * origin's failure.
     */
    public void originFailed(OriginKey origin, OriginFault fault, String detail) {
        Log log = loop.proxy().log();
        if (fault != OriginFault.FORBIDDEN && log.wants(EngineMessages.ORIGIN_FAILED)) {
            log.log(
                    EngineMessages.ORIGIN_FAILED,
                    origin.member() ? "Member" : "Origin",
                    origin,
                    fault.answer().code(),
                    detail);
        }
    }

    private void sweep() {
        pool.sweep();
        sweeping = pool.open() > 0;
        if (sweeping) {
            loop.deadlines().arm(sweeper, SWEEP_NANOS);
        }
    }

    /** Closes idle origin connections and the resolver; on the muxer. */
    public void close() {
        loop.deadlines().disarm(sweeper);
        pool.close();
        sessions.close();
        names.close();
    }
}
