package io.weir.kernel.work;

import io.weir.base.Counter;
import io.weir.base.Stats;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A capacity constraint: the maximum of requests and work items waiting or running. Shared; lives as long as its
 * kernel.
 */
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

    /** Takes a place; if there is none, counts a refusal and returns false. */
    boolean enter() {
        if (used.incrementAndGet() <= count) {
            return true;
        }
        used.decrementAndGet();
        refused.inc();
        return false;
    }

    /** Re-enters a request that was admitted before, whatever the capacity. */
    void reenter() {
        used.incrementAndGet();
    }

    void leave() {
        used.decrementAndGet();
    }
}
