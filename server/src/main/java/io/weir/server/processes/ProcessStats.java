package io.weir.server.processes;

import io.weir.base.StatSpec;
import java.util.List;

/** The statistics of the supervisor. Immutable. */
public final class ProcessStats {
    public static final StatSpec UP = StatSpec.gauge(
            "weir_process_up", "processes", "1 while the worker process with this number is ready, else 0.", "process");
    public static final StatSpec PID = StatSpec.gauge(
            "weir_process_pid", "process id", "Process id of the worker; 0 while there is none.", "process");
    public static final StatSpec RESTARTS = StatSpec.counter(
            "weir_process_restarts_total",
            "restarts",
            "Workers restarted because the previous one ended unexpectedly: each is a crash, see the server log.",
            "process");

    public static final StatSpec HUNG = StatSpec.counter(
            "weir_process_hung_total",
            "workers",
            "Workers that did not answer for server.hang-time-out and were killed; their restarts are counted, too.",
            "process");

    public static final StatSpec ANSWERS = StatSpec.gauge(
            "weir_process_answers",
            "processes",
            "1 while the worker answers its supervisor, else 0: then it is missing in views, and its counts are the"
                    + " last known.",
            "process");

    public static final List<StatSpec> ALL = List.of(UP, PID, RESTARTS, HUNG, ANSWERS);

    private ProcessStats() {}
}
