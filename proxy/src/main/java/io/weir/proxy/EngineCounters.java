package io.weir.proxy;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.http.Fault;
import io.weir.http.Side;
import io.weir.proxy.http2.Http2Counters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The engine's counters, each resolved once. Shared by all muxers. */
final class EngineCounters {
    final Http2Counters http2;
    final Counter headerTimeOuts;
    final Counter bodyTimeOuts;
    final Counter bodyRateTimeOuts;
    final Counter depthReached;
    final Counter readAheadReached;
    final Counter restsRead;
    final Counter restsRefused;
    final Counter trailersUnlisted;
    final Counter trailersUnasked;
    final Counter clientAborts;
    final Counter clientErrors;
    final Counter unexpected;
    final Counter fetches;
    final Counter retried;
    final Counter reused;
    final Counter poolRefused;
    final Counter originSurplus;
    final Counter originWritePauses;
    final Counter connectTunnels;
    final Counter upgradeTunnels;
    final Counter tunnelsTimedOut;
    final Counter dnsHits;
    final Counter dnsMisses;
    final Counter dnsStale;
    final AtomicInteger tunnelsOpen = new AtomicInteger();
    private final Map<Fault, Counter> requestFaults = new EnumMap<>(Fault.class);
    private final Map<Fault, Counter> responseFaults = new EnumMap<>(Fault.class);
    private final Map<OriginFault, Counter> originFaults = new EnumMap<>(OriginFault.class);
    private final Map<Retirement, Counter> retirements = new EnumMap<>(Retirement.class);
    private final Map<String, ServerCounters> servers = new ConcurrentHashMap<>();
    private final Stats stats;

    EngineCounters(Stats stats) {
        this.stats = stats;
        http2 = new Http2Counters(stats);
        headerTimeOuts = stats.counter(EngineStats.HEADER_TIMEOUTS);
        bodyTimeOuts = stats.counter(EngineStats.BODY_TIMEOUTS);
        bodyRateTimeOuts = stats.counter(EngineStats.BODY_RATE_TIMEOUTS);
        depthReached = stats.counter(EngineStats.READ_STOPS, "pipelining-depth");
        readAheadReached = stats.counter(EngineStats.READ_STOPS, "read-ahead");
        restsRead = stats.counter(EngineStats.UNREAD_RESTS, "read");
        restsRefused = stats.counter(EngineStats.UNREAD_RESTS, "closed");
        trailersUnlisted = stats.counter(EngineStats.TRAILERS_DROPPED, "unlisted");
        trailersUnasked = stats.counter(EngineStats.TRAILERS_DROPPED, "unasked");
        clientAborts = stats.counter(EngineStats.CLIENT_ABORTS);
        clientErrors = stats.counter(EngineStats.CLIENT_ERRORS);
        unexpected = stats.counter(EngineStats.UNEXPECTED);
        fetches = stats.counter(EngineStats.FETCHES);
        retried = stats.counter(EngineStats.RETRIES);
        reused = stats.counter(EngineStats.ORIGIN_REUSED);
        poolRefused = stats.counter(EngineStats.ORIGIN_REFUSED);
        originSurplus = stats.counter(EngineStats.ORIGIN_SURPLUS);
        originWritePauses = stats.counter(EngineStats.ORIGIN_WRITE_PAUSES);
        connectTunnels = stats.counter(EngineStats.TUNNELS, "connect");
        upgradeTunnels = stats.counter(EngineStats.TUNNELS, "upgrade");
        tunnelsTimedOut = stats.counter(EngineStats.TUNNEL_TIMEOUTS);
        dnsHits = stats.counter(EngineStats.DNS_HITS);
        dnsStale = stats.counter(EngineStats.DNS_STALE);
        dnsMisses = stats.counter(EngineStats.DNS_MISSES);
        stats.gauge(EngineStats.TUNNELS_OPEN, tunnelsOpen::get);
        for (Fault f : Fault.values()) {
            requestFaults.put(f, stats.counter(EngineStats.FAULTS, "request", f.label()));
            responseFaults.put(f, stats.counter(EngineStats.FAULTS, "response", f.label()));
        }
        for (OriginFault f : OriginFault.values()) {
            originFaults.put(f, stats.counter(EngineStats.ORIGIN_FAILURES, label(f)));
        }
        for (Retirement r : Retirement.values()) {
            retirements.put(r, stats.counter(EngineStats.ORIGIN_RETIRED, label(r)));
        }
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Counts a message that breaks HTTP. */
    void fault(Side side, Fault fault) {
        Counter c = (side == Side.REQUEST ? requestFaults : responseFaults).get(fault);
        if (c != null) {
            c.inc();
        }
    }

    /** Counts a failed fetch. */
    void fault(OriginFault fault) {
        Counter c = originFaults.get(fault);
        if (c != null) {
            c.inc();
        }
    }

    /** Counts a connection to an origin that the pool closes. */
    void retired(Retirement why) {
        Counter c = retirements.get(why);
        if (c != null) {
            c.inc();
        }
    }

    /** The counters of a virtual server. */
    ServerCounters server(String name) {
        ServerCounters found = servers.get(name);
        return found != null ? found : servers.computeIfAbsent(name, n -> new ServerCounters(stats, n));
    }
}
