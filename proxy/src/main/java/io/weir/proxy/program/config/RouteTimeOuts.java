package io.weir.proxy.program.config;

import io.weir.base.Knob;
import java.time.Duration;

/** {@code routes[].time-outs}; 0: that of {@code proxy.time-outs}. Immutable. */
public record RouteTimeOuts(
        @Knob(
                doc = "As proxy.time-outs.connect." + " 0: that value.",
                value = "0s",
                min = "0s",
                max = "5m",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total")
        Duration connect,

        @Knob(
                doc = "As proxy.time-outs.response-header." + " 0: that value.",
                value = "0s",
                min = "0s",
                max = "1h",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total")
        Duration responseHeader,

        @Knob(
                doc = "As proxy.time-outs.body-idle." + " 0: that value.",
                value = "0s",
                min = "0s",
                max = "1h",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total")
        Duration bodyIdle) {
    /** No differences. */
    public static final RouteTimeOuts NONE = new RouteTimeOuts(Duration.ZERO, Duration.ZERO, Duration.ZERO);
}
