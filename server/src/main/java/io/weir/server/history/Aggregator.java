package io.weir.server.history;

import io.weir.server.history.SeriesKey.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects the answer to a query from the files of both rings, read one after the other. Confined to the reading
 * thread.
 */
final class Aggregator implements Rows.Reader {
    static final int MAX_CURVES = 100;

    /** The values collected for one set of label values. */
    private static final class Child {
        private final List<String> labels;
        private final Map<SeriesKey, Track> tracks = new HashMap<>();

        private Child(List<String> labels) {
            this.labels = labels;
        }
    }

    private static final double[] PERCENT = {50, 90, 99};

    private final Question question;
    private final Map<String, Child> children = new TreeMap<>();
    /** The current file's series by number; null for those not queried, and for ended ones. */
    private final List<@Nullable SeriesKey> numbers = new ArrayList<>();

    private final List<@Nullable Track> tracks = new ArrayList<>();
    private long seen = Long.MIN_VALUE;
    private long until = Long.MAX_VALUE;

    Aggregator(Question question) {
        this.question = question;
    }

    /** Ignores rows from a time on, which belong to the other ring; a new ring's files follow. */
    void until(long millis) {
        until = millis;
    }

    @Override
    public void begun() {
        numbers.clear();
        tracks.clear();
    }

    @Override
    public void defined(SeriesKey series) {
        if (!question.wants(series)) {
            numbers.add(null);
            tracks.add(null);
            return;
        }
        Child child = children.computeIfAbsent(series.labels().toString(), _ -> new Child(series.labels()));
        if (children.size() > MAX_CURVES) {
            throw new TooMany(question.metric(), MAX_CURVES);
        }
        // a peak belongs to its gauge
        SeriesKey key = series.part() == Part.PEAK ? series.with(Part.LEVEL) : series;
        numbers.add(series);
        tracks.add(child.tracks.computeIfAbsent(key, _ -> new Track(question)));
    }

    @Override
    public void row(long millis, long covers, long[] values) {
        if (millis <= seen || millis >= until) {
            return;
        }
        seen = millis;
        for (int i = 0; i < numbers.size(); i++) {
            SeriesKey series = numbers.get(i);
            Track track = tracks.get(i);
            if (series != null && track != null) {
                switch (series.part()) {
                    case LEVEL -> track.level(millis, values[i]);
                    case PEAK -> track.peak(millis, values[i]);
                    case COUNT, EVENTS, SUM, UP_TO -> track.count(millis, covers, values[i]);
                }
            }
        }
    }

    @Override
    public void ended(int number) {
        Track track = tracks.get(number);
        if (track != null) {
            track.end();
        }
        numbers.set(number, null);
        tracks.set(number, null);
    }

    /** The answer. */
    List<Curve> curves() {
        return children.values().stream().map(this::curve).toList();
    }

    private Curve curve(Child child) {
        Track level = null;
        Track count = null;
        Track events = null;
        for (Map.Entry<SeriesKey, Track> e : child.tracks.entrySet()) {
            switch (e.getKey().part()) {
                case LEVEL, PEAK -> level = e.getValue();
                case COUNT -> count = e.getValue();
                case EVENTS -> events = e.getValue();
                case SUM, UP_TO -> {}
            }
        }
        // another version may have declared it differently: the latest kind applies
        long latest = Math.max(latest(level), Math.max(latest(count), latest(events)));
        if (level != null && latest(level) == latest) {
            return new Curve(child.labels, Curve.GAUGE, new double[][] {level.mean(), level.peaks()});
        }
        if (count != null && latest(count) == latest) {
            return new Curve(child.labels, Curve.COUNTER, new double[][] {count.rate()});
        }
        return distribution(child);
    }

    private static long latest(@Nullable Track track) {
        return track == null ? Long.MIN_VALUE : track.latest();
    }

    private Curve distribution(Child child) {
        Track events = new Track(question);
        Track sum = events;
        NavigableMap<Long, Track> upTo = new TreeMap<>();
        for (Map.Entry<SeriesKey, Track> e : child.tracks.entrySet()) {
            switch (e.getKey().part()) {
                case EVENTS -> events = e.getValue();
                case SUM -> sum = e.getValue();
                case UP_TO -> upTo.put(e.getKey().bound(), e.getValue());
                case COUNT, LEVEL, PEAK -> {}
            }
        }
        double[][] points = new double[Curve.DISTRIBUTION.size()][];
        points[0] = events.rate();
        points[1] = new double[question.points()];
        double[] n = events.increase();
        double[] total = sum.increase();
        Arrays.setAll(points[1], i -> n[i] == 0 ? Double.NaN : total[i] / n[i]);
        for (int p = 0; p < PERCENT.length; p++) {
            double[] estimates = new double[question.points()];
            double percent = PERCENT[p];
            Arrays.setAll(estimates, i -> percentile(percent, n[i], upTo, i));
            points[p + 2] = estimates;
        }
        return new Curve(child.labels, Curve.DISTRIBUTION, points);
    }

    /** A percentile, by linear interpolation within its bucket; the highest bound for values above all. */
    private static double percentile(double percent, double events, NavigableMap<Long, Track> upTo, int point) {
        if (events == 0) {
            return Double.NaN;
        }
        double rank = events * percent / 100;
        double below = 0;
        long from = 0;
        for (Map.Entry<Long, Track> e : upTo.entrySet()) {
            if (!e.getValue().watched(point)) {
                // a bound of another version
                continue;
            }
            double at = e.getValue().increase()[point];
            if (at >= rank) {
                double share = at == below ? 1 : (rank - below) / (at - below);
                return from + share * (e.getKey() - from);
            }
            below = at;
            from = e.getKey();
        }
        return from;
    }
}
