package io.weir.proxy.program.run;

import io.weir.base.StatSpec;
import java.util.List;

/** The proxy's statistics. Immutable declarations. */
public final class ProxyStats {
    public static final StatSpec RUNS =
            StatSpec.counter("weir_proxy_program_runs_total", "requests", "Requests that started through the program.");
    public static final StatSpec FAULTS = StatSpec.counter(
            "weir_proxy_faults_total", "answers", "Errors that the proxy itself answered, by reason.", "reason");
    public static final StatSpec RESTARTS = StatSpec.counter(
            "weir_proxy_restarts_total", "restarts", "Requests that a function restarted from the beginning.");
    public static final StatSpec POOL_REFUSALS = StatSpec.counter(
            "weir_proxy_pool_refusals_total",
            "calls",
            "Function calls refused because their pool was full. Watch it when sizing a work manager.");
    public static final StatSpec DESTINATIONS_REFUSED = StatSpec.counter(
            "weir_proxy_destinations_refused_total",
            "requests",
            "Forwarded requests and tunnels refused, by reason.",
            "reason");
    public static final StatSpec LOGINS = StatSpec.counter(
            "weir_proxy_logins_total",
            "logins",
            "Names and passwords that routes checked, by result: accepted, wrong, later (too many failed or waited),"
                    + " failed (the realm cannot be read). How they were checked: weir_wire_logins_total.",
            "result");
    public static final StatSpec POOL_SKIPS = StatSpec.counter(
            "weir_proxy_pool_skips_total",
            "calls",
            "Function calls that were dropped when a thread took them: their clients had left, or the time for the"
                    + " function was over. Watch it when sizing a work manager.");
    public static final StatSpec BUCKET_REQUESTS = StatSpec.counter(
            "weir_proxy_bucket_requests_total",
            "requests",
            "Requests that called a function counted in the bucket; not of default-bucket, which all requests use.",
            "bucket",
            "virtual_server");
    public static final StatSpec BUCKET_INVOCATIONS = StatSpec.counter(
            "weir_proxy_bucket_invocations_total",
            "calls",
            "Calls of functions counted in the bucket; those that name none are in default-bucket, once the request"
                    + " has ended.",
            "bucket",
            "virtual_server");
    public static final StatSpec BUCKET_TIME = StatSpec.counter(
            "weir_proxy_bucket_function_time_total",
            "nanoseconds",
            "Time spent in functions counted in the bucket, until they have decided; not of default-bucket, which has"
                    + " the rest of all requests' time.",
            "bucket",
            "virtual_server");
    public static final StatSpec BUCKET_DISPATCH = StatSpec.counter(
            "weir_proxy_bucket_dispatch_time_total",
            "nanoseconds",
            "Time that function calls waited for a thread of their pool, by bucket; those that name none are in"
                    + " default-bucket.",
            "bucket",
            "virtual_server");

    /** All of them. */
    public static final List<StatSpec> ALL = List.of(
            RUNS,
            FAULTS,
            RESTARTS,
            POOL_REFUSALS,
            POOL_SKIPS,
            DESTINATIONS_REFUSED,
            LOGINS,
            BUCKET_REQUESTS,
            BUCKET_INVOCATIONS,
            BUCKET_TIME,
            BUCKET_DISPATCH);

    private ProxyStats() {}
}
