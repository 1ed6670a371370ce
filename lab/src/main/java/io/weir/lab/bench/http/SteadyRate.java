package io.weir.lab.bench.http;

/**
 * The rate of a run, which is lowered when the load cannot keep it up: two rounds in a row that are not counted, the last
 * one because the load's processor had too much to do. Once may be a disturbance. Confined to its run's thread.
 */
final class SteadyRate {
    private static final double LESS = 0.8;
    /** Below this part of the first rate the load is not what is late. */
    private static final double LEAST = 0.2;

    private static final int IN_A_ROW = 2;
    private final double first;
    private final boolean chosen;
    private double perSecond;
    private int lost;

    /** @param chosen whether the operator chose it, so that it stays */
    SteadyRate(double perSecond, boolean chosen) {
        this.first = perSecond;
        this.perSecond = perSecond;
        this.chosen = chosen;
    }

    double perSecond() {
        return perSecond;
    }

    /** After a round that was counted. */
    void kept() {
        lost = 0;
    }

    /**
     * After a round that was not counted; returns whether the next one has a lower rate.
     *
     * @param saturated whether the load's processor had too much to do; a lower rate does not help against other programs
     */
    boolean lost(boolean saturated) {
        lost++;
        if (chosen || !saturated || lost < IN_A_ROW || perSecond * LESS < first * LEAST) {
            return false;
        }
        perSecond *= LESS;
        lost = 0;
        return true;
    }
}
