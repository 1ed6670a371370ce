package io.weir.proxy.accesslog;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An access log: the sections {@code proxy.access-log} and {@code proxy.access-logs.<name>}. Immutable. */
public record AccessLogConfig(
        @Knob(
                doc = "Format of the records: none, the common, extended or extended-2 format, the custom one, or"
                        + " JSON: one object a line.",
                value = "off",
                watch = "weir_access_log_records_total",
                knownAs = "common-log, flex-log",
                dynamic = true)
        Style format,

        @Knob(
                doc = "The custom format: text and %tokens%, such as %Ses->client.ip% or %Req->vars.xfer-time%.",
                max = "4096",
                unwatched = Unwatched.MEANING,
                knownAs = "flex-init format",
                dynamic = true)
        @Nullable
        String custom,

        @Knob(
                doc = "Virtual servers whose exchanges are recorded; empty: all.",
                unwatched = Unwatched.MEANING,
                knownAs = "flex-log",
                dynamic = true)
        List<String> virtualServers,

        @Knob(
                doc = "Statuses that are recorded: 404, 5xx, none (nothing was sent); empty: all.",
                unwatched = Unwatched.MEANING,
                dynamic = true)
        List<String> statuses,

        @Knob(
                doc = "File, relative to the data directory.",
                value = "logs/access",
                min = "1",
                max = "4096",
                unwatched = Unwatched.NAME,
                knownAs = "flex-init",
                dynamic = true)
        String file,

        @Knob(
                doc = "Buffer of each event loop. A larger one bridges longer stalls of the disk."
                        + " Rule of thumb: the records that a muxer writes in a second.",
                value = "256KiB",
                min = "4KiB",
                max = "64MiB",
                watch = "weir_access_log_dropped_total",
                knownAs = "access-log-buffer",
                dynamic = true)
        ByteSize bufferSize,

        @Knob(
                doc = "Longest record; a longer one is cut. Raise it when records with long URLs or"
                        + " fields are cut; each costs this much disk at most. Rule of thumb:"
                        + " limits.request-line and the other fields that the format has.",
                value = "8KiB",
                min = "512",
                max = "64KiB",
                watch = "weir_access_log_cut_total",
                dynamic = true)
        ByteSize recordSize,

        @Knob(
                doc = "How often buffers are written. Shorter makes more, smaller writes."
                        + " What is not written yet is lost when the process is killed. Rule of thumb: 1s.",
                value = "1s",
                min = "10ms",
                max = "1m",
                dynamic = true,
                watch = "weir_access_log_writes_total",
                knownAs = "LogFlushInterval")
        Duration flushInterval,

        @Knob(
                doc = "Size at which the file is rotated; 0: never."
                        + " Rule of thumb: 100MiB to 1GiB, what your tools read in one go; 0 with"
                        + " rotate-interval.",
                value = "0",
                min = "0",
                max = "1024GiB",
                dynamic = true,
                watch = "weir_access_log_rotations_total")
        ByteSize rotateSize,

        @Knob(
                doc = "How often the file is rotated, counted from midnight, so that 1h is each full hour and 1d each"
                        + " midnight; 0: never."
                        + " Rule of thumb: 1d.",
                value = "0s",
                min = "0s",
                max = "366d",
                dynamic = true,
                watch = "weir_access_log_rotations_total",
                knownAs = "flex-rotate-init rotate-interval")
        Duration rotateInterval,

        @Knob(
                doc = "Rotated files that are kept; older ones are deleted. 0: all."
                        + " Each costs its size of the disk. Rule of thumb: the days that you must be able to"
                        + " look back.",
                value = "10",
                unit = "files",
                min = "0",
                max = "10000",
                dynamic = true,
                watch = "weir_access_log_rotations_total")
        int keep,

        @Knob(
                doc = "Whether rotated files are compressed (gzip), on a separate thread.",
                value = "off",
                dynamic = true,
                watch = "weir_access_log_rotations_total")
        boolean compress) {

    /** The identity of this log: records, file and buffers. The other settings can change while the file is open. */
    Records records() {
        return new Records(format, custom, virtualServers, statuses, file, bufferSize, recordSize);
    }

    /** The knobs whose change creates a new log. Immutable. */
    record Records(
            Style format,
            @Nullable String custom,
            List<String> virtualServers,
            List<String> statuses,
            String file,
            ByteSize bufferSize,
            ByteSize recordSize) {}

    /** The formats of the Sun proxy, and JSON. */
    public enum Style {
        OFF,
        COMMON,
        EXTENDED,
        EXTENDED_2,
        CUSTOM,
        JSON
    }
}
