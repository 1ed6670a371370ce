package io.weir.server.history;

import java.util.Arrays;

/** One series as it is read, gathered by points. Confined to the reading thread. */
final class Track {
    /** A row later than so many times what it stands for does not follow the one before: the server was down between. */
    private static final int GAP = 2;

    private final Question question;
    /** What a count rose by, or the sum of a gauge's readings. */
    private final double[] sum;
    /** Milliseconds in which a count was watched, or a gauge's readings. */
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

    /** A count's value at a time. A count that is less than before began anew: all of it was counted since. */
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

    /** The series ended: what comes later under its name is another. */
    void end() {
        lastMillis = Long.MIN_VALUE;
    }

    private int point(long millis) {
        return millis < question.from() || millis >= question.to()
                ? -1
                : (int) ((millis - question.from()) / question.step());
    }

    /** When it was seen last, in time asked for or not. */
    long latest() {
        return latest;
    }

    /** Whether a count was watched in a point's time. */
    boolean watched(int point) {
        return weight[point] > 0;
    }

    /** A count's increase by point. */
    double[] increase() {
        return sum;
    }

    /** A count's increase for each second, where it was watched. */
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
