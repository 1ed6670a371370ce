package io.weir.kernel.work;

import io.weir.base.Stats;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A max-threads constraint: the maximum of threads that run work of the work managers that name it. Shared; lives as
 * long as its kernel.
 */
final class MaxThreads {
    private final AtomicInteger running = new AtomicInteger();
    private final List<ExecutePool> pools = new CopyOnWriteArrayList<>();
    private volatile int count;

    MaxThreads(String name, int count, Stats stats) {
        this.count = count;
        stats.gauge(WorkStats.MAX_RUNNING, running::get, name);
    }

    void configure(int next) {
        count = next;
        freed();
    }

    /** Registers a pool in which work under this constraint waits. */
    void usedBy(ExecutePool pool) {
        pools.removeIf(ExecutePool::over);
        if (!pools.contains(pool)) {
            pools.add(pool);
        }
    }

    /** Takes a thread's place; returns false if all are taken: {@link #release} then gives the pools a turn. */
    boolean tryAcquire() {
        for (int n = running.get(); n < count; n = running.get()) {
            if (running.compareAndSet(n, n + 1)) {
                return true;
            }
        }
        return false;
    }

    void release() {
        running.decrementAndGet();
        freed();
    }

    private void freed() {
        for (ExecutePool pool : pools) {
            pool.freed(this);
        }
    }
}
