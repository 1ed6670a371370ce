package io.weir.proxy.program.run;

import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.proxy.program.destination.DestinationRefusal;
import io.weir.proxy.qos.QosStats;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** State shared by the runs of all programs: pools, counters, clock, log. Shared. */
public final class ProgramHost {
    private final WorkPools pools;
    private final Clock clock;
    private final Stats stats;
    private final Log log;
    private final Map<ProxyFault, Counter> faults = new EnumMap<>(ProxyFault.class);
    private final Map<DestinationRefusal, Counter> refusals = new EnumMap<>(DestinationRefusal.class);
    private final Logins logins;
    private final ServerViews views;
    private final Map<Logins.Result, Counter> loginResults = new EnumMap<>(Logins.Result.class);
    private final Counter runs;
    private final Counter restarts;
    private final Counter poolRefusals;
    private final Counter tooOften;
    private final Counter poolSkips;

    /** A host without users and views. */
    public ProgramHost(WorkPools pools, Clock clock, Stats stats, Log log) {
        this(pools, Logins.NOBODY, ServerViews.EMPTY, clock, stats, log);
    }

    public ProgramHost(WorkPools pools, Logins logins, ServerViews views, Clock clock, Stats stats, Log log) {
        this.logins = logins;
        this.views = views;
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
        for (Logins.Result result : Logins.Result.values()) {
            String word = result.name().toLowerCase(Locale.ROOT);
            loginResults.put(result, stats.counter(ProxyStats.LOGINS, word));
        }
        this.runs = stats.counter(ProxyStats.RUNS);
        this.restarts = stats.counter(ProxyStats.RESTARTS);
        this.poolRefusals = stats.counter(ProxyStats.POOL_REFUSALS);
        this.poolSkips = stats.counter(ProxyStats.POOL_SKIPS);
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

    /** Counts a login that a route checked. */
    void count(Logins.Result result) {
        Counter counter = loginResults.get(result);
        if (counter != null) {
            counter.inc();
        }
    }

    /** The realm that logins are checked against. */
    Logins logins() {
        return logins;
    }

    /** The views of the server's state. */
    ServerViews views() {
        return views;
    }

    public WorkPools pools() {
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

    /** Requests refused by the rates of routes. */
    Counter tooOften() {
        return tooOften;
    }

    /** A directive's function, or its condition, failed: logs why. */
    StepOutcome failed(Directive directive, RuntimeException cause) {
        log.log(ProxyMessages.FUNCTION_FAILED, directive.function().name(), directive.place(), cause);
        return StepOutcome.ABORTED;
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

    Counter poolSkips() {
        return poolSkips;
    }
}
