package io.weir.broker;

import io.weir.base.Counter;
import io.weir.base.Stats;
import java.util.concurrent.atomic.AtomicInteger;

/** The broker's own counters, resolved once. Shared. */
final class Meters {
    final AtomicInteger sessions = new AtomicInteger();
    final Counter oneWaySends;
    final Counter oneWayDropped;
    final Counter receives;
    final Counter receiveTimeouts;
    final Counter slowConsumers;
    final Counter committed;
    final Counter movedUntold;
    final Counter movesWithoutRoom;
    private final Stats stats;

    Meters(Stats stats) {
        this.stats = stats;
        this.oneWaySends = stats.counter(BrokerStats.ONE_WAY_SENDS);
        this.oneWayDropped = stats.counter(BrokerStats.ONE_WAY_DROPPED);
        this.receives = stats.counter(BrokerStats.RECEIVES);
        this.receiveTimeouts = stats.counter(BrokerStats.RECEIVE_TIMEOUTS);
        this.slowConsumers = stats.counter(BrokerStats.SLOW_CONSUMERS);
        this.committed = stats.counter(BrokerStats.COMMITTED);
        this.movedUntold = stats.counter(BrokerStats.MOVED_UNTOLD);
        this.movesWithoutRoom = stats.counter(BrokerStats.MOVE_WITHOUT_ROOM);
        stats.gauge(BrokerStats.SESSIONS, sessions::get);
    }

    void refused(Refusal r) {
        stats.counter(BrokerStats.REFUSED, r.reason()).inc();
    }

    void rolledBack(String cause) {
        stats.counter(BrokerStats.ROLLED_BACK, cause).inc();
    }
}
