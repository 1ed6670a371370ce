package io.weir.proxy.pool;

import io.weir.base.Knob;
import java.time.Duration;
import java.util.List;

/** When failed requests mark a server down, and how it recovers. Immutable. */
public record HealthConfig(
        @Knob(
                doc = "Failures in a row after which a server is down; 0: requests never take it out. A low value takes"
                        + " a busy healthy server out for a hiccup."
                        + " Rule of thumb: 3.",
                value = "3",
                unit = "failures",
                min = "0",
                max = "1000",
                dynamic = true,
                watch = {"weir_origin_downs_total", "weir_origin_failures_total"})
        int failures,

        @Knob(
                doc = "Statuses of answers that count as failures.",
                value = "502,503,504",
                dynamic = true,
                watch = "weir_origin_failures_total")
        List<String> statuses,

        @Knob(
                doc = "Share of failures among the requests of a window that takes a server out, percent; 0: only"
                        + " failures in a row do."
                        + " Set it for servers that fail often, but not in a row. Rule of thumb: 50, far above"
                        + " the usual share of failures.",
                value = "0",
                unit = "percent",
                min = "0",
                max = "100",
                dynamic = true,
                watch = {"weir_origin_downs_total", "weir_origin_failures_total"})
        int failureRatio,

        @Knob(
                doc = "Requests that a window must have before its ratio counts. Raise it when a few"
                        + " failures take out a server with little traffic; lower it when a failing server"
                        + " with little traffic stays in. Rule of thumb: a tenth of the requests that a"
                        + " server gets in a window.",
                value = "20",
                unit = "requests",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = "weir_origin_downs_total")
        int ratioRequests,

        @Knob(
                doc = "Time over which the share of failed requests is counted before it is compared with"
                        + " failure-ratio. A shorter window takes a failing server out sooner; one that is too"
                        + " short has fewer requests than ratio-requests and decides nothing. Rule of thumb: the"
                        + " time in which a server gets ten times ratio-requests.",
                value = "10s",
                min = "100ms",
                max = "1h",
                dynamic = true,
                watch = "weir_origin_downs_total")
        Duration ratioWindow,

        @Knob(
                doc = "How long a server that was taken out gets no requests the first time; doubled"
                        + " each time that a trial fails. Raise it when servers need long to recover and"
                        + " trials disturb them; lower it when they recover quickly: each trial that fails"
                        + " costs a request an attempt. Rule of thumb: the time of a server's restart.",
                value = "10s",
                min = "100ms",
                max = "1h",
                dynamic = true,
                watch = "weir_origin_downs_total")
        Duration downTime,

        @Knob(
                doc = "Longest time for which a server gets no requests. Raise it when trials of"
                        + " servers that are down for long disturb; lower it to find a recovered server"
                        + " sooner. It costs a request's attempt for each trial. Rule of thumb: the"
                        + " absence that you accept after the repair.",
                value = "5m",
                min = "100ms",
                max = "1d",
                dynamic = true,
                watch = "weir_origin_downs_total")
        Duration maxDownTime,

        @Knob(
                doc = "Requests that must succeed, one after the other, before a server that was down takes its share"
                        + " again. Until then it gets one at a time."
                        + " Raise it for servers that answer once and fail again. Rule of thumb: 1; 3 for such.",
                value = "1",
                unit = "requests",
                min = "1",
                max = "100",
                dynamic = true,
                watch = "weir_origin_downs_total")
        int trials) {}
