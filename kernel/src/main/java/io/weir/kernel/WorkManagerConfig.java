package io.weir.kernel;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;

/** An entry of {@code work-managers}: a named pool of execute threads (seed 001, {@code thread-pool-init}). Immutable. */
public record WorkManagerConfig(
        @Knob(
                doc = "Threads that are kept. auto is the number of processors, at most max-threads.",
                value = "auto",
                unit = "threads",
                min = "0",
                max = "65536",
                auto = true,
                watch = "weir_work_threads",
                seed = "minthreads, RqThrottleMin")
        int minThreads,

        @Knob(
                doc = "Most threads. auto is the greater of 128 and the number of processors. More let more blocking"
                        + " work run side by side and cost switches; 0 together with queue-capacity 0 runs work where"
                        + " it arrives.",
                value = "auto",
                unit = "threads",
                min = "0",
                max = "65536",
                auto = true,
                watch = {"weir_work_threads", "weir_work_threads_idle"},
                seed = "maxthreads, NativePoolMaxThreads")
        int maxThreads,

        @Knob(
                doc = "Work that may wait for a thread; more gets the busy answer. Above max-threads requests wait"
                        + " longer instead of being refused.",
                value = "4096",
                unit = "tasks",
                min = "0",
                max = "1048576",
                watch = {"weir_work_queue_length", "weir_work_refused_total"},
                seed = "queueSize, NativePoolQueueSize")
        int queueCapacity,

        @Knob(
                doc = "Stack of each thread; 0 is the platform's default. Smaller saves memory with many threads.",
                value = "0",
                max = "256MiB",
                watch = {"weir_work_threads", "weir_work_failed_total"},
                seed = "stackSize, NativePoolStackSize")
        ByteSize stackSize,

        @Knob(
                doc = "How long a thread above min-threads waits for work before it ends.",
                value = "60s",
                min = "100ms",
                max = "1h",
                watch = "weir_work_threads")
        Duration idleTime) {}
