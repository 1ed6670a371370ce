package io.weir.proxy.pool;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Active health checks of a pool's servers, independent of requests. Immutable. */
public record CheckConfig(
        @Knob(
                doc = "Path and query that a check requests, or * with OPTIONS; if not set, there are no active"
                        + " checks.",
                min = "1",
                max = "1024",
                dynamic = true,
                unwatched = Unwatched.SWITCH)
        @Nullable
        String path,

        @Knob(doc = "Method of a check's request.", value = "GET", dynamic = true, unwatched = Unwatched.MEANING)
        CheckMethod method,

        @Knob(
                doc = "Host field of a check's request; if not set, the server's own name.",
                dynamic = true,
                unwatched = Unwatched.NAME)
        @Nullable
        String host,

        @Knob(
                doc = "Time from one check to the next. A shorter interval finds a dead server sooner and loads all"
                        + " servers more."
                        + " Rule of thumb: the default; a third of the time that an outage may be noticed.",
                value = "10s",
                min = "100ms",
                max = "1h",
                dynamic = true,
                watch = "weir_origin_checks_total")
        Duration interval,

        @Knob(
                doc = "Time-out of a whole check, including connecting. Raise it when busy but working"
                        + " servers fail checks; lower it to find a hanging server sooner. Rule of thumb:"
                        + " the longest usual answer of the checked page, and less than the interval.",
                value = "5s",
                min = "100ms",
                max = "5m",
                dynamic = true,
                watch = "weir_origin_checks_total")
        Duration timeOut,

        @Knob(
                doc = "Successful checks in a row that bring a server back. Raise it when servers come"
                        + " back and fail again at once; lower it to use a server sooner: each check adds"
                        + " one interval to its absence. Rule of thumb: 2 or 3.",
                value = "2",
                unit = "checks",
                min = "1",
                max = "100",
                dynamic = true,
                watch = "weir_origin_checks_total")
        int rise,

        @Knob(
                doc = "Failed checks in a row that take a server out. Raise it when servers go out and come back"
                        + " while they answer requests; each further check lengthens the time until a dead"
                        + " server is out by one interval. Rule of thumb: 2 or 3, and 1 only where checks never"
                        + " fail by accident.",
                value = "3",
                unit = "checks",
                min = "1",
                max = "100",
                dynamic = true,
                watch = {"weir_origin_checks_total", "weir_origin_downs_total"})
        int fall,

        @Knob(
                doc = "Statuses that count as success, single or from-to.",
                value = "200-399",
                dynamic = true,
                watch = "weir_origin_checks_total")
        List<String> statuses) {}
