package io.weir.base;

import java.util.List;

/**
 * A declared statistic: the single declaration for perfdump, stats-xml, Prometheus, JMX, the documentation and the
 * guide. Immutable.
 *
 * @param name Prometheus name, {@code weir_…}; counters end in {@code _total}
 * @param kind counter, gauge or histogram
 * @param unit connections, requests, bytes, nanoseconds …
 * @param doc what it counts and when to look at it
 * @param labels names of the labels, in the order in which values are passed
 */
public record StatSpec(String name, Kind kind, String unit, String doc, List<String> labels) {
    /** The kind of statistic. */
    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    public StatSpec {
        labels = List.copyOf(labels);
    }

    public static StatSpec counter(String name, String unit, String doc, String... labels) {
        if (!name.endsWith("_total")) {
            throw new IllegalArgumentException("a counter's name must end in _total: " + name);
        }
        return new StatSpec(name, Kind.COUNTER, unit, doc, List.of(labels));
    }

    public static StatSpec gauge(String name, String unit, String doc, String... labels) {
        return new StatSpec(name, Kind.GAUGE, unit, doc, List.of(labels));
    }

    /**
     * A distribution; values are recorded in the given unit (nanoseconds for times) and exported in seconds by
     * Prometheus.
     */
    public static StatSpec histogram(String name, String unit, String doc, String... labels) {
        return new StatSpec(name, Kind.HISTOGRAM, unit, doc, List.of(labels));
    }
}
