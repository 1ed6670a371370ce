package io.weir.server.history;

import java.util.List;

/**
 * An answer's values over time: one statistic with one set of label values. Immutable but for its arrays, which nobody
 * changes.
 *
 * @param labels names and values in turn
 * @param columns what is told of each point: {@code rate}; {@code mean, max}; or {@code rate, mean, p50, p90, p99}
 * @param points by column and point; not a number where nothing is known
 */
record Curve(List<String> labels, List<String> columns, double[][] points) {
    static final List<String> COUNTER = List.of("rate");
    static final List<String> GAUGE = List.of("mean", "max");
    static final List<String> DISTRIBUTION = List.of("rate", "mean", "p50", "p90", "p99");
}
