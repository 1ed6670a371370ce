package io.weir.lab.bench.figures;

import io.weir.base.Chance;
import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The median of ratios that were measured in pairs, with the middle 95 % of its bootstrap distribution. Immutable.
 *
 * @param low lower end of the interval
 * @param high upper end of the interval
 * @param figures the number of ratios
 */
public record PairedRatio(double median, double low, double high, int figures) {
    private static final int RESAMPLES = 4000;

    /**
     * Ratio of two series measured in turn: the n-th of one is divided by the n-th of the other, so slow changes of the
     * machine cancel out.
     *
     * @param chance chooses the resamples: the same seed gives the same interval
     */
    public static PairedRatio of(double[] numerators, double[] denominators, Chance chance) {
        if (numerators.length != denominators.length || numerators.length == 0) {
            throw new IllegalArgumentException("pairs are needed");
        }
        double[] ratios = new double[numerators.length];
        Arrays.setAll(ratios, i -> numerators[i] / denominators[i]);
        return ofMedian(ratios, chance);
    }

    /** The median of some figures with its bootstrap interval. */
    public static PairedRatio ofMedian(double[] figures, Chance chance) {
        RandomGenerator random = chance.random();
        double[] medians = new double[RESAMPLES];
        double[] sample = new double[figures.length];
        for (int i = 0; i < RESAMPLES; i++) {
            Arrays.setAll(sample, j -> figures[random.nextInt(figures.length)]);
            medians[i] = median(sample);
        }
        Arrays.sort(medians);
        int tail = RESAMPLES * 25 / 1000;
        return new PairedRatio(median(figures), medians[tail], medians[RESAMPLES - 1 - tail], figures.length);
    }

    public static double median(double[] figures) {
        if (figures.length == 0) {
            throw new IllegalArgumentException("nothing has no median");
        }
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Such as {@code 0.63 [0.61, 0.66]}. */
    public String text() {
        return String.format(Locale.ROOT, "%.2f [%.2f, %.2f]", median, low, high);
    }

    /** The same with three decimals, for when a percent matters. */
    String fineText() {
        return String.format(Locale.ROOT, "%.3f [%.3f, %.3f]", median, low, high);
    }
}
