package io.weir.proxy.upstream;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.http.Fault;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.http2.Http2Counters;
import java.util.EnumMap;
import java.util.Map;

/** The counters of the origin side, each resolved once. Shared by all muxers. */
public final class UpstreamCounters {
    final Http2Counters http2;
    final Counter retried;
    final Counter reused;
    final Counter poolRefused;
    final Counter originSurplus;
    final Counter originWritePauses;
    final Counter dnsHits;
    final Counter dnsMisses;
    final Counter dnsStale;
    private final Map<Fault, Counter> responseFaults = new EnumMap<>(Fault.class);
    private final Map<OriginFault, Counter> originFaults = new EnumMap<>(OriginFault.class);
    private final Map<Retirement, Counter> retirements = new EnumMap<>(Retirement.class);

    public UpstreamCounters(Stats stats, Http2Counters http2) {
        this.http2 = http2;
        retried = stats.counter(EngineStats.RETRIES);
        reused = stats.counter(EngineStats.ORIGIN_REUSED);
        poolRefused = stats.counter(EngineStats.ORIGIN_REFUSED);
        originSurplus = stats.counter(EngineStats.ORIGIN_SURPLUS);
        originWritePauses = stats.counter(EngineStats.ORIGIN_WRITE_PAUSES);
        dnsHits = stats.counter(EngineStats.DNS_HITS);
        dnsStale = stats.counter(EngineStats.DNS_STALE);
        dnsMisses = stats.counter(EngineStats.DNS_MISSES);
        for (Fault f : Fault.values()) {
            responseFaults.put(f, stats.counter(EngineStats.FAULTS, "response", f.label()));
        }
        for (OriginFault f : OriginFault.values()) {
            originFaults.put(f, stats.counter(EngineStats.ORIGIN_FAILURES, f.label()));
        }
        for (Retirement r : Retirement.values()) {
            retirements.put(r, stats.counter(EngineStats.ORIGIN_RETIRED, r.label()));
        }
    }

    /** Counts an answer that violates HTTP. */
    public void fault(Fault fault) {
        Counter c = responseFaults.get(fault);
        if (c != null) {
            c.inc();
        }
    }

    /** Counts a failed fetch. */
    public void fault(OriginFault fault) {
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
}
