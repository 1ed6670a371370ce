package io.weir.kernel.work;

import io.weir.base.Knob;
import java.util.Map;

/**
 * The section {@code constraints}: constraints that work managers reference by name and share if they name the same.
 * Immutable.
 */
public record ConstraintsConfig(
        @Knob(doc = "Threads that are always available to the work, however busy the pool is, by name.", dynamic = true)
        Map<String, MinThreads> minThreads,

        @Knob(doc = "Maximum number of threads for the work, by name.", dynamic = true)
        Map<String, MaxThreads> maxThreads,

        @Knob(doc = "Maximum number of requests and pieces of work that wait or run, by name.", dynamic = true)
        Map<String, Capacity> capacity) {

    /** No constraints. */
    public static final ConstraintsConfig NONE = new ConstraintsConfig(Map.of(), Map.of(), Map.of());

    /** A min-threads constraint. */
    public record MinThreads(
            @Knob(
                    doc = "Threads, together for all work managers that name it. While fewer run their work, it"
                            + " precedes all other work, and a pool whose threads are all busy starts one more for it:"
                            + " so work that waits for other work of the same pool does not deadlock."
                            + " Rule of thumb: 1 to 3; what it uses other work lacks.",
                    required = true,
                    unit = "threads",
                    min = "0",
                    max = "65536",
                    dynamic = true,
                    watch = {"weir_work_min_threads_pending", "weir_work_min_threads_completed_total"},
                    knownAs = "min-threads-constraint count")
            int count) {}

    /** A max-threads constraint. */
    public record MaxThreads(
            @Knob(
                    doc = "Threads, together for all work managers that name it, for example as many as a database has"
                            + " connections. Further work waits without holding up other work."
                            + " Rule of thumb: the number of what it uses, such as connections.",
                    required = true,
                    unit = "threads",
                    min = "1",
                    max = "65536",
                    dynamic = true,
                    watch = "weir_work_max_threads_running",
                    knownAs = "max-threads-constraint count")
            int count) {}

    /** A capacity. */
    public record Capacity(
            @Knob(
                    doc = "Requests and pieces of work that wait or run, together for all work managers that name it;"
                            + " further ones are answered busy (503 with Retry-After)."
                            + " Rule of thumb: the work that is done in the time that a client waits.",
                    required = true,
                    unit = "requests",
                    min = "1",
                    max = "1073741824",
                    dynamic = true,
                    watch = {"weir_work_capacity_used", "weir_work_capacity_refused_total"},
                    knownAs = "capacity count")
            int count) {}
}
