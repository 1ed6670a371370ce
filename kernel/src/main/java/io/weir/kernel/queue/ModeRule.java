package io.weir.kernel.queue;

import io.weir.base.Counter;
import io.weir.base.LoadAverage;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;

/**
 * Selects low latency or high concurrency, once a second, by the Sun proxy's rule: low latency while threads exceed
 * active sessions, both on average and now, and idle sessions exceed queued ones, both on average and now. Active
 * sessions are active requests; idle sessions are maximum threads less active. {@link #second} is confined to the
 * kernel's ticking muxer.
 */
final class ModeRule {
    private final KernelLimits limits;
    private final Log log;
    private final Counter changes;
    private final LoadAverage active = new LoadAverage(1);
    private final LoadAverage queued = new LoadAverage(1);
    private volatile Mode mode = Mode.LOW_LATENCY;

    ModeRule(KernelLimits limits, Stats stats, Log log) {
        this.limits = limits;
        this.log = log;
        this.changes = stats.counter(KernelStats.MODE_CHANGES);
    }

    /**
     * The mode for the next request: a configured mode applies immediately, auto follows the load of the last second.
     */
    Mode mode() {
        return switch (limits.config().mode()) {
            case LOW_LATENCY -> Mode.LOW_LATENCY;
            case HIGH_CONCURRENCY -> Mode.HIGH_CONCURRENCY;
            case AUTO -> mode;
        };
    }

    void second(int activeNow, int queuedNow) {
        active.sample(activeNow);
        queued.sample(queuedNow);
        int threads = limits.throttle();
        Mode next = next(threads, activeNow, queuedNow);
        if (next != mode) {
            mode = next;
            changes.inc();
            log.log(
                    next == Mode.LOW_LATENCY ? KernelMessages.LOW_LATENCY : KernelMessages.HIGH_CONCURRENCY,
                    activeNow,
                    Math.max(0, threads - activeNow),
                    queuedNow,
                    threads);
        }
    }

    private Mode next(int threads, int activeNow, int queuedNow) {
        return switch (limits.config().mode()) {
            case LOW_LATENCY -> Mode.LOW_LATENCY;
            case HIGH_CONCURRENCY -> Mode.HIGH_CONCURRENCY;
            case AUTO ->
                limits.poolDisabled() || relaxed(threads, activeNow, queuedNow)
                        ? Mode.LOW_LATENCY
                        : Mode.HIGH_CONCURRENCY;
        };
    }

    private boolean relaxed(int threads, int activeNow, int queuedNow) {
        double averageActive = active.oneMinute();
        double averageIdle = threads - averageActive;
        int idleNow = threads - activeNow;
        return threads > averageActive
                && threads > activeNow
                && averageIdle > queued.oneMinute()
                && idleNow > queuedNow;
    }
}
