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
 * @param values all values of the last label, where they are known beforehand; else none
 */
public record StatSpec(String name, Kind kind, String unit, String doc, List<String> labels, List<String> values) {
    private static final String SECONDS = "_seconds";
    private static final String TOTAL = "_total";

    /** The kind of statistic. */
    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    public StatSpec {
        labels = List.copyOf(labels);
        values = List.copyOf(values);
    }

    /** The same, whose last label has one of these values: they are shown before anything is counted ({@link Stats#begin}). */
    public StatSpec withValues(String... all) {
        if (labels.isEmpty()) {
            throw new IllegalArgumentException(name + " has no labels");
        }
        return new StatSpec(name, kind, unit, doc, labels, List.of(all));
    }

    /** The name in {@code /metrics}, where times are in seconds, and say so. */
    public String exposedName() {
        String stem = kind == Kind.COUNTER ? name.substring(0, name.length() - TOTAL.length()) : name;
        return exposedScale() == 1 || stem.endsWith(SECONDS) ? name : stem + SECONDS + name.substring(stem.length());
    }

    /** How much of the unit is one in {@code /metrics}: 1 for all but times. */
    public double exposedScale() {
        return switch (unit) {
            case "nanoseconds" -> 1e9;
            case "microseconds" -> 1e6;
            case "milliseconds" -> 1e3;
            default -> 1;
        };
    }

    public static StatSpec counter(String name, String unit, String doc, String... labels) {
        if (!name.endsWith(TOTAL)) {
            throw new IllegalArgumentException("a counter's name must end in _total: " + name);
        }
        return new StatSpec(name, Kind.COUNTER, unit, doc, List.of(labels), List.of());
    }

    public static StatSpec gauge(String name, String unit, String doc, String... labels) {
        return new StatSpec(name, Kind.GAUGE, unit, doc, List.of(labels), List.of());
    }

    /**
     * A distribution; values are recorded in the given unit (nanoseconds for times) and exported in seconds by
     * Prometheus.
     */
    public static StatSpec histogram(String name, String unit, String doc, String... labels) {
        return new StatSpec(name, Kind.HISTOGRAM, unit, doc, List.of(labels), List.of());
    }
}
