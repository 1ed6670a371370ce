package io.weir.kernel.work;

import static io.weir.base.StatSpec.counter;
import static io.weir.base.StatSpec.gauge;
import static io.weir.base.StatSpec.histogram;

import io.weir.base.StatSpec;
import java.util.List;

/** The statistics of work managers, request classes and constraints, declared once. */
public final class WorkStats {
    public static final StatSpec THREADS =
            gauge("weir_work_threads", "threads", "Execute threads of each work manager.", "work_manager");
    public static final StatSpec IDLE =
            gauge("weir_work_threads_idle", "threads", "Execute threads that wait for work.", "work_manager");
    public static final StatSpec PEAK =
            gauge("weir_work_threads_peak", "threads", "Peak number of execute threads.", "work_manager");
    public static final StatSpec LIMIT =
            gauge("weir_work_threads_limit", "threads", "Maximum number of execute threads.", "work_manager");
    public static final StatSpec STUCK = gauge(
            "weir_work_threads_stuck",
            "threads",
            "Execute threads busy with one piece of work for at least stuck-threads.max-time.",
            "work_manager");
    public static final StatSpec HOGGING = gauge(
            "weir_work_threads_hogging",
            "threads",
            "Execute threads busy with one piece of work for at least a second and ten times the average, without"
                    + " stuck ones.",
            "work_manager");
    public static final StatSpec EXTRA = gauge(
            "weir_work_threads_extra",
            "threads",
            "Execute threads beyond the limit, started for min-threads constraints.",
            "work_manager");
    public static final StatSpec STUCK_TOTAL = counter(
            "weir_work_stuck_total", "threads", "Times that an execute thread was found stuck.", "work_manager");
    public static final StatSpec THREAD_FAILURES = counter(
            "weir_work_thread_failures_total",
            "threads",
            "Execute threads that could not be started because of a limit of the system or the container.",
            "work_manager");
    public static final StatSpec SHUT_DOWN =
            gauge("weir_work_shut_down", "flag", "1 while the shut-down trigger refuses new work.", "work_manager");
    public static final StatSpec SHUT_DOWNS =
            counter("weir_work_shut_downs_total", "times", "Times that the shut-down trigger fired.", "work_manager");
    public static final StatSpec STANDBY = gauge(
            "weir_work_threads_standby",
            "threads",
            "Idle execute threads above min-threads: they end after idle-time unless work arrives.",
            "work_manager");
    public static final StatSpec SHARED_USED = gauge(
            "weir_work_shared_used",
            "requests",
            "Requests and work that wait or run under all work managers together.");
    public static final StatSpec SHARED_LIMIT = gauge(
            "weir_work_shared_limit",
            "requests",
            "Maximum of weir_work_shared_used (kernel.overload-protection.shared-capacity).");
    public static final StatSpec SHARED_REFUSED = counter(
            "weir_work_shared_refused_total",
            "requests",
            "Requests and work refused because the shared capacity was used up.");
    public static final StatSpec SHARED_DISPLACED = counter(
            "weir_work_shared_displaced_total",
            "requests",
            "Requests and work admitted beyond the shared capacity, displacing waiting work of a lower share.");
    public static final StatSpec SERVER_FAILED = gauge(
            "weir_server_failed", "flag", "1 while at least as many threads are stuck as server-failure-trigger sets.");
    public static final StatSpec FAILURES =
            counter("weir_server_failures_total", "times", "Times that the server failed because threads were stuck.");
    public static final StatSpec QUEUE =
            gauge("weir_work_queue_length", "tasks", "Work that waits for a thread.", "work_manager");
    public static final StatSpec QUEUE_PEAK =
            gauge("weir_work_queue_peak", "tasks", "Peak of work that waited for a thread.", "work_manager");
    public static final StatSpec QUEUE_LIMIT =
            gauge("weir_work_queue_limit", "tasks", "Maximum of work that may wait for a thread.", "work_manager");
    public static final StatSpec DONE =
            counter("weir_work_completed_total", "tasks", "Work that ended, successfully or not.", "work_manager");
    public static final StatSpec REFUSED = counter(
            "weir_work_refused_total",
            "tasks",
            "Requests and work refused: queue or capacity full, shut down, or stopping.",
            "work_manager");
    public static final StatSpec FAILED =
            counter("weir_work_failed_total", "tasks", "Work that ended with an uncaught error.", "work_manager");
    public static final StatSpec CLASS_COMPLETED = counter(
            "weir_request_class_completed_total",
            "requests",
            "Work done and requests started, by request class; counted if classes are configured.",
            "request_class");
    public static final StatSpec CLASS_WAITING = gauge(
            "weir_request_class_waiting",
            "requests",
            "Work and requests of each request class that wait for a thread or a slot.",
            "request_class");
    public static final StatSpec CLASS_SHARE =
            gauge("weir_request_class_share", "shares", "Fair share of each request class.", "request_class");
    public static final StatSpec CLASS_WAIT = histogram(
            "weir_request_class_wait",
            "nanoseconds",
            "Wait for a thread or a slot, of work and requests queued by request class.",
            "request_class");
    public static final StatSpec MIN_PENDING = gauge(
            "weir_work_min_threads_pending",
            "tasks",
            "Work under each min-threads constraint that waits for a thread.",
            "constraint");
    public static final StatSpec MIN_COMPLETED = counter(
            "weir_work_min_threads_completed_total",
            "tasks",
            "Work under each min-threads constraint that ended.",
            "constraint");
    public static final StatSpec MAX_RUNNING = gauge(
            "weir_work_max_threads_running",
            "threads",
            "Threads that run work under each max-threads constraint.",
            "constraint");
    public static final StatSpec CAPACITY_USED = gauge(
            "weir_work_capacity_used",
            "requests",
            "Requests and work that wait or run under each capacity.",
            "constraint");
    public static final StatSpec CAPACITY_REFUSED = counter(
            "weir_work_capacity_refused_total",
            "requests",
            "Requests and work refused because a capacity was used up.",
            "constraint");

    /** Everything declared here, in this order. */
    public static final List<StatSpec> ALL = List.of(
            THREADS,
            IDLE,
            PEAK,
            LIMIT,
            STUCK,
            HOGGING,
            EXTRA,
            STANDBY,
            SHARED_USED,
            SHARED_LIMIT,
            SHARED_REFUSED,
            SHARED_DISPLACED,
            SERVER_FAILED,
            FAILURES,
            STUCK_TOTAL,
            THREAD_FAILURES,
            SHUT_DOWN,
            SHUT_DOWNS,
            QUEUE,
            QUEUE_PEAK,
            QUEUE_LIMIT,
            DONE,
            REFUSED,
            FAILED,
            CLASS_COMPLETED,
            CLASS_WAITING,
            CLASS_SHARE,
            CLASS_WAIT,
            MIN_PENDING,
            MIN_COMPLETED,
            MAX_RUNNING,
            CAPACITY_USED,
            CAPACITY_REFUSED);

    private WorkStats() {}
}
