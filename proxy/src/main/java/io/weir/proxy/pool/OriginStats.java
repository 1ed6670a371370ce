package io.weir.proxy.pool;

import io.weir.base.StatSpec;
import java.util.List;

/** Statistics of pools and their servers. Immutable declarations. */
public final class OriginStats {
    public static final StatSpec STATE = StatSpec.gauge(
            "weir_origin_state",
            "state",
            "State of a server: 0 down, 1 on trial, 2 warming, 3 up. perfdump and /origins show the reason.",
            "pool",
            "server");
    public static final StatSpec ACTIVE =
            StatSpec.gauge("weir_origin_active", "requests", "Outstanding requests to a server.", "pool", "server");
    public static final StatSpec REQUESTS = StatSpec.counter(
            "weir_origin_requests_total",
            "requests",
            "Requests sent to a server, each attempt counted.",
            "pool",
            "server");
    public static final StatSpec FAILURES = StatSpec.counter(
            "weir_origin_failures_total",
            "requests",
            "Requests that failed through a server's fault, or were answered with a status of health.statuses.",
            "pool",
            "server");
    public static final StatSpec ANSWERS = StatSpec.counter(
            "weir_origin_answers_total", "answers", "Heads of answers received from a server.", "pool", "server");
    public static final StatSpec ANSWER_NANOS = StatSpec.counter(
            "weir_origin_answer_time_total",
            "nanoseconds",
            "Time from a server's selection to the head of its answer; divided by the answers it is the mean.",
            "pool",
            "server");
    public static final StatSpec BUSY = StatSpec.counter(
            "weir_origin_busy_total",
            "requests",
            "Requests for which a server was skipped because it had max-outstanding of them.",
            "pool",
            "server");
    public static final StatSpec DOWNS = StatSpec.counter(
            "weir_origin_downs_total", "times", "Times that a server was marked down.", "pool", "server");
    public static final StatSpec CHECKS = StatSpec.counter(
            "weir_origin_checks_total",
            "checks",
            "Active checks of a server, by outcome.",
            "pool",
            "server",
            "outcome");
    public static final StatSpec CHECKS_POSTPONED = StatSpec.counter(
            "weir_origin_checks_postponed_total",
            "checks",
            "Active checks that were postponed because too many were in flight.");
    public static final StatSpec RETRIES =
            StatSpec.counter("weir_origin_retries_total", "requests", "Requests that were retried in a pool.", "pool");
    public static final StatSpec RETRIES_REFUSED = StatSpec.counter(
            "weir_origin_retries_refused_total",
            "requests",
            "Requests that were not retried because the pool's retry budget was used up. Many: an outage, or a"
                    + " budget that is too small.",
            "pool");
    public static final StatSpec REFUSED = StatSpec.counter(
            "weir_origin_refused_total",
            "requests",
            "Requests that no server of a pool admitted: all busy, or all down.",
            "pool",
            "reason");
    public static final StatSpec STICKY = StatSpec.counter(
            "weir_origin_sticky_total",
            "requests",
            "Requests that named a route: followed, strayed because its server was down or full, unknown to the pool.",
            "pool",
            "outcome");
    public static final StatSpec RESOLUTIONS = StatSpec.counter(
            "weir_origin_resolutions_total",
            "look-ups",
            "Look-ups of the names of servers, by outcome: the same addresses, changed ones, or failed, which keeps"
                    + " the old ones.",
            "outcome");

    /** All of them, in the order of the documentation. */
    public static final List<StatSpec> ALL = List.of(
            STATE,
            ACTIVE,
            REQUESTS,
            FAILURES,
            ANSWERS,
            ANSWER_NANOS,
            BUSY,
            DOWNS,
            CHECKS,
            CHECKS_POSTPONED,
            RETRIES,
            RETRIES_REFUSED,
            REFUSED,
            STICKY,
            RESOLUTIONS);

    private OriginStats() {}
}
