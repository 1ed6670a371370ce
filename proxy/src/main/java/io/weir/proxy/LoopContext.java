package io.weir.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.weir.base.Clock;
import io.weir.http.DecoderLimits;
import io.weir.http.HeadScratch;
import io.weir.http.ProtocolFault;
import io.weir.http.Side;
import io.weir.http.semantics.DateCache;
import io.weir.kernel.Deadline;
import io.weir.kernel.Deadlines;
import io.weir.kernel.Kernel;
import io.weir.kernel.Muxer;
import io.weir.kernel.Transport;
import io.weir.proxy.accesslog.LogLanes;
import io.weir.proxy.origins.OriginKey;
import io.weir.proxy.program.OriginPoolConfig;
import io.weir.proxy.program.ProgramRun;
import io.weir.proxy.qos.Pacing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the exchanges of one muxer share: origin connections, timers, scratch memory, spare exchanges. Confined to the
 * muxer; lives as long as the proxy.
 */
final class LoopContext {
    /** Exchanges kept for reuse; more are left to the collector. */
    private static final int SPARE_EXCHANGES = 256;

    private static final long SWEEP_NANOS = Duration.ofSeconds(1).toNanos();

    private final Proxy proxy;
    private final Muxer muxer;
    private final OriginConnector connector;
    private final OriginPool pool;
    private final HostNames names;
    private final HostDnsCache dns;
    private final Chunks chunks = new Chunks();
    private final HeadScratch scratch = new HeadScratch();
    private final DateCache dates = new DateCache();
    private final ByteBuf text = Unpooled.buffer(512);
    private final ArrayDeque<Exchange> spare = new ArrayDeque<>();
    private final @Nullable LogLanes log;
    private final Deadline sweeper = Deadline.of(this::sweep);
    private final Supplier<DecoderLimits> requestLimits;
    private final OriginSessions sessions;
    private final AddressShares shares;
    private final StreamHost streams = new StreamHost(this);
    private @Nullable OriginPoolConfig boundsOf;
    private @Nullable PoolBounds bounds;
    private boolean sweeping;
    private @Nullable Pacing pacing;

    LoopContext(Proxy proxy, Muxer muxer) {
        this.proxy = proxy;
        this.muxer = muxer;
        this.requestLimits = () -> proxy.settings().requestLimits();
        this.log = proxy.logLanes();
        Transport transport = proxy.kernel().choice().transport();
        EngineCounters counters = proxy.counters();
        this.dns = new HostDnsCache(proxy::dnsLimits, proxy.clock(), counters.dnsHits, counters.dnsMisses);
        this.names = new HostNames(
                muxer.eventLoop(),
                transport.datagram(),
                transport.client(),
                dns,
                new StaleAddresses(
                        () -> proxy.dnsLimits().entries(), proxy::dnsStaleNanos, proxy.clock(), counters.dnsStale),
                proxy.nameServers(),
                proxy.dnsTimeOutMillis());
        this.sessions = new OriginSessions(new OriginSessions.Parts(
                muxer.deadlines(),
                () -> proxy.poolBounds().idleNanos(),
                proxy::connectNanos,
                scratch,
                () -> proxy.settings().responseLimits(),
                proxy::originWindow,
                proxy.originTls(),
                counters.http2));
        this.connector = new OriginConnector(new OriginConnector.Parts(
                muxer.eventLoop(),
                transport.client(),
                names,
                proxy.originTls(),
                () -> proxy.settings().responseLimits(),
                scratch,
                proxy::connectSettings,
                sessions));
        this.shares = new AddressShares(this::bounds, counters.poolRefused);
        this.pool = new OriginPool(connector, this::bounds, proxy.clock(), counters, proxy::unexpected);
    }

    /** Where nothing else says so, unsent bytes are bounded by these. */
    static WriteBufferWaterMark waterMark(int low, int high) {
        return new WriteBufferWaterMark(low, high);
    }

    Proxy proxy() {
        return proxy;
    }

    Kernel kernel() {
        return proxy.kernel();
    }

    Muxer muxer() {
        return muxer;
    }

    Clock clock() {
        return proxy.clock();
    }

    Deadlines deadlines() {
        return muxer.deadlines();
    }

    EngineSettings settings() {
        return proxy.settings();
    }

    EngineCounters counters() {
        return proxy.counters();
    }

