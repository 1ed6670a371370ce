package io.weir.base;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The registry of all statistics: every view (perfdump, stats-xml, Prometheus, JMX) reads it. Shared; finding a child
 * takes a hash look-up, so hot paths keep their {@link Counter}s. The number of children of a statistic is limited.
 */
public final class Stats {
    /** Maximum of children per statistic; further ones share a child whose label values are all {@code other}. */
    public static final int MAX_CHILDREN = 1000;

    /** One statistic with one set of label values: exactly one of the last three components is set. */
    public record Sample(
            StatSpec spec,
            List<String> labels,
            @Nullable Counter counter,
            @Nullable LongSupplier gauge,
            @Nullable Histogram histogram) {

        /** The counter's or gauge's value, or a histogram's count. */
        public long value() {
            if (counter != null) {
                return counter.value();
            }
            if (gauge != null) {
                return gauge.getAsLong();
            }
            return histogram == null ? 0 : histogram.count();
        }
    }

    private final Map<String, Map<List<String>, Sample>> samples = new ConcurrentSkipListMap<>();
    private volatile boolean collecting = true;

    /** Whether values are being counted ({@code server.statistics}). */
    public boolean collecting() {
        return collecting;
    }

    /** Stops or resumes counting; existing counts are kept. */
    public void collect(boolean on) {
        collecting = on;
    }

    public Counter counter(StatSpec spec, String... labels) {
        Counter c = child(spec, StatSpec.Kind.COUNTER, labels).counter();
        if (c == null) {
            throw new IllegalStateException(spec.name() + " is not a counter");
        }
        return c;
    }

    public Histogram histogram(StatSpec spec, String... labels) {
        Histogram h = child(spec, StatSpec.Kind.HISTOGRAM, labels).histogram();
        if (h == null) {
            throw new IllegalStateException(spec.name() + " is not a histogram");
        }
        return h;
    }

    /** Creates the counters that have no labels, so that they are shown, as 0, before anything is counted. */
    public void begin(List<StatSpec> specs) {
        for (StatSpec s : specs) {
            if (s.kind() == StatSpec.Kind.COUNTER && s.labels().isEmpty()) {
                counter(s);
            }
        }
    }

    /** The same for all values that a counter declares of its last label; the values of the labels before it come first. */
    public void begin(StatSpec spec, String... before) {
        for (String value : spec.values()) {
            String[] labels = Arrays.copyOf(before, before.length + 1);
            labels[before.length] = value;
            counter(spec, labels);
        }
    }

    /**
     * Declares how a gauge's current value is read; the last declaration for the same labels is used. Children beyond
     * {@link #MAX_CHILDREN} are not shown.
     */
    public void gauge(StatSpec spec, LongSupplier value, String... labels) {
        check(spec, StatSpec.Kind.GAUGE, labels);
        read(spec, value, labels);
    }

    /** Declares a counter that its owner maintains, regardless of {@link #collect}; it must only increase. */
    public void counter(StatSpec spec, LongSupplier value, String... labels) {
        check(spec, StatSpec.Kind.COUNTER, labels);
        read(spec, value, labels);
    }

    private void read(StatSpec spec, LongSupplier value, String... labels) {
        Map<List<String>, Sample> children = children(spec);
        List<String> key = List.of(labels);
        if (children.size() < MAX_CHILDREN || children.containsKey(key)) {
            children.put(key, new Sample(spec, key, null, value, null));
        }
    }

    /** Removes a child of an object that no longer exists. */
    public void remove(StatSpec spec, String... labels) {
        children(spec).remove(List.of(labels));
    }

    /** Removes every child with this value of a label, for a named object that no longer exists. */
    public void forget(String label, String value) {
        for (Map<List<String>, Sample> children : samples.values()) {
            children.values().removeIf(s -> {
                int at = s.spec().labels().indexOf(label);
                return at >= 0 && s.labels().get(at).equals(value);
            });
        }
    }

    /** All samples, ordered by name and label values. */
    public List<Sample> samples() {
        return samples(unusedName -> true);
    }

    /** The samples of some statistics, by name, ordered by name and label values. */
    public List<Sample> samples(Predicate<String> which) {
        List<Sample> all = new ArrayList<>();
        samples.forEach((name, children) -> {
            if (which.test(name)) {
                List<Sample> some = new ArrayList<>(children.values());
                some.sort((a, b) -> a.labels().toString().compareTo(b.labels().toString()));
                all.addAll(some);
            }
        });
        return all;
    }

    /** The names of all statistics that have a child. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        samples.forEach((name, children) -> {
            if (!children.isEmpty()) {
                names.add(name);
            }
        });
        return names;
    }

    /** The declaration of a statistic that has a child; null for an unknown name. */
    public @Nullable StatSpec spec(String name) {
        Map<List<String>, Sample> children = samples.get(name);
        return children == null
                ? null
                : children.values().stream().findAny().map(Sample::spec).orElse(null);
    }

    /** The value of one statistic with the given labels; 0 if nothing was counted yet. */
    public long value(StatSpec spec, String... labels) {
        Sample s = children(spec).get(List.of(labels));
        return s == null ? 0 : s.value();
    }

    /** The sum over all label values. */
    public long sum(StatSpec spec) {
        return children(spec).values().stream().mapToLong(Sample::value).sum();
    }

    private Map<List<String>, Sample> children(StatSpec spec) {
        return samples.computeIfAbsent(spec.name(), unusedName -> new ConcurrentHashMap<>());
    }

    private Sample child(StatSpec spec, StatSpec.Kind kind, String... labels) {
        check(spec, kind, labels);
        Map<List<String>, Sample> children = children(spec);
        List<String> key = List.of(labels);
        Sample found = children.get(key);
        if (found != null) {
            return found;
        }
        List<String> bounded = children.size() < MAX_CHILDREN
                ? key
                : spec.labels().stream().map(unusedLabel -> "other").toList();
        return children.computeIfAbsent(bounded, k -> create(spec, k));
    }

    private Sample create(StatSpec spec, List<String> labels) {
        return spec.kind() == StatSpec.Kind.COUNTER
                ? new Sample(spec, labels, new Counter(this), null, null)
                : new Sample(spec, labels, null, null, new Histogram(this));
    }

    private static void check(StatSpec spec, StatSpec.Kind kind, String... labels) {
        if (spec.kind() != kind || spec.labels().size() != labels.length) {
            throw new IllegalArgumentException(spec.name() + " is a " + spec.kind() + " with labels " + spec.labels());
        }
        // in tests: a value that is missing in the declaration is shown only after it was counted
        assert spec.values().isEmpty() || spec.values().contains(labels[labels.length - 1])
                : spec.name() + " has no " + labels[labels.length - 1] + " among " + spec.values();
    }
}
