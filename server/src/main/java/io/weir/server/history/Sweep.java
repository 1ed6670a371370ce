package io.weir.server.history;

import io.weir.base.Histogram;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.server.history.SeriesKey.Part;
import io.weir.server.monitor.Buckets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All values at one time, up to a maximum. Filled by one thread, then read. */
public final class Sweep {
    private final Map<SeriesKey, Long> row = new LinkedHashMap<>();
    private final int atMost;
    private int refused;

    private Sweep(int atMost) {
        this.atMost = atMost;
    }

    /** Reads all statistics once. */
    static Sweep of(Stats stats, int atMost) {
        Sweep sweep = new Sweep(atMost);
        stats.samples().forEach(sweep::take);
        return sweep;
    }

    /**
     * The same from an exposition in Prometheus' text format, such as the sums of several processes; undeclared
     * statistics are omitted.
     *
     * @param exposed values by names with labels, as in the exposition
     */
    public static Sweep of(Map<String, Double> exposed, List<StatSpec> declared, int atMost) {
        Sweep sweep = new Sweep(atMost);
        Exposed names = new Exposed(declared);
        exposed.forEach((name, value) -> {
            Exposed.Value found = names.find(name, value);
            if (found != null) {
                sweep.put(found.series(), found.value());
            }
        });
        return sweep;
    }

    /** The values, in a stable order. */
    Map<SeriesKey, Long> row() {
        return row;
    }

    /** The number of values beyond the maximum. */
    int refused() {
        return refused;
    }

    private void take(Stats.Sample sample) {
        List<String> labels = labels(sample);
        String name = sample.spec().name();
        Histogram histogram = sample.histogram();
        if (histogram == null) {
            Part part = sample.spec().kind() == StatSpec.Kind.COUNTER ? Part.COUNT : Part.LEVEL;
            put(new SeriesKey(name, part, 0, labels), sample.value());
            return;
        }
        put(new SeriesKey(name, Part.EVENTS, 0, labels), histogram.count());
        put(new SeriesKey(name, Part.SUM, 0, labels), histogram.total());
        long[] bounds = Buckets.of(sample.spec());
        long[] counts = histogram.countsUpTo(bounds);
        for (int i = 0; i < bounds.length; i++) {
            put(new SeriesKey(name, Part.UP_TO, bounds[i], labels), counts[i]);
        }
    }

    private void put(SeriesKey series, long value) {
        if (row.size() < atMost) {
            row.put(series, value);
        } else {
            refused++;
        }
    }

    private static List<String> labels(Stats.Sample sample) {
        List<String> labels = new ArrayList<>(2 * sample.labels().size());
        for (int i = 0; i < sample.labels().size(); i++) {
            labels.add(sample.spec().labels().get(i));
            labels.add(sample.labels().get(i));
        }
        return labels;
    }
}