    /** What HTTP/2 sessions on this muxer need. */
    StreamHost streams() {
        return streams;
    }

    /** Whether the calling thread is the muxer's, to which all of this is confined. */
    boolean here() {
        return muxer.eventLoop().inEventLoop();
    }

    /** Made anew when the configuration changed. */
    private PoolBounds bounds() {
        OriginPoolConfig now = proxy.poolConfig();
        PoolBounds known = bounds;
        if (known == null || !now.equals(boundsOf)) {
            known = proxy.poolBounds();
            bounds = known;
            boundsOf = now;
        }
        return known;
    }

    OriginPool pool() {
        assert here() : "origin connections belong to their muxer";
        if (!sweeping) {
            sweeping = true;
            deadlines().arm(sweeper, SWEEP_NANOS);
        }
        return pool;
    }

    /** What each client address has of the connections. */
    AddressShares shares() {
        return shares;
    }

    /** Connections for active checks: beside the requests' own, one for each server, none kept. */
    OriginPool checkConnections() {
        PoolBounds bounds = new PoolBounds(1, 1, false, 0, 1, Integer.MAX_VALUE, 0, 1);
        return new OriginPool(connector, () -> bounds, clock(), counters(), proxy::unexpected);
    }

    /** Resolves names; on the muxer. */
    HostNames names() {
        assert here() : "a resolver belongs to its muxer";
        return names;
    }

    HostDnsCache dns() {
        return dns;
    }

    /** An origin gets no more requests: connections that wait for some are of no use. */
    void left(OriginKey origin) {
        pool.dropIdle(origin);
        sessions.left(origin);
    }

    /** Origin connections now open; from any thread. */
    int originConnections() {
        return pool.open();
    }

    /** Origin connections that wait for reuse; from any thread. */
    int idleOriginConnections() {
        return pool.idle();
    }

    /** Requests that wait for an origin connection; from any thread. */
    int waitingForOrigins() {
        return pool.waiting();
    }

    Chunks chunks() {
        return chunks;
    }

    HeadScratch scratch() {
        return scratch;
    }

    /** A buffer on the heap to write a text in; empty, and valid until the next call. */
    ByteBuf text() {
        return text.clear();
    }

    Supplier<DecoderLimits> requestLimits() {
        return requestLimits;
    }

    /** The present date as 29 bytes; valid until the next call. */
    byte[] dateNow() {
        return dates.at(proxy.clock().millis());
    }

    ErrorAnswers errors() {
        return proxy.errors();
    }

    /** The muxer's part of the access logs; null when there is none. */
    @Nullable
    LogLanes logLanes() {
        return log;
    }

    /** A run of the request program for a new exchange. */
    ProgramRun newRun() {
        return new ProgramRun(proxy.programHost(), log);
    }

    /** The muxer's connections that wait for bandwidth. */
    Pacing pacing() {
        Pacing p = pacing;
        if (p == null) {
            p = new Pacing(deadlines(), proxy.qos());
            pacing = p;
        }
        return p;
    }

    /** An exchange, fresh or used before. */
    Exchange exchange() {
        assert here() : "exchanges belong to their muxer";
        Exchange e = spare.poll();
        return e == null ? new Exchange(this) : e;
    }

    /** Takes an exchange back whose answer is complete. */
    void recycle(Exchange e) {
        if (e.reuse.allowed() && spare.size() < SPARE_EXCHANGES) {
            spare.push(e);
        }
    }

    /** Says that an origin failed a request, once per origin and interval. What a rule forbids is no failure of its. */
    void originFailed(OriginKey origin, OriginFault fault, String detail) {
        if (fault != OriginFault.FORBIDDEN && proxy.log().wants(EngineMessages.ORIGIN_FAILED)) {
            proxy.log().log(
                    EngineMessages.ORIGIN_FAILED, origin, ErrorAnswers.of(fault).code(), detail);
        }
    }

    void countFault(ProtocolFault fault) {
        proxy.counters().fault(Side.REQUEST, fault.reason());
    }

    private void sweep() {
        pool.sweep();
        sweeping = pool.open() > 0;
        if (sweeping) {
            deadlines().arm(sweeper, SWEEP_NANOS);
        }
    }

    /** Closes idle origin connections and the resolver; on the muxer. */
    void close() {
        deadlines().disarm(sweeper);
        pool.close();
        sessions.close();
        names.close();
    }
}
