package io.weir.server.history;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;

/** The section {@code history}: how long past statistics are kept. Immutable. */
public record HistoryConfig(
        @Knob(
                doc = "Records the values of all statistics on disk (data/statistics), for ./weir history.",
                value = "on",
                dynamic = true,
                unwatched = Unwatched.SWITCH)
        boolean enabled,

        @Knob(
                doc = "How often every value is recorded. A shorter interval shows shorter bursts and takes more disk"
                        + " space."
                        + " Rule of thumb: the default.",
                value = "10s",
                min = "1s",
                max = "5m",
                dynamic = true,
                watch = {"weir_history_rows_total", "weir_history_size_bytes"})
        Duration interval,

        @Knob(
                doc = "How long the values of each interval are kept. Raise it when details of past"
                        + " days are needed; it costs disk space, up to half of max-size. Rule of thumb:"
                        + " from one working day to the next.",
                value = "24h",
                min = "1m",
                max = "31d",
                dynamic = true,
                watch = "weir_history_size_bytes")
        Duration keep,

        @Knob(
                doc = "Interval of the second ring, which reaches further back. Lower it when past"
                        + " peaks are too flat; it costs disk space in proportion. Rule of thumb: the"
                        + " default, with long-keep of a month.",
                value = "5m",
                min = "10s",
                max = "1d",
                dynamic = true,
                watch = {"weir_history_rows_total", "weir_history_size_bytes"})
        Duration longInterval,

        @Knob(
                doc = "How long the values of the second ring are kept. Raise it to compare with past"
                        + " months; it costs disk space, up to half of max-size. Rule of thumb: two"
                        + " periods of your load.",
                value = "30d",
                min = "1h",
                max = "3650d",
                dynamic = true,
                watch = "weir_history_size_bytes")
        Duration longKeep,

        @Knob(
                doc = "Maximum size of both rings together on disk, half of it each; the oldest values"
                        + " are dropped first. Raise it when values are dropped before keep and long-keep;"
                        + " it costs disk space only. Rule of thumb: watch weir_history_size_bytes for a day,"
                        + " and multiply.",
                value = "128MiB",
                min = "1MiB",
                max = "64GiB",
                dynamic = true,
                watch = {"weir_history_size_bytes", "weir_history_dropped_total"})
        ByteSize maxSize,

        @Knob(
                doc = "Maximum number of values of one interval; further ones are not recorded. Raise"
                        + " it when values are refused because there are many routes, origins or"
                        + " destinations; each costs disk space for each interval. Rule of thumb: twice"
                        + " weir_history_series.",
                value = "20000",
                unit = "values",
                min = "100",
                max = "1000000",
                dynamic = true,
                watch = {"weir_history_series", "weir_history_series_refused_total"})
        int maxSeries) {}
