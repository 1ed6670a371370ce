package io.weir.server.admin;

import io.weir.base.StatSpec;
import java.util.List;

/** The statistics of the admin listener. */
public final class AdminStats {
    public static final StatSpec REQUESTS = StatSpec.counter(
            "weir_admin_requests_total", "requests", "Requests that the admin listener answered, by status.", "status");
    public static final StatSpec REFUSED = StatSpec.counter(
                    "weir_admin_refused_total",
                    "requests",
                    "Admin requests refused before they reached a handler, by reason; many of host or origin may be an attack.",
                    "reason")
            .withValues("host", "origin", "credentials", "protocol", "body");
    public static final StatSpec BUSY = StatSpec.counter(
            "weir_admin_busy_total", "requests", "Admin requests answered 503 because all admin threads were busy.");
    public static final StatSpec FAILED = StatSpec.counter(
            "weir_admin_failed_total",
            "requests",
            "Admin requests that failed in their handler: a disk that is full or cannot be written (507), or a bug; see"
                    + " the server log.");
    public static final StatSpec TIMED_OUT = StatSpec.counter(
            "weir_admin_timed_out_total",
            "connections",
            "Admin connections closed because a request did not arrive in time, or an answer was not read.");
    public static final StatSpec CONNECTIONS =
            StatSpec.gauge("weir_admin_connections", "connections", "Admin connections that are open.");
    public static final StatSpec CONNECTIONS_REFUSED = StatSpec.counter(
            "weir_admin_connections_refused_total",
            "connections",
            "Admin connections closed at once because admin.max-connections were open and none of them was idle"
                    + " or slow.");
    public static final StatSpec CONNECTIONS_GIVEN_UP = StatSpec.counter(
            "weir_admin_connections_given_up_total",
            "connections",
            "Admin connections reset for new ones because admin.max-connections were open: the one that kept the"
                    + " listener waiting the longest, of the address with the most connections.");

    public static final List<StatSpec> ALL =
            List.of(REQUESTS, REFUSED, BUSY, FAILED, TIMED_OUT, CONNECTIONS, CONNECTIONS_REFUSED, CONNECTIONS_GIVEN_UP);

    private AdminStats() {}
}
