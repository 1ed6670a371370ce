package io.weir.cluster.log;

import io.weir.base.Chance;
import io.weir.base.Clock;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The real {@link Loop}: the thread {@code weir.cluster}. Shared. Lives as long as the member. */
public final class ClusterLoop implements Loop, AutoCloseable {
    /** Tasks that may wait to run, those that wait for their time among them. */
    public static final int MAILBOX = 100_000;

    private final Clock clock;
    private final Chance chance;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ScheduledThreadPoolExecutor executor;
    private volatile Thread thread = Thread.currentThread();

    public ClusterLoop(Clock clock, Chance chance) {
        this.clock = clock;
        this.chance = chance;
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
        after(0, task);
    }

    @Override
    public Cancellable after(long nanos, Runnable task) {
        if (waiting.incrementAndGet() > MAILBOX) {
            waiting.decrementAndGet();
            throw new RejectedExecutionException("the cluster's loop has " + MAILBOX + " tasks waiting");
        }
        var future = executor.schedule(
                () -> {
                    waiting.decrementAndGet();
                    task.run();
                },
                nanos,
                TimeUnit.NANOSECONDS);
        return () -> {
            if (future.cancel(false)) {
                waiting.decrementAndGet();
            }
        };
    }

    @Override
    public boolean here() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
