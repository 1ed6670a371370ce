package io.weir.cluster.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;

/** The section {@code cluster.invoke}: calls of bound services from other members and from clients. Immutable. */
public record InvokeConfig(
        @Knob(
                doc = "How long a call may take unless its caller sets another deadline.",
                value = "30s",
                min = "10ms",
                max = "1h",
                watch = {"weir_invoke_time_seconds", "weir_invoke_calls_total"},
                knownAs = "weblogic.jndi.requestTimeout")
        Duration deadline,

        @Knob(
                doc = "Maximum size of a call's arguments or result.",
                value = "1MiB",
                min = "1KiB",
                max = "64MiB",
                watch = "weir_invoke_calls_total")
        ByteSize maxFrame,

        @Knob(
                doc = "Maximum number of concurrent calls on this member.",
                value = "64",
                unit = "calls",
                min = "1",
                max = "65536",
                watch = {"weir_invoke_running", "weir_invoke_calls_total"})
        int maxConcurrent,

        @Knob(
                doc = "Maximum number of queued calls; further ones are refused.",
                value = "1000",
                unit = "calls",
                min = "0",
                max = "1000000",
                watch = {"weir_invoke_waiting", "weir_invoke_calls_total"})
        int queueCapacity,

        @Knob(
                doc = "Answers that are kept so that a repeated request gets the answer of the first one instead of"
                        + " being executed again.",
                value = "10000",
                unit = "answers",
                min = "0",
                max = "1000000",
                watch = "weir_invoke_duplicates_total")
        int dedupWindow) {}
