package io.weir.lab.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.base.Chance;
import io.weir.lab.bench.process.BenchFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which rounds of a latency run count, at which rate, and what they say. */
final class TailRoundsTest {
    private final TailRounds rounds = new TailRounds(List.of("weir", "nginx", "haproxy"));

    private static SteadyLoad.Tail tail(double p999, double late) {
        return new SteadyLoad.Tail(0, 10, 100, p999, 2 * p999, late, 0.4);
    }

    private void take(int times, double weir, double nginx, double haproxy) {
        for (int i = 0; i < times; i++) {
            assertThat(rounds.take(List.of(tail(weir + i, 10), tail(nginx + i, 10), tail(haproxy + i, 10))))
                    .isEmpty();
        }
    }

    @Test
    void loadsAnswerIsRead() throws BenchFailure {
        assertThat(SteadyLoad.Tail.parse("found 1 2.5 3.0 4.0 5.0 6.0 0.250"))
                .isEqualTo(new SteadyLoad.Tail(1, 2.5, 3, 4, 5, 6, 0.25));
        for (String wrong : List.of("found 1 2.5 3.0 4.0 5.0", "nothing", "lost 1 2 3 4 5 6 7")) {
            assertThatExceptionOfType(BenchFailure.class)
                    .isThrownBy(() -> SteadyLoad.Tail.parse(wrong))
                    .withMessageContaining(wrong);
        }
    }

    @Test
    void turnIsOfTheLoadIfMostOfItsTimeIsTheLoadsOwn() {
        assertThat(tail(1000, 499).ofTheLoad()).isFalse();
        assertThat(tail(1000, 501).ofTheLoad()).isTrue();
        assertThat(tail(210, 199).ofTheLoad()).as("of no matter").isFalse();
        assertThat(tail(210, 201).ofTheLoad()).isTrue();
    }

    @Test
    void roundWithALateLoadCountsForNoServer() {
        take(2, 1000, 2000, 3000);
        assertThat(rounds.take(List.of(tail(1, 1), tail(90_000, 80_000), tail(1, 1))))
                .hasValueSatisfying(not -> {
                    assertThat(not.reason())
                            .contains("nginx's turn", "80000 of 90000 us", "40 % busy, so that was another program");
                    assertThat(not.saturated()).isFalse();
                });
        assertThat(rounds.counted()).isEqualTo(2);
        assertThat(rounds.tried()).isEqualTo(3);
        assertThat(rounds.figures(Map.of())).doesNotContain("90000");
    }

    @Test
    void originOnTheLoadsProcessorMayBeWhatSaturatesIt() {
        SteadyLoad.Tail late = tail(90_000, 80_000);
        assertThat(late.saturated()).isFalse();
        assertThat(rounds.take(List.of(late.beside(0.35), late, late))).hasValueSatisfying(not -> {
            assertThat(not.reason()).contains("weir's turn").endsWith("75 % busy");
            assertThat(not.saturated()).isTrue();
        });
    }

    @Test
    void verdictIsAgainstThePeerWithTheLowestTail() {
        take(6, 1000, 3000, 2000);
        assertThat(rounds.ratio(Chance.seeded(1))).contains("weir / haproxy, p99.9", "0.50 [0.50, 0.50]", "met");
    }

    @Test
    void verdictMayBeMissed() {
        take(6, 2000, 3000, 1000);
        assertThat(rounds.ratio(Chance.seeded(1))).contains("weir / haproxy", "missed");
    }

    @Test
    void fewRoundsGiveNoVerdict() {
        take(5, 1000, 3000, 2000);
        assertThat(rounds.ratio(Chance.seeded(1))).contains("open").doesNotContain("met |");
    }

    /** There is a result, but no verdict. */
    @Test
    void withoutACountedRoundTheOthersAreShown() {
        for (int i = 0; i < 8; i++) {
            assertThat(rounds.take(List.of(tail(1000, 900), tail(2000, 900), tail(3000, 900))))
                    .isPresent();
        }
        assertThat(rounds.counted()).isZero();
        assertThat(rounds.figures(Map.of("weir", "0.2"))).contains("| weir    | 0.2", "| 2000 ", "| 900");
        assertThat(rounds.ratio(Chance.seeded(1)))
                .contains("0.50 [0.50, 0.50]", "open")
                .doesNotContain("met |");
    }

    @Test
    void rateIsLoweredAfterTwoLostRoundsInARow() {
        SteadyRate rate = new SteadyRate(1000, false);
        assertThat(rate.lost(true)).isFalse();
        rate.kept();
        assertThat(rate.lost(true)).as("one after a kept one").isFalse();
        assertThat(rate.perSecond()).isEqualTo(1000);
        assertThat(rate.lost(true)).isTrue();
        assertThat(rate.perSecond()).isEqualTo(800);
    }

    @Test
    void rateStaysWhereOtherProgramsMadeTheLoadLate() {
        SteadyRate rate = new SteadyRate(1000, false);
        for (int i = 0; i < 100; i++) {
            assertThat(rate.lost(false)).isFalse();
        }
        assertThat(rate.perSecond()).isEqualTo(1000);
        assertThat(rate.lost(true)).as("the second in a row, and of the load").isTrue();
    }

    @Test
    void rateHasALowerEnd() {
        SteadyRate rate = new SteadyRate(1000, false);
        for (int i = 0; i < 100; i++) {
            rate.lost(true);
        }
        assertThat(rate.perSecond()).isBetween(200.0, 250.0);
    }

    @Test
    void rateThatTheOperatorChoseStays() {
        SteadyRate rate = new SteadyRate(1000, true);
        for (int i = 0; i < 100; i++) {
            assertThat(rate.lost(true)).isFalse();
        }
        assertThat(rate.perSecond()).isEqualTo(1000);
    }
}
