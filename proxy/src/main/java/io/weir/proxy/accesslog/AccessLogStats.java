package io.weir.proxy.accesslog;

import io.weir.base.StatSpec;
import java.util.List;

/** The access log's statistics. Immutable declarations. */
public final class AccessLogStats {
    public static final StatSpec RECORDS = StatSpec.counter(
            "weir_access_log_records_total", "records", "Records appended to the loops' buffers.", "log");
    public static final StatSpec DROPPED = StatSpec.counter(
            "weir_access_log_dropped_total",
            "records",
            "Records dropped because a loop's buffer was full: raise the log's buffer-size, or use a faster disk.",
            "log");
    public static final StatSpec CUT =
            StatSpec.counter("weir_access_log_cut_total", "records", "Records cut at the log's record-size.", "log");
    public static final StatSpec WRITES =
            StatSpec.counter("weir_access_log_writes_total", "writes", "Writes to the file.", "log");
    public static final StatSpec BYTES =
            StatSpec.counter("weir_access_log_bytes_total", "bytes", "Bytes written.", "log");
    public static final StatSpec FAILURES = StatSpec.counter(
            "weir_access_log_write_failures_total",
            "writes",
            "Failed writes and openings of the file; their records are lost.",
            "log");
    public static final StatSpec LOST = StatSpec.counter(
            "weir_access_log_lost_total",
            "records",
            "Records lost because the file could not be written: see the server log, and the disk's free space.",
            "log");
    public static final StatSpec ROTATIONS =
            StatSpec.counter("weir_access_log_rotations_total", "rotations", "Rotations of the file.", "log");
    public static final StatSpec WAITING = StatSpec.gauge(
            "weir_access_log_waiting_bytes", "bytes", "Bytes in the loops' buffers, not yet written.", "log");

    /** All of them. */
    public static final List<StatSpec> ALL =
            List.of(RECORDS, DROPPED, CUT, WRITES, BYTES, FAILURES, LOST, ROTATIONS, WAITING);

    private AccessLogStats() {}
}
