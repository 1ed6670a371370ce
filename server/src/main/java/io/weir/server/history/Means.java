package io.weir.server.history;

import io.weir.server.history.SeriesKey.Part;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The mean and the peak of gauges between two rows of the long ring. Confined to the recorder's thread. */
final class Means {
    private static final class Level {
        private double sum;
        private long readings;
        private long peak = Long.MIN_VALUE;

        private void take(long value) {
            sum += value;
            readings++;
            peak = Math.max(peak, value);
        }
    }

    private final Map<SeriesKey, Level> levels = new HashMap<>();

    /** Adds a row of the short ring. */
    void take(Map<SeriesKey, Long> row) {
        row.forEach((series, value) -> {
            if (series.part() == Part.LEVEL) {
                levels.computeIfAbsent(series, _ -> new Level()).take(value);
            }
        });
    }

    /** The long ring's row: counters as they are now, gauges since the last call of this method. */
    Map<SeriesKey, Long> row(Map<SeriesKey, Long> now) {
        Map<SeriesKey, Long> row = new LinkedHashMap<>();
        now.forEach((series, value) -> {
            Level level = levels.get(series);
            if (level == null) {
                row.put(series, value);
            } else {
                row.put(series, Math.round(level.sum / level.readings));
                row.put(series.with(Part.PEAK), level.peak);
            }
        });
        levels.clear();
        return row;
    }
}
