package io.weir.server.history;

import java.util.List;

/**
 * An answer's values over time: one statistic with one set of label values. Immutable; the arrays are never changed.
 */
final class Curve {
    static final List<String> COUNTER = List.of("rate");
    static final List<String> GAUGE = List.of("mean", "max");
    static final List<String> DISTRIBUTION = List.of("rate", "mean", "p50", "p90", "p99");

    private final List<String> labels;
    private final List<String> columns;
    private final double[][] points;

    /**
     * @param labels alternating names and values
     * @param columns the columns of each point: one of the lists above
     * @param points by column and point; NaN if unknown
     */
    Curve(List<String> labels, List<String> columns, double[][] points) {
        this.labels = labels;
        this.columns = columns;
        this.points = points;
    }

    List<String> labels() {
        return labels;
    }

    List<String> columns() {
        return columns;
    }

    double[][] points() {
        return points;
    }
}
