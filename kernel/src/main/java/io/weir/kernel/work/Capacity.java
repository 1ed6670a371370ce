package io.weir.kernel.work;

import io.weir.base.Counter;
import io.weir.base.Stats;
import java.util.concurrent.atomic.AtomicInteger;

/** A capacity: so many requests and pieces of work wait or run at most. Shared; lives as long as its kernel. */
final class Capacity {
    private final AtomicInteger used = new AtomicInteger();
    private final Counter refused;
    private volatile int count;

    Capacity(String name, int count, Stats stats) {
        this.count = count;
        this.refused = stats.counter(WorkStats.CAPACITY_REFUSED, name);
        stats.gauge(WorkStats.CAPACITY_USED, used::get, name);
    }

    void configure(int next) {
        count = next;
    }

    /** Takes a place; false, and counted, when there is none. */
    boolean enter() {
        if (used.incrementAndGet() <= count) {
            return true;
        }
        used.decrementAndGet();
        refused.inc();
        return false;
    }

    /** As {@link #enter}, for one that was here. */
    void comeBack() {
        used.incrementAndGet();
    }

    void leave() {
        used.decrementAndGet();
    }
}
