package io.weir.kernel.work;

import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelMessages;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A named executor for work that may block (the tuning guide, "Custom Thread Pools"; WebLogic's work manager): with its
 * own threads or those of another work manager, a request class, constraints, and a trigger that shuts it down when
 * threads are stuck in its work. Without classes and constraints it is a bounded pool, first come, first served.
 * Shared; lives as long as its kernel.
 */
public final class WorkManager {
    private static final long LEAST_HOGGING = 1_000_000_000L;
    private static final int HOGGING_TIMES = 10;

    private final String name;
    private final ExecutePool pool;
    private final Constraints constraints;
    private final RequestClass requestClass;
    private final ServiceClass own;
    private final WorkManagerConfig.ShutDownTrigger trigger;
    private final OverloadProtection overload;
    private final Clock clock;
    private final Log log;
    private final AtomicInteger stuck = new AtomicInteger();
    private final Counter done;
    private final Counter refused;
    private final Counter failed;
    private final Counter stuckTotal;
    private final Counter shutDowns;
    private final Counter threadFailures;
    private volatile boolean shutDown;

    /**
     * Creates a work manager on a pool.
     *
     * @param requestClass of work that names none; {@link RequestClass#DEFAULT} for a share of its own
     * @param own the class of that share
     */
    WorkManager(
            String name,
            ExecutePool pool,
            Constraints constraints,
            RequestClass requestClass,
            ServiceClass own,
            WorkManagerConfig.ShutDownTrigger trigger,
            OverloadProtection overload,
            Clock clock,
            Stats stats,
            Log log) {
        this.name = name;
        this.pool = pool;
        this.constraints = constraints;
        this.requestClass = requestClass;
        this.own = own;
        this.trigger = trigger;
        this.overload = overload;
        this.clock = clock;
        this.log = log;
        this.done = stats.counter(WorkStats.DONE, name);
        this.refused = stats.counter(WorkStats.REFUSED, name);
        this.failed = stats.counter(WorkStats.FAILED, name);
        this.stuckTotal = stats.counter(WorkStats.STUCK_TOTAL, name);
        this.threadFailures = stats.counter(WorkStats.THREAD_FAILURES, name);
        this.shutDowns = stats.counter(WorkStats.SHUT_DOWNS, name);
        gauges(stats);
    }

    private void gauges(Stats stats) {
        stats.gauge(WorkStats.THREADS, this::threads, name);
        stats.gauge(WorkStats.IDLE, this::idleThreads, name);
        stats.gauge(WorkStats.PEAK, this::peakThreads, name);
        stats.gauge(WorkStats.LIMIT, this::maxThreads, name);
        stats.gauge(WorkStats.STANDBY, this::standbyThreads, name);
        stats.gauge(WorkStats.EXTRA, this::extraThreads, name);
        stats.gauge(WorkStats.STUCK, this::stuckThreads, name);
        stats.gauge(WorkStats.HOGGING, this::hoggingThreads, name);
        stats.gauge(WorkStats.SHUT_DOWN, () -> shutDown ? 1 : 0, name);
        stats.gauge(WorkStats.QUEUE, this::queued, name);
        stats.gauge(WorkStats.QUEUE_PEAK, this::peakQueued, name);
        stats.gauge(WorkStats.QUEUE_LIMIT, this::queueCapacity, name);
    }

    public String name() {
        return name;
    }

    /** Whether classes or constraints say which work is next. */
    public boolean ordersWork() {
        return pool.ordered();
    }

    /**
     * Runs a task on an execute thread, or on the calling thread if the pool is disabled (no threads and no queue).
     *
     * @return false if all threads are busy and the queue or a capacity is full, or it is shut down or stopping: answer
     * busy
     */
    public boolean execute(Runnable task) {
        return execute(RequestClass.DEFAULT, task, false);
    }

    /** As {@link #execute(Runnable)}, for work of a request class. */
    public boolean execute(RequestClass of, Runnable task) {
        return execute(of, task, false);
    }

    /**
     * As {@link #execute(RequestClass, Runnable)}.
     *
     * @param admitted whether the task belongs to a request that {@link #admit} admitted: capacity and shut-down do not
     * apply to it
     */
    public boolean execute(RequestClass of, Runnable task, boolean admitted) {
        if (pool.disabled()) {
            run(task);
            return true;
        }
        if (!admitted && !admit(() -> of)) {
            return false;
        }
        Runnable work = admitted ? task : new Leaving(this, task);
        if (pool.ordered() ? pool.submit(this, service(of), work) : pool.submit(work)) {
            return true;
        }
        if (!admitted) {
            leave();
        }
        refused.inc();
        if (!pool.stopping()) {
            log.log(KernelMessages.WORK_REFUSED, name, maxThreads(), queueCapacity());
        }
        return false;
    }

    /** Work admitted by itself, not as part of a request: its place is released when it ends. */
    record Leaving(WorkManager of, Runnable task) implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("a thread runs the task, and then leaves");
        }
    }

    /**
     * Admits a request, from its first work to its end.
     *
     * @param of its class; evaluated only at high load
     * @return false, and counted, if it is shut down, the server has failed, or its capacity or that of all work
     * managers is used up; otherwise the caller must call {@link #leave}
     */
    public boolean admit(Supplier<RequestClass> of) {
        if (!shutDown && overload.enter(() -> service(of.get()))) {
            if (constraints.enter()) {
                return true;
            }
            overload.leave();
        }
        refused.inc();
        return false;
    }

    /** Admits a request again that was admitted before and has {@link #leave left}, whatever the capacity. */
    public void reenter() {
        overload.reenter();
        constraints.reenter();
    }

    /** Releases the place of an admitted request, which has ended or waits for its client. */
    public void leave() {
        constraints.leave();
        overload.leave();
    }

    /** Resolves a request class for this work manager's work. */
    public ServiceClass service(RequestClass of) {
        RequestClass found = of.equals(RequestClass.DEFAULT) ? requestClass.of(null, null) : of.of(null, null);
        return found instanceof ServiceClass s ? s : own;
    }

    /** Its configured class, to be resolved for a user: {@link RequestClass#of}. */
    public RequestClass requestClass() {
        return requestClass;
    }

    Constraints constraints() {
        return constraints;
    }

    ExecutePool pool() {
        return pool;
    }

    void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            failed.inc();
            log.log(KernelMessages.TASK_FAILED, name, e);
        } finally {
            done.inc();
        }
    }

    /** A thread of its pool could not be started. */
    void noThread(OutOfMemoryError e) {
        threadFailures.inc();
        log.log(KernelMessages.NO_THREAD, name, pool.threads(), String.valueOf(e.getMessage()));
    }

    // ---- stuck threads

    void stuck(String thread, long seconds, String work, long longest, String stack) {
        stuck.incrementAndGet();
        stuckTotal.inc();
        log.log(KernelMessages.STUCK, thread, seconds, work, longest, stack);
    }

    void unstuck(String thread, long seconds) {
        stuck.decrementAndGet();
        log.log(KernelMessages.UNSTUCK, thread, seconds);
    }

    /**
     * Shuts down if as many threads as configured in the trigger are stuck in its work, and resumes once none is.
     *
     * @param longest time after which a thread counts as stuck if the trigger sets none; 0: never
     */
    void review(long now, Duration longest) {
        int limit = trigger.stuckThreadCount();
        Duration own0 = trigger.maxStuckThreadTime();
        long nanos = own0.isZero() ? longest.toNanos() : own0.toNanos();
        if (limit == 0 || nanos == 0) {
            return;
        }
        long hang = pool.all().stream()
                .filter(t -> t.busyFor(now) >= nanos && t.worksFor() == this)
                .count();
        if (!shutDown && hang >= limit) {
            shutDown = true;
            shutDowns.inc();
            log.log(KernelMessages.SHUT_DOWN, name, hang, limit);
        } else if (shutDown && hang == 0 && trigger.resumeWhenUnstuck()) {
            shutDown = false;
            log.log(KernelMessages.RESUMED, name);
        }
    }

    /** Number of threads stuck in its work. */
    public int stuckThreads() {
        return stuck.get();
    }

    /**
     * Number of threads busy with one piece of its work for at least a second and ten times the average; stuck threads
     * are not counted.
     */
    public int hoggingThreads() {
        long now = clock.nanos();
        long usual = Math.max(LEAST_HOGGING, HOGGING_TIMES * pool.averageNanos());
        return (int) pool.all().stream()
                .filter(t -> t.busyFor(now) >= usual && t.worksFor() == this && t.stuck() == null)
                .count();
    }

    /** Whether its trigger has shut it down. */
    public boolean shutDown() {
        return shutDown;
    }

    // ---- figures

    /** Whether it uses the threads of another work manager. */
    public boolean borrows() {
        return !pool.belongsTo(this);
    }

    /** Waiting work under its min-threads constraint; 0 without one. */
    public int minThreadsPending() {
        MinThreads min = constraints.min();
        return min == null ? 0 : min.pending();
    }

    /** Finished work under its min-threads constraint; 0 without one. */
    public long minThreadsCompleted() {
        MinThreads min = constraints.min();
        return min == null ? 0 : min.completed();
    }

    /** Stops accepting work and lets threads end once the queue is empty; completes when the last one has ended. */
    CompletableFuture<@Nullable Void> stop() {
        return pool.stop();
    }

    /** Current number of threads. */
    public int threads() {
        return pool.threads() + pool.extraThreads();
    }

    /** Number of threads beyond the maximum, for min-threads constraints. */
    public int extraThreads() {
        return pool.extraThreads();
    }

    /** Number of idle threads above the minimum. */
    public int standbyThreads() {
        return Math.min(pool.idleThreads(), Math.max(0, pool.threads() - pool.minThreads()));
    }

    /** Number of idle threads. */
    public int idleThreads() {
        return pool.idleThreads();
    }

    /** Peak number of threads, without those for min-threads constraints. */
    public int peakThreads() {
        return pool.peakThreads();
    }

    /** Minimum number of threads. */
    public int minThreads() {
        return pool.minThreads();
    }

    /** Maximum number of threads. */
    public int maxThreads() {
        return pool.maxThreads();
    }

    /** Number of work items that wait for a thread. */
    public int queued() {
        return pool.queued();
    }

    /** Peak number of waiting work items. */
    public int peakQueued() {
        return pool.peakQueued();
    }

    /** Maximum number of waiting work items. */
    public int queueCapacity() {
        return pool.queueCapacity();
    }
}
