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
                doc = "File of the server log, in the data directory unless absolute; empty writes no file.",
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
                doc = "Size at which the file is rotated; the newest old file is server.log.1.",
                value = "10MiB",
                min = "64KiB",
                max = "2GiB",
                dynamic = true,
                watch = "weir_log_rotations_total")
        ByteSize rotateSize,

        @Knob(
                doc = "Rotated files that are kept; the log never takes more than rotate-size times (keep + 1).",
                value = "5",
                unit = "files",
                min = "1",
                max = "1000",
                dynamic = true,
                watch = "weir_log_rotations_total")
        int keep,

        @Knob(
                doc = "Repetitions of one warning or error with one cause within this time are counted and written"
                        + " once at its end; 0s writes each.",
                value = "30s",
                max = "1d",
                watch = "weir_log_suppressed_total",
                dynamic = true)
        Duration repeatInterval,

        @Knob(
                doc = "Messages that may wait for the writer; more are dropped and counted, because a full disk must"
                        + " not stop the traffic.",
                value = "8192",
                unit = "messages",
                min = "16",
                max = "1000000",
                watch = "weir_log_dropped_total")
        int queue) {}
