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
 * What bounds all work managers together: the capacity that they share, and the state of the server, which has failed
 * while too many threads are stuck (WebLogic's overload protection). Shared; {@link #review} is confined to the
 * kernel's ticking muxer. Lives as long as its kernel.
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

    /** A class whose work may wait. */
    void knows(ServiceClass one) {
        classes.add(one);
    }

    /** Drops a class that was removed or redefined. */
    void forgets(ServiceClass one) {
        classes.remove(one);
    }

    /**
     * Takes a place for a request or a piece of work.
     *
     * @param of its class, asked for only beyond the capacity
     * @return false, and counted, when there is none; else {@link #leave} is due
     */
    boolean enter(Supplier<ServiceClass> of) {
        if (suspended()) {
            return false;
        }
        int over = used.incrementAndGet() - capacity();
        if (over <= 0) {
            return true;
        }
        // what waits with a lower share stands back for it, each for one: so twice the capacity is never passed
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

    /** As {@link #enter}, for one that was here. */
    void comeBack() {
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

    /** Whether nothing new is taken. */
    private boolean suspended() {
        return failed && limits.config().overloadProtection().failureAction() != OverloadConfig.FailureAction.NO_ACTION;
    }

    /** Looks whether as many threads are stuck as the trigger says. */
    void review(long now, Collection<ExecutePool> pools) {
        OverloadConfig config = limits.config().overloadProtection();
        int count = config.serverFailureTrigger().stuckThreadCount();
        Duration time = config.serverFailureTrigger().maxStuckThreadTime();
        long nanos = (time.isZero() ? limits.config().stuckThreads().maxTime() : time).toNanos();
        long stuck = pools.stream()
                .flatMap(p -> p.all().stream())
                .filter(t -> nanos > 0 && t.busyFor(now) >= nanos)
                .count();
        boolean now0 = count > 0 && stuck >= count;
        if (now0 && !failed) {
            failures.inc();
            log.log(KernelMessages.SERVER_FAILED, stuck, count, word(config.failureAction()));
        } else if (failed && !now0) {
            log.log(KernelMessages.SERVER_RECOVERED, stuck, count);
        }
        failed = now0;
        if (now0 && config.failureAction() == OverloadConfig.FailureAction.FORCE_SHUTDOWN) {
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

    /** Whether the server has failed. */
    public boolean failed() {
        return failed;
    }

    /** Completes when a failed server is to end. */
    public CompletableFuture<@Nullable Void> shutdown() {
        return shutdown;
    }
}
