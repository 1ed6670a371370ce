package io.weir.lab.bench.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.weir.base.Chance;
import org.junit.jupiter.api.Test;

class PairedRatioTest {
    private static final double[] OURS = {6, 7, 6.5, 6.2, 9, 6.4, 6.3, 6.1, 6.6, 6.2};
    private static final double[] THEIRS = {10, 11, 10.4, 10, 16, 10.2, 9.9, 10.1, 10.3, 10};

    @Test
    void medianOfOddAndEvenCounts() {
        assertThat(PairedRatio.median(new double[] {3, 1, 2})).isEqualTo(2);
        assertThat(PairedRatio.median(new double[] {4, 1, 3, 2})).isEqualTo(2.5);
        assertThat(PairedRatio.median(new double[] {7})).isEqualTo(7);
    }

    @Test
    void medianOfNothingIsRefused() {
        assertThatThrownBy(() -> PairedRatio.median(new double[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void medianLeavesItsFiguresInOrder() {
        double[] figures = {3, 1, 2};
        PairedRatio.median(figures);
        assertThat(figures).containsExactly(3, 1, 2);
    }

    @Test
    void roundsAreDividedInPairs() {
        // In the second round the machine was ten times slower for both.
        PairedRatio ratio = PairedRatio.of(new double[] {1, 20, 3}, new double[] {2, 40, 6}, Chance.seeded(1));
        assertThat(ratio).isEqualTo(new PairedRatio(0.5, 0.5, 0.5, 3));
    }

    @Test
    void seriesOfDifferentLengthsAreNoPairs() {
        assertThatThrownBy(() -> PairedRatio.of(new double[2], new double[3], Chance.seeded(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PairedRatio.of(new double[0], new double[0], Chance.seeded(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sameSeedGivesTheSameInterval() {
        assertThat(PairedRatio.of(OURS, THEIRS, Chance.seeded(7)))
                .isEqualTo(PairedRatio.of(OURS, THEIRS, Chance.seeded(7)));
    }

    @Test
    void intervalHoldsTheMedianAndLiesWithinTheFigures() {
        for (long seed = 0; seed < 20; seed++) {
            PairedRatio ratio = PairedRatio.of(OURS, THEIRS, Chance.seeded(seed));
            assertThat(ratio.low()).as("seed %d", seed).isLessThanOrEqualTo(ratio.median());
            assertThat(ratio.high()).as("seed %d", seed).isGreaterThanOrEqualTo(ratio.median());
            assertThat(ratio.low()).isGreaterThan(0.56);
            assertThat(ratio.high()).isLessThan(0.65);
        }
    }

    @Test
    void moreFiguresMakeTheIntervalNarrower() {
        double[] few = {1, 2, 3, 4, 5, 6};
        double[] many = new double[600];
        for (int i = 0; i < many.length; i++) {
            many[i] = 1 + i % 6;
        }
        PairedRatio wide = PairedRatio.ofMedian(few, Chance.seeded(3));
        PairedRatio narrow = PairedRatio.ofMedian(many, Chance.seeded(3));
        assertThat(narrow.high() - narrow.low()).isLessThan(wide.high() - wide.low());
        assertThat(narrow.median()).isCloseTo(wide.median(), within(0.01));
    }

    @Test
    void textHasTwoDecimalsAndThreeWhereAPercentDecides() {
        PairedRatio ratio = new PairedRatio(1.0049, 0.99, 1.0151, 10);
        assertThat(ratio.text()).isEqualTo("1.00 [0.99, 1.02]");
        assertThat(ratio.fineText()).isEqualTo("1.005 [0.990, 1.015]");
    }
}
