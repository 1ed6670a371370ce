package io.weir.server.history;

import java.util.Map;

/**
 * A query of the history. Immutable.
 *
 * @param metric a statistic's name
 * @param labels values that its labels must have; others may have any
 * @param from milliseconds since 1970, inclusive
 * @param to milliseconds since 1970, exclusive
 * @param step milliseconds of one point
 */
record Question(String metric, Map<String, String> labels, long from, long to, long step) {
    static final int MAX_POINTS = 2000;

    Question {
        labels = Map.copyOf(labels);
        if (step < 1 || from >= to || (to - from + step - 1) / step > MAX_POINTS) {
            throw new IllegalArgumentException("from " + from + " to " + to + " by " + step);
        }
    }

    int points() {
        return (int) ((to - from + step - 1) / step);
    }

    boolean wants(SeriesKey series) {
        return series.metric().equals(metric)
                && labels.entrySet().stream()
                        .allMatch(e -> series.label(e.getKey()).equals(e.getValue()));
    }
}
