package io.weir.kernel;

import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * A named pool of bounded platform threads for what may block (seed 001, "Custom Thread Pools"). It starts with the
 * minimum and adds a thread whenever more work is present than threads, up to the maximum; work beyond that waits in a
 * bounded queue, and more is refused. Shared; lives as long as its kernel.
 */
public final class WorkManager {
    /** Wakes a thread that waits for work, so that it sees that the pool stops. */
    private record Wake() implements Runnable {
        @Override
        public void run() {
            // nothing to do
        }
    }

    private final String name;
    private final int minThreads;
    private final int maxThreads;
    private final int queueCapacity;
    private final long idleNanos;
    private final ExecuteThreads factory;
    private final Log log;
    private final LinkedTransferQueue<Runnable> queue = new LinkedTransferQueue<>();
    /** Work that runs or waits. */
    private final AtomicInteger present = new AtomicInteger();

    private final AtomicInteger threads = new AtomicInteger();
    private final AtomicInteger active = new AtomicInteger();
    private final LongAccumulator peakThreads = new LongAccumulator(Math::max, 0);
    private final LongAccumulator peakQueue = new LongAccumulator(Math::max, 0);
    private final BitSet numbers = new BitSet();
    private final CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();
    private final Counter done;
    private final Counter refused;
    private final Counter failed;
    private volatile boolean stopping;

    WorkManager(String name, WorkManagerConfig config, Machine machine, String prefix, Stats stats, Log log) {
        this.name = name;
        this.maxThreads = Limits.maxThreads(config, machine);
        this.minThreads = Limits.minThreads(config, machine);
        this.queueCapacity = config.queueCapacity();
        this.idleNanos = config.idleTime().toNanos();
        this.factory =
                new ExecuteThreads(prefix + ".work." + name, config.stackSize().bytes());
        this.log = log;
        this.done = stats.counter(KernelStats.WORK_DONE, name);
        this.refused = stats.counter(KernelStats.WORK_REFUSED, name);
        this.failed = stats.counter(KernelStats.WORK_FAILED, name);
        gauges(stats);
        log.log(KernelMessages.WORK_MANAGER, name, minThreads, maxThreads, queueCapacity);
        for (int i = 0; i < minThreads; i++) {
            grow();
        }
    }

    private void gauges(Stats stats) {
        stats.gauge(KernelStats.WORK_THREADS, this::threads, name);
        stats.gauge(KernelStats.WORK_IDLE, this::idleThreads, name);
        stats.gauge(KernelStats.WORK_PEAK, this::peakThreads, name);
        stats.gauge(KernelStats.WORK_LIMIT, this::maxThreads, name);
        stats.gauge(KernelStats.WORK_QUEUE, this::queued, name);
        stats.gauge(KernelStats.WORK_QUEUE_PEAK, this::peakQueued, name);
        stats.gauge(KernelStats.WORK_QUEUE_LIMIT, this::queueCapacity, name);
    }

    public String name() {
        return name;
    }

    /**
     * Runs a task on an execute thread, or on the calling thread when the pool is disabled (no threads and no queue).
     *
     * @return false when all threads are busy and the queue is full, or the pool is stopping: answer busy
     */
    public boolean execute(Runnable task) {
        return execute(RequestClass.DEFAULT, task);
    }

    /** The same for work of a request class. */
    public boolean execute(RequestClass requestClass, Runnable task) {
        if (maxThreads == 0 && queueCapacity == 0) {
            run(task);
            return true;
        }
        int now = present.incrementAndGet();
        if (stopping || now > maxThreads + queueCapacity) {
            present.decrementAndGet();
            refused.inc();
            if (!stopping) {
                log.log(KernelMessages.WORK_REFUSED, name, maxThreads, queueCapacity);
            }
            return false;
        }
        queue.add(task);
        if (now > threads.get()) {
            peakQueue.accumulate(Math.max(0, now - maxThreads));
            grow();
        }
        return true;
    }

    private void grow() {
        int n = threads.get();
        while (n < maxThreads) {
            if (threads.compareAndSet(n, n + 1)) {
                peakThreads.accumulate(n + 1);
                startThread();
                return;
            }
            n = threads.get();
        }
    }

    private void startThread() {
        int number;
        synchronized (numbers) {
            number = numbers.nextClearBit(0);
            numbers.set(number);
        }
        Thread t = factory.create(number, () -> work(number));
        t.start();
    }

    private void work(int number) {
        try {
            for (Runnable task = next(); task != null; task = next()) {
                active.incrementAndGet();
                try {
                    run(task);
                } finally {
                    active.decrementAndGet();
                    present.decrementAndGet();
                }
            }
        } finally {
            synchronized (numbers) {
                numbers.clear(number);
            }
        }
    }

    /** The next task, or null when this thread is to end; then it is no longer counted. */
    private @Nullable Runnable next() {
        while (true) {
            Runnable task = poll(stopping ? 0 : idleNanos);
            if (task != null) {
                return task;
            }
            int n = threads.get();
            if ((stopping || n > minThreads) && threads.compareAndSet(n, n - 1)) {
                return lastLook();
            }
        }
    }

    /** Work may have come in while this thread was leaving: it stays, unless another one was started meanwhile. */
    private @Nullable Runnable lastLook() {
        Runnable task = poll(0);
        if (task == null) {
            finishIfLast();
            return null;
        }
        for (int n = threads.get(); n < maxThreads; n = threads.get()) {
            if (threads.compareAndSet(n, n + 1)) {
                return task;
            }
        }
        queue.add(task);
        return null;
    }

    private void finishIfLast() {
        if (stopping && threads.get() == 0) {
            stopped.complete(null);
        }
    }

    private @Nullable Runnable poll(long nanos) {
        try {
            Runnable task = queue.poll(nanos, TimeUnit.NANOSECONDS);
            return task instanceof Wake ? null : task;
        } catch (InterruptedException e) {
            // A task left its thread interrupted: that is over with the task.
            return null;
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            failed.inc();
            log.log(KernelMessages.TASK_FAILED, name, e);
        } finally {
            done.inc();
        }
    }

    /** Takes no more work and lets threads end once the queue is empty; completes when the last one has. */
    CompletableFuture<@Nullable Void> stop() {
        stopping = true;
        for (int i = threads.get(); i > 0; i--) {
            queue.add(new Wake());
        }
        finishIfLast();
        return stopped;
    }

    /** Threads now. */
    public int threads() {
        return threads.get();
    }

    /** Threads that wait for work. */
    public int idleThreads() {
        return Math.max(0, threads.get() - active.get());
    }

    /** Most threads that ever were. */
    public int peakThreads() {
        return (int) peakThreads.get();
    }

    /** Most threads allowed. */
    public int maxThreads() {
        return maxThreads;
    }

    /** Work that waits for a thread. */
    public int queued() {
        return Math.max(0, present.get() - active.get());
    }

    /** Most work that ever waited. */
    public int peakQueued() {
        return (int) peakQueue.get();
    }

    /** Work that may wait. */
    public int queueCapacity() {
        return queueCapacity;
    }
}
