package io.weir.kernel.work;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.base.Unwatched;
import io.weir.kernel.settings.Machine;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An entry of {@code work-managers}: a named pool of execute threads (the tuning guide, {@code thread-pool-init}), or a
 * work manager on the threads of another one, with its own class and constraints (WebLogic). Immutable.
 */
public record WorkManagerConfig(
        @Knob(
                doc = "Work manager whose threads and queue this one uses instead of its own; its own thread and queue"
                        + " knobs are then ignored.",
                unwatched = Unwatched.NAME,
                dynamic = true)
        @Nullable
        String threadsOf,

        @Knob(
                doc = "Request class of work that names none; without one, a fair share of 50 of its own.",
                watch = "weir_request_class_completed_total",
                knownAs = "fair-share-request-class, response-time-request-class, context-request-class",
                dynamic = true)
        @Nullable
        String requestClass,

        @Knob(
                doc = "Name of its min-threads constraint."
                        + " Set it when work waits for other work of the same pool, or must begin however busy"
                        + " the pool is; see constraints.min-threads.",
                watch = "weir_work_min_threads_pending",
                knownAs = "min-threads-constraint",
                dynamic = true)
        @Nullable
        String minThreadsConstraint,

        @Knob(
                doc = "Name of its max-threads constraint."
                        + " Set it when the work uses something of which there are few, such as a database's"
                        + " connections; see constraints.max-threads.",
                watch = "weir_work_max_threads_running",
                knownAs = "max-threads-constraint",
                dynamic = true)
        @Nullable
        String maxThreadsConstraint,

        @Knob(
                doc = "Name of its capacity."
                        + " Set it when the work must be answered busy early, before it fills queues; see"
                        + " constraints.capacity.",
                watch = "weir_work_capacity_refused_total",
                knownAs = "capacity",
                dynamic = true)
        @Nullable
        String capacity,

        @Knob(doc = "When it stops taking work because threads are stuck in it.", dynamic = true)
        ShutDownTrigger shutDownTrigger,

        @Knob(
                doc = "Threads that are kept when idle. auto is the number of processors, at most max-threads."
                        + " Raise it when bursts after a pause wait for threads to start; each costs its stack."
                        + " Rule of thumb: auto.",
                value = "auto",
                unit = "threads",
                min = "0",
                max = "65536",
                auto = true,
                watch = "weir_work_threads",
                knownAs = "minthreads, RqThrottleMin",
                dynamic = true)
        int minThreads,

        @Knob(
                doc = "Maximum number of threads. auto is the greater of 128 and the number of processors. More"
                        + " threads run more blocking work in parallel and cost context switches; 0 together with"
                        + " queue-capacity 0 runs work on the submitting thread."
                        + " Rule of thumb: the pieces of work that may block at the same time.",
                value = "auto",
                unit = "threads",
                min = "0",
                max = "65536",
                auto = true,
                watch = {"weir_work_threads", "weir_work_threads_idle"},
                knownAs = "maxthreads, NativePoolMaxThreads",
                dynamic = true)
        int maxThreads,

        @Knob(
                doc = "Tasks that may wait for a thread; further ones are answered busy. With a queue longer than"
                        + " max-threads, requests wait longer instead of being refused."
                        + " Raise it when short bursts are refused; lower it when what waited is too late to be"
                        + " of use. Rule of thumb: the work of one or two seconds.",
                value = "4096",
                unit = "tasks",
                min = "0",
                max = "1048576",
                watch = {"weir_work_queue_length", "weir_work_refused_total"},
                knownAs = "queueSize, NativePoolQueueSize",
                dynamic = true)
        int queueCapacity,

        @Knob(
                doc = "Stack of each thread; 0 is the platform's default. Smaller saves memory with many threads."
                        + " One that is too small ends work with a StackOverflowError, counted as failed. Rule of"
                        + " thumb: 0.",
                value = "0",
                max = "256MiB",
                watch = {"weir_work_threads", "weir_work_failed_total"},
                knownAs = "stackSize, NativePoolStackSize",
                dynamic = true)
        ByteSize stackSize,

        @Knob(
                doc = "How long a thread above min-threads waits for work before it ends. Raise it when the number of"
                        + " threads falls between bursts and each burst starts threads again; lower it when threads on"
                        + " standby take too much memory: each costs its stack (stack-size). Rule of thumb: more than the"
                        + " usual pause between two bursts.",
                value = "60s",
                min = "100ms",
                max = "1h",
                watch = {"weir_work_threads", "weir_work_threads_standby"},
                dynamic = true)
        Duration idleTime) {

    private static final int DERIVED_THREADS = 128;

    /** The maximum number of threads: configured, or derived from the processors. */
    public int mostThreads(Machine machine) {
        return maxThreads >= 0 ? maxThreads : Math.max(DERIVED_THREADS, machine.processors());
    }

    /** The minimum number of threads: configured, or derived from the processors. */
    int leastThreads(Machine machine) {
        return Math.min(mostThreads(machine), minThreads >= 0 ? minThreads : machine.processors());
    }

    /** Threads and queue only: no class, no constraints, no trigger. */
    public WorkManagerConfig(int minThreads, int maxThreads, int queueCapacity, ByteSize stackSize, Duration idleTime) {
        this(
                null,
                null,
                null,
                null,
                null,
                new ShutDownTrigger(0, Duration.ZERO, true),
                minThreads,
                maxThreads,
                queueCapacity,
                stackSize,
                idleTime);
    }

    /** The section {@code work-managers.<name>.shut-down-trigger}. */
    public record ShutDownTrigger(
            @Knob(
                    doc = "Stuck threads at which it shuts down: new work is answered busy, waiting and running work is"
                            + " finished. 0: never."
                            + " Rule of thumb: half of its threads.",
                    value = "0",
                    unit = "threads",
                    min = "0",
                    max = "65536",
                    watch = {"weir_work_shut_down", "weir_work_threads_stuck"},
                    knownAs = "work-manager-shutdown-trigger stuck-thread-count",
                    dynamic = true)
            int stuckThreadCount,

            @Knob(
                    doc = "How long a thread may be busy with one piece of its work before it counts as stuck here; 0:"
                            + " as kernel.stuck-threads.max-time.",
                    value = "0s",
                    min = "0s",
                    max = "24h",
                    watch = "weir_work_shut_downs_total",
                    knownAs = "work-manager-shutdown-trigger max-stuck-thread-time",
                    dynamic = true)
            Duration maxStuckThreadTime,

            @Knob(
                    doc = "Accepts work again once none of its threads is stuck; off: only after the server is"
                            + " restarted.",
                    value = "on",
                    watch = "weir_work_shut_down",
                    knownAs = "work-manager-shutdown-trigger resume-when-unstuck",
                    dynamic = true)
            boolean resumeWhenUnstuck) {}
}
