package io.weir.broker.report;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.jms.frames.RefusalCode;
import java.util.concurrent.atomic.AtomicInteger;

/** The broker's own counters, resolved once. Shared. */
public final class BrokerCounters {
    public final AtomicInteger sessions = new AtomicInteger();
    public final Counter oneWaySends;
    public final Counter oneWayDropped;
    public final Counter receives;
    public final Counter receiveTimeouts;
    public final Counter slowConsumers;
    public final Counter committed;
    public final Counter movedWithoutProvenance;
    public final Counter movesWithoutRoom;
    private final Stats stats;

    public BrokerCounters(Stats stats) {
        this.stats = stats;
        this.oneWaySends = stats.counter(BrokerStats.ONE_WAY_SENDS);
        this.oneWayDropped = stats.counter(BrokerStats.ONE_WAY_DROPPED);
        this.receives = stats.counter(BrokerStats.RECEIVES);
        this.receiveTimeouts = stats.counter(BrokerStats.RECEIVE_TIMEOUTS);
        this.slowConsumers = stats.counter(BrokerStats.SLOW_CONSUMERS);
        this.committed = stats.counter(BrokerStats.COMMITTED);
        this.movedWithoutProvenance = stats.counter(BrokerStats.MOVED_WITHOUT_PROVENANCE);
        this.movesWithoutRoom = stats.counter(BrokerStats.MOVE_WITHOUT_ROOM);
        stats.gauge(BrokerStats.SESSIONS, sessions::get);
        stats.begin(BrokerStats.ROLLED_BACK);
        stats.begin(BrokerStats.BRANCHES_DECIDED);
        for (RefusalCode code : RefusalCode.values()) {
            stats.counter(BrokerStats.REFUSED, RequestRefusal.reason(code));
        }
    }

    public void refused(RequestRefusal r) {
        stats.counter(BrokerStats.REFUSED, r.reason()).inc();
    }

    public void rolledBack(String cause) {
        stats.counter(BrokerStats.ROLLED_BACK, cause).inc();
    }

    /** An operator ended a branch in doubt. */
    public void decided(boolean commit) {
        stats.counter(BrokerStats.BRANCHES_DECIDED, commit ? "commit" : "rollback")
                .inc();
    }
}
