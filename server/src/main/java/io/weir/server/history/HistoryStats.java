package io.weir.server.history;

import io.weir.base.StatSpec;
import java.util.List;

/** The statistics of the history of statistics. Immutable. */
public final class HistoryStats {
    public static final StatSpec ROWS = StatSpec.counter(
            "weir_history_rows_total",
            "rows",
            "Times that all values were recorded, by ring: short (history.interval) or long (history.long-interval).",
            "ring");
    public static final StatSpec FAILED = StatSpec.counter(
            "weir_history_failed_total",
            "rows",
            "Rows that could not be written: a full disk, or permissions. They are missing in ./weir history.",
            "ring");
    public static final StatSpec DAMAGED = StatSpec.counter(
            "weir_history_damaged_total",
            "files",
            "Files of the history that were found truncated or damaged; values before the damage are still read.");
    public static final StatSpec DROPPED = StatSpec.counter(
            "weir_history_dropped_total",
            "files",
            "Files of the history that were deleted early because history.max-size was reached.");
    public static final StatSpec REFUSED = StatSpec.counter(
            "weir_history_series_refused_total",
            "values",
            "Values that were not recorded because there were history.max-series others before them.");
    public static final StatSpec SERIES =
            StatSpec.gauge("weir_history_series", "values", "Values in the latest row of the short ring.");
    public static final StatSpec SIZE = StatSpec.gauge(
            "weir_history_size_bytes",
            "bytes",
            "Size of the history on disk (history.max-size bounds it), by ring.",
            "ring");

    public static final List<StatSpec> ALL = List.of(ROWS, FAILED, DAMAGED, DROPPED, REFUSED, SERIES, SIZE);

    private HistoryStats() {}
}
