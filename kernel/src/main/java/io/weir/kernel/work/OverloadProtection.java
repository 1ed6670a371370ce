package io.weir.kernel.work;

import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.OverloadConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits of all work managers together: the shared capacity, and the server's state, which is failed while too many
 * threads are stuck (WebLogic's overload protection). Shared; {@link #review} is confined to the kernel's ticking
 * muxer. Lives as long as its kernel.
 */
public final class OverloadProtection {
    private final KernelLimits limits;
    private final Log log;
    private final List<ServiceClass> classes = new CopyOnWriteArrayList<>();
    private final AtomicInteger used = new AtomicInteger();
    private final Counter refused;
    private final Counter displaced;
    private final Counter failures;
    private final CompletableFuture<@Nullable Void> shutdown = new CompletableFuture<>();
    private volatile boolean failed;

    OverloadProtection(KernelLimits limits, Stats stats, Log log) {
        this.limits = limits;
        this.log = log;
        this.refused = stats.counter(WorkStats.SHARED_REFUSED);
        this.displaced = stats.counter(WorkStats.SHARED_DISPLACED);
        this.failures = stats.counter(WorkStats.FAILURES);
        stats.gauge(WorkStats.SHARED_USED, this::used);
        stats.gauge(WorkStats.SHARED_LIMIT, this::capacity);
        stats.gauge(WorkStats.SERVER_FAILED, () -> failed ? 1 : 0);
    }

    /** Registers a class whose work may wait. */
    void register(ServiceClass one) {
        classes.add(one);
    }

    /** Unregisters a class that was removed or redefined. */
    void unregister(ServiceClass one) {
        classes.remove(one);
    }

    /**
     * Takes a place for a request or a work item.
     *
     * @param of its class; evaluated only beyond the capacity
     * @return false, and counted, if there is no place; otherwise the caller must call {@link #leave}
     */
    boolean enter(Supplier<ServiceClass> of) {
        if (suspended()) {
            return false;
        }
        int over = used.incrementAndGet() - capacity();
        if (over <= 0) {
            return true;
        }
        // each waiting entry of a lower share yields its place to one such entry, so twice the capacity is never
        // exceeded
        if (over <= waitingBelow(of.get())) {
            displaced.inc();
            return true;
        }
        used.decrementAndGet();
        refused.inc();
        return false;
    }

    private long waitingBelow(ServiceClass mine) {
        long waiting = 0;
        for (ServiceClass c : classes) {
            waiting += c.weight() < mine.weight() ? c.waiting() : 0;
        }
        return waiting;
    }

    /** Re-enters a request that was admitted before, whatever the capacity. */
    void reenter() {
        used.incrementAndGet();
    }

    void leave() {
        used.decrementAndGet();
    }

    int used() {
        return Math.max(0, used.get());
    }

    int capacity() {
        return limits.config().overloadProtection().sharedCapacity();
    }

    /** Whether new work is refused because the server has failed. */
    private boolean suspended() {
        return failed && limits.config().overloadProtection().failureAction() != OverloadConfig.FailureAction.NO_ACTION;
    }

    /** Checks whether the number of stuck threads has reached the failure trigger. */
    void review(long now, Collection<ExecutePool> pools) {
        OverloadConfig config = limits.config().overloadProtection();
        int count = config.serverFailureTrigger().stuckThreadCount();
        Duration time = config.serverFailureTrigger().maxStuckThreadTime();
        long nanos = (time.isZero() ? limits.config().stuckThreads().maxTime() : time).toNanos();
        long stuck = pools.stream()
                .flatMap(p -> p.all().stream())
                .filter(t -> nanos > 0 && t.busyFor(now) >= nanos)
                .count();
        boolean failing = count > 0 && stuck >= count;
        if (failing && !failed) {
            failures.inc();
            log.log(KernelMessages.SERVER_FAILED, stuck, count, word(config.failureAction()));
        } else if (failed && !failing) {
            log.log(KernelMessages.SERVER_RECOVERED, stuck, count);
        }
        failed = failing;
        if (failing && config.failureAction() == OverloadConfig.FailureAction.FORCE_SHUTDOWN) {
            shutdown.complete(null);
        }
    }

    private static String word(OverloadConfig.FailureAction action) {
        return switch (action) {
            case NO_ACTION -> "no-action";
            case ADMIN_STATE -> "admin-state";
            case FORCE_SHUTDOWN -> "force-shutdown";
        };
    }

    /** Whether the server is in the failed state. */
    public boolean failed() {
        return failed;
    }

    /** Completes when a failed server must shut down. */
    public CompletableFuture<@Nullable Void> shutdown() {
        return shutdown;
    }
}
