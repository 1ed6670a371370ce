package io.weir.proxy.pool;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions that are put to the servers of a pool whether or not there are requests. Immutable. */
public record CheckConfig(
        @Knob(
                doc = "What is asked for, path and query, or * with OPTIONS; where it is not given, nothing is asked.",
                min = "1",
                max = "1024",
                dynamic = true,
                unwatched = Unwatched.SWITCH)
        @Nullable
        String path,

        @Knob(doc = "The method.", value = "GET", dynamic = true, unwatched = Unwatched.MEANING)
        CheckMethod method,

        @Knob(
                doc = "Host of the question; where it is not given, the server's own name.",
                dynamic = true,
                unwatched = Unwatched.NAME)
        @Nullable
        String host,

        @Knob(
                doc = "From one question to the next. Shorter finds a dead server sooner, and asks more of all.",
                value = "10s",
                min = "100ms",
                max = "1h",
                dynamic = true,
                watch = "weir_origin_checks_total")
        Duration interval,

        @Knob(
                doc = "For the whole of a check, connecting included.",
                value = "5s",
                min = "100ms",
                max = "5m",
                dynamic = true,
                watch = "weir_origin_checks_total")
        Duration timeOut,

        @Knob(
                doc = "Answers in a row that bring a server back.",
                value = "2",
                unit = "checks",
                min = "1",
                max = "100",
                dynamic = true,
                watch = "weir_origin_checks_total")
        int rise,

        @Knob(
                doc =
                        "Failed checks in a row that take a server out. Raise it when servers go out and come back while they answer"
                                + " requests; each check more makes the time until a dead server is out longer by one interval. Rule of"
                                + " thumb: 2 or 3, and 1 only where checks never fail by accident.",
                value = "3",
                unit = "checks",
                min = "1",
                max = "100",
                dynamic = true,
                watch = {"weir_origin_checks_total", "weir_origin_downs_total"})
        int fall,

        @Knob(
                doc = "Statuses that are good answers, single or from-to.",
                value = "200-399",
                dynamic = true,
                watch = "weir_origin_checks_total")
        List<String> statuses) {}
