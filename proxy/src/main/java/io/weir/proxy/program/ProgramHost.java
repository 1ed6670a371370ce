package io.weir.proxy.program;

import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.proxy.qos.QosStats;
import java.net.InetAddress;
import java.util.EnumMap;
import java.util.Map;

/** What runs of all programs share: pools, counters, clock, log. Shared. */
public final class ProgramHost {
    private final WorkPools pools;
    private final Clock clock;
    private final Stats stats;
    private final Log log;
    private final Map<ProxyFault, Counter> faults = new EnumMap<>(ProxyFault.class);
    private final Map<DestinationRefusal, Counter> refusals = new EnumMap<>(DestinationRefusal.class);
    private final Counter runs;
    private final Counter restarts;
    private final Counter poolRefusals;
    private final Counter tooOften;

    public ProgramHost(WorkPools pools, Clock clock, Stats stats, Log log) {
        this.pools = pools;
        this.clock = clock;
        this.stats = stats;
        this.log = log;
        for (ProxyFault fault : ProxyFault.values()) {
            faults.put(fault, stats.counter(ProxyStats.FAULTS, fault.code()));
        }
        for (DestinationRefusal refusal : DestinationRefusal.values()) {
            refusals.put(refusal, stats.counter(ProxyStats.DESTINATIONS_REFUSED, refusal.code()));
        }
        this.runs = stats.counter(ProxyStats.RUNS);
        this.restarts = stats.counter(ProxyStats.RESTARTS);
        this.poolRefusals = stats.counter(ProxyStats.POOL_REFUSALS);
        this.tooOften = stats.counter(QosStats.REFUSED, "route", "requests");
    }

    /** Counts a fault: once for each answer. */
    public void count(ProxyFault fault) {
        Counter counter = faults.get(fault);
        if (counter != null) {
            counter.inc();
        }
    }

    /** Counts a refused destination. */
    public void count(DestinationRefusal refusal) {
        Counter counter = refusals.get(refusal);
        if (counter != null) {
            counter.inc();
        }
    }

    /** Whether a resolved address may be connected to for this client; a refusal is counted under its reason. */
    public boolean allows(Destinations rules, InetAddress address, InetAddress client) {
        DestinationRefusal refusal = rules.address(address, client);
        if (refusal != null) {
            count(refusal);
        }
        return refusal == null;
    }

    WorkPools pools() {
        return pools;
    }

    Clock clock() {
        return clock;
    }

    Stats stats() {
        return stats;
    }

    Log log() {
        return log;
    }

    /** Requests that the rates of routes refused. */
    Counter tooOften() {
        return tooOften;
    }

    Counter runs() {
        return runs;
    }

    Counter restarts() {
        return restarts;
    }

    Counter poolRefusals() {
        return poolRefusals;
    }
}
