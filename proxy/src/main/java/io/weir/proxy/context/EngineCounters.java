package io.weir.proxy.context;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.http.Fault;
import io.weir.proxy.http2.Http2Counters;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The counters of requests and their clients, each resolved once. Shared by all muxers. */
public final class EngineCounters {
    public final Http2Counters http2;
    public final Counter headerTimeOuts;
    public final Counter bodyTimeOuts;
    public final Counter bodyRateTimeOuts;
    public final Counter depthReached;
    public final Counter readAheadReached;
    public final Counter restsRead;
    public final Counter restsRefused;
    final Counter trailersUnlisted;
    public final Counter trailersNotAccepted;
    public final Counter clientAborts;
    public final Counter clientErrors;
    final Counter unexpected;
    public final Counter fetches;
    public final Counter connectTunnels;
    public final Counter upgradeTunnels;
    public final Counter tunnelsTimedOut;
    public final AtomicInteger tunnelsOpen = new AtomicInteger();
    private final Map<Fault, Counter> requestFaults = new EnumMap<>(Fault.class);
    private final Map<String, ServerCounters> servers = new ConcurrentHashMap<>();
    private final Stats stats;

    public EngineCounters(Stats stats) {
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
        trailersNotAccepted = stats.counter(EngineStats.TRAILERS_DROPPED, "unasked");
        clientAborts = stats.counter(EngineStats.CLIENT_ABORTS);
        clientErrors = stats.counter(EngineStats.CLIENT_ERRORS);
        unexpected = stats.counter(EngineStats.UNEXPECTED);
        fetches = stats.counter(EngineStats.FETCHES);
        connectTunnels = stats.counter(EngineStats.TUNNELS, "connect");
        upgradeTunnels = stats.counter(EngineStats.TUNNELS, "upgrade");
        tunnelsTimedOut = stats.counter(EngineStats.TUNNEL_TIMEOUTS);
        stats.gauge(EngineStats.TUNNELS_OPEN, tunnelsOpen::get);
        for (Fault f : Fault.values()) {
            requestFaults.put(f, stats.counter(EngineStats.FAULTS, "request", f.label()));
        }
    }

    /** Counts a request that violates HTTP. */
    public void fault(Fault fault) {
        Counter c = requestFaults.get(fault);
        if (c != null) {
            c.inc();
        }
    }

    /** The counters of a virtual server. */
    public ServerCounters server(String name) {
        ServerCounters found = servers.get(name);
        return found != null ? found : servers.computeIfAbsent(name, n -> new ServerCounters(stats, n));
    }
}
