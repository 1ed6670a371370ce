package io.weir.kernel.work;

import io.weir.base.Knob;
import java.util.Map;

/** The section {@code constraints}: what work managers name, and share where several name the same. Immutable. */
public record ConstraintsConfig(
        @Knob(doc = "Threads that work always gets, by name, however busy the pool is.", dynamic = true)
        Map<String, MinThreads> minThreads,

        @Knob(doc = "Threads that work gets at most, by name.", dynamic = true)
        Map<String, MaxThreads> maxThreads,

        @Knob(doc = "Requests and work that may wait and run, by name.", dynamic = true)
        Map<String, Capacity> capacity) {

    /** Nothing is constrained. */
    public static final ConstraintsConfig NONE = new ConstraintsConfig(Map.of(), Map.of(), Map.of());

    /** A min-threads constraint. */
    public record MinThreads(
            @Knob(
                    doc = "Threads, together for all work managers that name it. While fewer run their work, it goes"
                            + " before all other work, and a pool whose threads are all busy starts one more for it:"
                            + " what waits for an answer that needs a thread of the same pool does not hang.",
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
                    doc = "Threads, together for all work managers that name it: the connections of a database, say."
                            + " More work waits, and other work passes it.",
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
                            + " one more is answered busy (503 with Retry-After).",
                    required = true,
                    unit = "requests",
                    min = "1",
                    max = "1073741824",
                    dynamic = true,
                    watch = {"weir_work_capacity_used", "weir_work_capacity_refused_total"},
                    knownAs = "capacity count")
            int count) {}
}
