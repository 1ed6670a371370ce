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
 * A named place for work that may block (the tuning guide, "Custom Thread Pools"; WebLogic's work manager): threads of its own or
 * those of another one, a request class, constraints, and a trigger that shuts it down when threads are stuck in its work.
 * Without classes and constraints it is a bounded pool, first come, first served. Shared; lives as long as its kernel.
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
     * A work manager on a pool.
     *
     * @param requestClass of work that names none; {@link RequestClass#DEFAULT} for a share of its own
     * @param own the class that this share is
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

    /**
     * Runs a task on an execute thread, or on the calling thread when the pool is disabled (no threads and no queue).
     *
     * @return false when all threads are busy and the queue or a capacity is full, when it is shut down or stopping:
     *     answer busy
     */
    public boolean execute(Runnable task) {
        return execute(RequestClass.DEFAULT, task, false);
    }

    /** The same for work of a request class. */
    public boolean execute(RequestClass of, Runnable task) {
        return execute(of, task, false);
    }

    /**
     * The same.
     *
     * @param admitted it belongs to a request that {@link #admit} took in: capacity and shut-down do not count for it
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

    /** Work that was taken in for itself, not for a request: it leaves when it ends. */
    record Leaving(WorkManager of, Runnable task) implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("a thread runs the task, and then leaves");
        }
    }

    /**
     * Takes a request in, from its first work to its end.
     *
     * @param of its class, asked for only when much else is taken in
     * @return false, and counted, where it is shut down, the server has failed, or its capacity or that of all work
     *     managers is used up; else {@link #leave} is due
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

    /** A request that was taken in before and has {@link #leave left} goes on: it is taken in, whatever the capacity. */
    public void comeBack() {
        overload.comeBack();
        constraints.comeBack();
    }

    /** A request that was taken in is over, or waits for its client. */
    public void leave() {
        constraints.leave();
        overload.leave();
    }

    /** Its class for work that names this one. */
    public ServiceClass service(RequestClass of) {
        RequestClass found = of.equals(RequestClass.DEFAULT) ? requestClass.of(null, null) : of.of(null, null);
        return found instanceof ServiceClass s ? s : own;
    }

    /** Its own class for somebody: {@link RequestClass#of}. */
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

    /** A thread of its own could not be started. */
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
     * Shuts down where as many threads as the trigger says are stuck in its work, and resumes once none is.
     *
     * @param longest from when a thread counts as stuck where the trigger does not say; 0: never
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

    /** Threads that are stuck in its work. */
    public int stuckThreads() {
        return stuck.get();
    }

    /** Threads busy with one piece of its work for a second and ten times the average, stuck ones not counted. */
    public int hoggingThreads() {
        long now = clock.nanos();
        long usual = Math.max(LEAST_HOGGING, HOGGING_TIMES * pool.averageNanos());
        return (int) pool.all().stream()
                .filter(t -> t.busyFor(now) >= usual && t.worksFor() == this && t.stuck() == null)
                .count();
    }

    /** Whether its trigger keeps new work out. */
    public boolean shutDown() {
        return shutDown;
    }

    // ---- figures

    /** Whether its threads are those of another work manager. */
    public boolean borrows() {
        return !pool.belongsTo(this);
    }

    /** Work under its min-threads constraint that waits; 0 without one. */
    public int minThreadsPending() {
        MinThreads min = constraints.min();
        return min == null ? 0 : min.pending();
    }

    /** Work under its min-threads constraint that ended; 0 without one. */
    public long minThreadsCompleted() {
        MinThreads min = constraints.min();
        return min == null ? 0 : min.completed();
    }

    /** Takes no more work and lets threads end once the queue is empty; completes when the last one has. */
    CompletableFuture<@Nullable Void> stop() {
        return pool.stop();
    }

    /** Threads now. */
    public int threads() {
        return pool.threads() + pool.extraThreads();
    }

    /** Threads beyond the maximum, for min-threads constraints. */
    public int extraThreads() {
        return pool.extraThreads();
    }

    /** Threads that wait for work above those that are kept. */
    public int standbyThreads() {
        return Math.min(pool.idleThreads(), Math.max(0, pool.threads() - pool.minThreads()));
    }

    /** Threads that wait for work. */
    public int idleThreads() {
        return pool.idleThreads();
    }

    /** Most threads that ever were, those for min-threads constraints not counted. */
    public int peakThreads() {
        return pool.peakThreads();
    }

    /** Threads that are kept. */
    public int minThreads() {
        return pool.minThreads();
    }

    /** Most threads allowed. */
    public int maxThreads() {
        return pool.maxThreads();
    }

    /** Work that waits for a thread. */
    public int queued() {
        return pool.queued();
    }

    /** Most work that ever waited. */
    public int peakQueued() {
        return pool.peakQueued();
    }

    /** Work that may wait. */
    public int queueCapacity() {
        return pool.queueCapacity();
    }
}
