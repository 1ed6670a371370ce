package io.weir.cluster.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;

/** The section {@code cluster.invoke}: calls of bound services from other members and from clients. Immutable. */
public record InvokeConfig(
        @Knob(
                doc = "How long a call may take unless its caller sets another deadline. Raise it when"
                        + " calls that work long fail; lower it when callers wait for members that hang."
                        + " Each waiting call holds its caller. Rule of thumb: several times the longest"
                        + " usual call.",
                value = "30s",
                min = "10ms",
                max = "1h",
                watch = {"weir_invoke_time_seconds", "weir_invoke_calls_total"},
                knownAs = "weblogic.jndi.requestTimeout")
        Duration deadline,

        @Knob(
                doc = "Maximum size of a call's arguments or result. Raise it when large calls are"
                        + " refused; lower it to bound memory: each call in progress may hold this much on"
                        + " both sides. Rule of thumb: the default; pass large data by reference.",
                value = "1MiB",
                min = "1KiB",
                max = "64MiB",
                watch = "weir_invoke_calls_total")
        ByteSize maxFrame,

        @Knob(
                doc = "Maximum number of concurrent calls on this member. Raise it when calls wait"
                        + " while processors are idle, as services that wait for a database do; lower it"
                        + " to protect what services use. Each costs a thread. Rule of thumb: the"
                        + " connections of that database.",
                value = "64",
                unit = "calls",
                min = "1",
                max = "65536",
                watch = {"weir_invoke_running", "weir_invoke_calls_total"})
        int maxConcurrent,

        @Knob(
                doc = "Maximum number of queued calls; further ones are refused. Raise it when bursts"
                        + " are refused; lower it when queued calls pass their deadline before they run."
                        + " Each costs its arguments. Rule of thumb: the calls that are done within half"
                        + " of the deadline.",
                value = "1000",
                unit = "calls",
                min = "0",
                max = "1000000",
                watch = {"weir_invoke_waiting", "weir_invoke_calls_total"})
        int queueCapacity,

        @Knob(
                doc = "Answers that are kept so that a repeated request gets the answer of the first"
                        + " one instead of being executed again. Raise it when calls are many and callers"
                        + " repeat them late; lower it when memory is short: each answer may be as large"
                        + " as max-frame. Rule of thumb: the calls of one deadline.",
                value = "10000",
                unit = "answers",
                min = "0",
                max = "1000000",
                watch = "weir_invoke_duplicates_total")
        int dedupWindow) {}
