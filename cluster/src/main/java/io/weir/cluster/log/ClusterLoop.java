package io.weir.cluster.log;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The production {@link Loop}: the thread {@code weir.cluster}. Shared. Lives as long as the member. */
public final class ClusterLoop implements Loop, AutoCloseable {
    /** Maximum number of queued tasks, scheduled ones included. */
    public static final int MAILBOX = 100_000;

    private static final long CLOSE_SECONDS = 5;

    private final Clock clock;
    private final Chance chance;
    private final Log log;
    private final Counter refused;
    private final int mailbox;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ScheduledThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    /** Creates a loop that does not log failures, for tests. */
    public ClusterLoop(Clock clock, Chance chance) {
        this(clock, chance, new Stats(), Log.NONE);
    }

    /**
     * Starts the thread.
     *
     * @param chance confined to the loop from now on
     */
    public ClusterLoop(Clock clock, Chance chance, Stats stats, Log log) {
        this(clock, chance, stats, log, MAILBOX);
    }

    ClusterLoop(Clock clock, Chance chance, Stats stats, Log log, int mailbox) {
        this.clock = clock;
        this.chance = chance;
        this.log = log;
        this.mailbox = mailbox;
        refused = stats.counter(ClusterStats.LOOP_REFUSED);
        stats.gauge(ClusterStats.LOOP_WAITING, waiting::get);
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread t = new Thread(task, "weir.cluster");
            t.setDaemon(true);
            thread = t;
            return t;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.prestartAllCoreThreads();
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public Chance chance() {
        return chance;
    }

    @Override
    public void execute(Runnable task) {
        admit(false);
        submit(task);
    }

    @Override
    public void deliver(Runnable task) {
        admit(true);
        submit(task);
    }

    private void submit(Runnable task) {
        try {
            executor.execute(() -> run(task));
        } catch (RejectedExecutionException ended) {
            waiting.decrementAndGet();
            throw ended;
        }
    }

    @Override
    public Cancellable after(long nanos, Runnable task) {
        admit(here());
        try {
            // whichever clears it first, the task or its cancellation, frees the slot
            AtomicBoolean taken = new AtomicBoolean(true);
            ScheduledFuture<?> future = executor.schedule(
                    () -> {
                        if (taken.getAndSet(false)) {
                            run(task);
                        }
                    },
                    nanos,
                    TimeUnit.NANOSECONDS);
            return () -> {
                if (taken.getAndSet(false)) {
                    waiting.decrementAndGet();
                    future.cancel(false);
                }
            };
        } catch (RejectedExecutionException ended) {
            waiting.decrementAndGet();
            throw ended;
        }
    }

    private void admit(boolean whateverWaits) {
        if (waiting.incrementAndGet() > mailbox && !whateverWaits) {
            waiting.decrementAndGet();
            refused.inc();
            throw new RejectedExecutionException("the cluster's loop has " + mailbox + " tasks queued");
        }
    }

    private void run(Runnable task) {
        waiting.decrementAndGet();
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            // a failure of one task must not stop the member's only thread
            log.log(ClusterMessages.UNCAUGHT, "loop", e);
        }
    }

    @Override
    public boolean here() {
        return Thread.currentThread().equals(thread);
    }

    /** Stops the thread; queued tasks are dropped. Waits for the running task unless called on the loop. */
    @Override
    public void close() {
        executor.shutdownNow();
        if (!here()) {
            try {
                executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
