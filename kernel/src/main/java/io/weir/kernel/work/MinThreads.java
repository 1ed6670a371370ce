package io.weir.kernel.work;

import io.weir.base.Counter;
import io.weir.base.Stats;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A min-threads constraint: the number of threads to which the work of the work managers that name it is entitled,
 * before all other work. Shared; lives as long as its kernel.
 */
final class MinThreads {
    private final AtomicInteger running = new AtomicInteger();
    /** Threads that pools started for it beyond their maximum. */
    private final AtomicInteger extra = new AtomicInteger();

    private final AtomicInteger pending = new AtomicInteger();
    private final Counter completed;
    private volatile int count;

    MinThreads(String name, int count, Stats stats) {
        this.count = count;
        this.completed = stats.counter(WorkStats.MIN_COMPLETED, name);
        stats.gauge(WorkStats.MIN_PENDING, this::pending, name);
    }

    void configure(int next) {
        count = next;
    }

    int pending() {
        return pending.get();
    }

    long completed() {
        return completed.value();
    }

    void queued() {
        pending.incrementAndGet();
    }

    /** Whether its work is entitled to another thread. */
    boolean owed() {
        return running.get() < count;
    }

    /**
     * Acquires the right to start a thread for it beyond a pool's maximum: if fewer threads run its work than it is
     * entitled to, and no more than that number were already started.
     */
    boolean tryStartExtra() {
        if (!owed()) {
            return false;
        }
        if (extra.incrementAndGet() <= count) {
            return true;
        }
        extra.decrementAndGet();
        return false;
    }

    /** An extra thread ended. */
    void extraEnded() {
        extra.decrementAndGet();
    }

    void began() {
        pending.decrementAndGet();
        running.incrementAndGet();
    }

    void ended() {
        running.decrementAndGet();
        completed.inc();
    }
}
