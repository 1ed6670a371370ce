package io.weir.server.history;

import java.util.Arrays;

/** One series as it is read, aggregated by points. Confined to the reading thread. */
final class Track {
    /**
     * A row that is later than this many times what it covers does not continue the previous one: the server was down
     * in between.
     */
    private static final int GAP = 2;

    private final Question question;
    /** The increase of a counter, or the sum of a gauge's readings. */
    private final double[] sum;
    /** Milliseconds for which a counter was observed, or the number of a gauge's readings. */
    private final double[] weight;

    private final double[] peak;
    private long lastMillis = Long.MIN_VALUE;
    private long last;
    private long latest = Long.MIN_VALUE;

    Track(Question question) {
        this.question = question;
        this.sum = new double[question.points()];
        this.weight = new double[question.points()];
        this.peak = new double[question.points()];
        Arrays.fill(peak, Double.NaN);
    }

    /** A counter's value at a time. A counter that is less than before has been reset: all of it was counted since. */
    void count(long millis, long covers, long value) {
        long since = millis - lastMillis;
        boolean follows = lastMillis != Long.MIN_VALUE && since <= GAP * covers;
        int point = point(millis);
        if (follows && point >= 0) {
            sum[point] += value >= last ? value - last : value;
            weight[point] += since;
        }
        lastMillis = millis;
        latest = millis;
        last = value;
    }

    /** A gauge's value at a time. */
    void level(long millis, long value) {
        latest = millis;
        int point = point(millis);
        if (point >= 0) {
            sum[point] += value;
            weight[point]++;
            peak(millis, value);
        }
    }

    /** A gauge's highest value up to a time. */
    void peak(long millis, long value) {
        latest = millis;
        int point = point(millis);
        if (point >= 0) {
            peak[point] = Double.isNaN(peak[point]) ? (double) value : Math.max(peak[point], (double) value);
        }
    }

    /** The series ended: a later one with its name is a different one. */
    void end() {
        lastMillis = Long.MIN_VALUE;
    }

    private int point(long millis) {
        return millis < question.from() || millis >= question.to()
                ? -1
                : (int) ((millis - question.from()) / question.step());
    }

    /** When it was last seen, whether or not within the query's time. */
    long latest() {
        return latest;
    }

    /** Whether a counter was observed in a point's time. */
    boolean watched(int point) {
        return weight[point] > 0;
    }

    /** A counter's increase by point. */
    double[] increase() {
        return sum;
    }

    /** A counter's increase per second, where it was observed. */
    double[] rate() {
        double[] rate = new double[sum.length];
        Arrays.setAll(rate, i -> weight[i] == 0 ? Double.NaN : 1000 * sum[i] / weight[i]);
        return rate;
    }

    /** A gauge's mean, where it was read. */
    double[] mean() {
        double[] mean = new double[sum.length];
        Arrays.setAll(mean, i -> weight[i] == 0 ? Double.NaN : sum[i] / weight[i]);
        return mean;
    }

    double[] peaks() {
        return peak;
    }
}
