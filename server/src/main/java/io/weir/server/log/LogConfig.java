package io.weir.server.log;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.base.Severity;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.List;

/** The section {@code server.log}. Immutable. */
public record LogConfig(
        @Knob(
                doc = "File of the server log, relative to the data directory unless absolute; empty: no log file.",
                value = "logs/server.log",
                unwatched = Unwatched.NAME,
                knownAs = "errorlog")
        String file,

        @Knob(
                doc = "Least severe message that is written, for subsystems without a level of their own.",
                value = "info",
                dynamic = true,
                watch = "weir_log_messages_total",
                knownAs = "LogVerbose")
        Severity level,

        @Knob(
                doc = "Levels of single subsystems, as Subsystem=level: Socket=fine, HTTP=warning."
                        + " docs/messages.md names the subsystems.",
                dynamic = true,
                watch = "weir_log_messages_total")
        List<String> levels,

        @Knob(
                doc = "Least severe message that is also printed on standard output.",
                value = "notice",
                dynamic = true,
                watch = "weir_log_messages_total")
        Severity stdoutLevel,

        @Knob(
                doc = "Size at which the file is rotated; the newest old file is server.log.1. Raise"
                        + " it when the files kept reach back too little; it costs disk space, times keep"
                        + " + 1. Rule of thumb: what an editor still opens.",
                value = "10MiB",
                min = "64KiB",
                max = "2GiB",
                dynamic = true,
                watch = "weir_log_rotations_total")
        ByteSize rotateSize,

        @Knob(
                doc = "Rotated files that are kept; the log never takes more than rotate-size times"
                        + " (keep + 1). Raise it when the log reaches back too little; each costs"
                        + " rotate-size of disk. Rule of thumb: a week of logs.",
                value = "5",
                unit = "files",
                min = "1",
                max = "1000",
                dynamic = true,
                watch = "weir_log_rotations_total")
        int keep,

        @Knob(
                doc = "A warning or error that repeats with the same cause within this time is counted"
                        + " and written once, at its end; 0s writes each one. Raise it when a lasting"
                        + " fault fills the log; lower it to see when each one happened. Rule of thumb:"
                        + " the default.",
                value = "30s",
                max = "1d",
                watch = "weir_log_suppressed_total",
                dynamic = true)
        Duration repeatInterval,

        @Knob(
                doc = "Messages that may wait for the log's writer; further ones are dropped and"
                        + " counted, so that a full disk does not stop the traffic. Raise it when messages"
                        + " are dropped in bursts; each waiting one costs its memory. Rule of thumb: the"
                        + " default, unless levels are fine.",
                value = "8192",
                unit = "messages",
                min = "16",
                max = "1000000",
                watch = "weir_log_dropped_total")
        int queue) {}
