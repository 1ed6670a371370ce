package io.weir.kernel.work;

import io.weir.base.Counter;
import io.weir.base.Stats;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A min-threads constraint: so many threads are due to the work of the work managers that name it, before all other work.
 * Shared; lives as long as its kernel.
 */
final class MinThreads {
    private final AtomicInteger running = new AtomicInteger();
    /** Threads that pools started for it beyond their limits. */
    private final AtomicInteger brought = new AtomicInteger();

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

    /** Whether a thread is due to its work. */
    boolean owed() {
        return running.get() < count;
    }

    /**
     * Takes the right to start a thread for it beyond a pool's limit: where fewer run its work than are due, and no more
     * than are due were started already.
     */
    boolean bring() {
        if (!owed()) {
            return false;
        }
        if (brought.incrementAndGet() <= count) {
            return true;
        }
        brought.decrementAndGet();
        return false;
    }

    /** That thread ended. */
    void left() {
        brought.decrementAndGet();
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
