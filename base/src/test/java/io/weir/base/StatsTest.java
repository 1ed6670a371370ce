package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.junit.jupiter.api.Test;

final class StatsTest {
    private static final StatSpec REQUESTS =
            StatSpec.counter("weir_test_requests_total", "requests", "Requests.", "server");
    private static final StatSpec OPEN = StatSpec.gauge("weir_test_open", "connections", "Open.");
    private static final StatSpec TIME = StatSpec.histogram("weir_test_time", "nanoseconds", "Time.");

    private final Stats stats = new Stats();

    @Test
    void childrenAreCountedByLabel() {
        stats.counter(REQUESTS, "a").inc();
        stats.counter(REQUESTS, "a").add(4);
        stats.counter(REQUESTS, "b").inc();
        assertThat(stats.value(REQUESTS, "a")).isEqualTo(5);
        assertThat(stats.value(REQUESTS, "b")).isEqualTo(1);
        assertThat(stats.value(REQUESTS, "never")).isZero();
        assertThat(stats.sum(REQUESTS)).isEqualTo(6);
    }

    @Test
    void nothingIsCountedWhileCollectingIsOff() {
        Counter c = stats.counter(REQUESTS, "a");
        Histogram h = stats.histogram(TIME);
        c.inc();
        stats.collect(false);
        c.inc();
        h.record(5);
        assertThat(stats.collecting()).isFalse();
        assertThat(c.value()).isEqualTo(1);
        assertThat(h.count()).isZero();
        stats.collect(true);
        c.inc();
        assertThat(c.value()).isEqualTo(2);
    }

    @Test
    void gaugesBeyondTheBoundAreNotShownUntilOthersGo() {
        StatSpec depth = StatSpec.gauge("weir_test_depth", "messages", "Depth.", "queue");
        for (int i = 0; i < Stats.MAX_CHILDREN; i++) {
            stats.gauge(depth, () -> 1, "q" + i);
        }
        stats.gauge(depth, () -> 7, "one more");
        stats.gauge(depth, () -> 2, "q5");
        assertThat(stats.samples()).hasSize(Stats.MAX_CHILDREN);
        assertThat(stats.value(depth, "one more")).isZero();
        assertThat(stats.value(depth, "q5")).isEqualTo(2);

        stats.remove(depth, "q0");
        stats.gauge(depth, () -> 7, "one more");
        assertThat(stats.value(depth, "one more")).isEqualTo(7);
    }

    @Test
    void counterThatItsOwnerKeepsIsReadWhenAsked() {
        long[] total = {3};
        stats.counter(REQUESTS, () -> total[0], "own");
        total[0] = 5;
        assertThat(stats.value(REQUESTS, "own")).isEqualTo(5);
        assertThat(stats.samples().getFirst().spec().kind()).isEqualTo(StatSpec.Kind.COUNTER);
    }

    @Test
    void childrenAreBoundedAndTheRestShareOne() {
        for (int i = 0; i < Stats.MAX_CHILDREN; i++) {
            stats.counter(REQUESTS, "s" + i).inc();
        }
        stats.counter(REQUESTS, "one more").inc();
        stats.counter(REQUESTS, "and more").inc();
        stats.counter(REQUESTS, "s5").inc();
        assertThat(stats.value(REQUESTS, "other")).isEqualTo(2);
        assertThat(stats.value(REQUESTS, "s5")).isEqualTo(2);
        assertThat(stats.samples()).hasSize(Stats.MAX_CHILDREN + 1);
    }

    @Test
    void gaugesAreReadWhenAsked() {
        long[] value = {3};
        stats.gauge(OPEN, () -> value[0]);
        assertThat(stats.value(OPEN)).isEqualTo(3);
        value[0] = 4;
        assertThat(stats.value(OPEN)).isEqualTo(4);
        stats.gauge(OPEN, () -> 9);
        assertThat(stats.value(OPEN)).isEqualTo(9);
        stats.remove(OPEN);
        assertThat(stats.samples()).isEmpty();
    }

    @Test
    void histogramsGivePercentilesAndTheirSum() {
        Histogram h = stats.histogram(TIME);
        for (int i = 1; i <= 100; i++) {
            h.record(i);
        }
        h.record(-5);
        h.record(Long.MAX_VALUE);
        assertThat(h.count()).isEqualTo(102);
        assertThat(h.percentile(50)).isBetween(49L, 51L);
        assertThat(h.max()).isGreaterThanOrEqualTo(3_600_000_000_000L);
        assertThat(h.total()).isEqualTo(5050 + 3_600_000_000_000L);
        assertThat(h.countsUpTo(10)).containsExactly(11);
    }

    @Test
    void declaredValuesOfALabelAreShownBeforeTheyCountAndOthersAreNoticed() {
        StatSpec ends = StatSpec.counter("weir_test_ends_total", "ends", "Ends.", "server", "how")
                .withValues("good", "bad");
        stats.begin(ends, "a");
        assertThat(stats.samples())
                .extracting(Stats.Sample::labels)
                .containsExactly(List.of("a", "bad"), List.of("a", "good"));
        assertThatThrownBy(() -> stats.counter(ends, "a", "ugly"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("weir_test_ends_total has no ugly among [good, bad]");
        assertThatThrownBy(() -> OPEN.withValues("a")).hasMessage("weir_test_open has no labels");
    }

    /** Also where buckets are wider than one value, and where there are none. */
    @Test
    void countsUpToBoundsAreThoseOfTheLibraryForEachBound() {
        RandomGenerator random = Chance.seeded(1).random();
        long[] bounds = {0, 1, 127, 128, 129, 1000, 1024, 1_000_000, 5_000_000_000L, 3_600_000_000_000L, Long.MAX_VALUE
        };
        Histogram empty = stats.histogram(TIME);
        assertThat(empty.countsUpTo(bounds)).containsOnly(0);
        for (long most : new long[] {1, 200, 100_000, 10_000_000_000L, 4_000_000_000_000L}) {
            Histogram h = new Stats().histogram(TIME);
            ConcurrentHistogram library = new ConcurrentHistogram(3_600_000_000_000L, 2);
            for (int i = 0; i < 500; i++) {
                long value = random.nextLong(most);
                h.record(value);
                library.recordValue(Math.min(value, 3_600_000_000_000L));
            }
            assertThat(h.countsUpTo(bounds))
                    .isEqualTo(LongStream.of(bounds)
                            .map(b -> library.getCountBetweenValues(0, Math.min(b, 3_600_000_000_000L)))
                            .toArray());
        }
    }

    @Test
    void kindAndLabelsMustFitTheDeclaration() {
        assertThatThrownBy(() -> stats.counter(REQUESTS)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> stats.counter(OPEN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> stats.histogram(REQUESTS, "a")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StatSpec.counter("weir_x", "x", "No total."))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void samplesAreOrderedByNameAndLabels() {
        stats.counter(REQUESTS, "b");
        stats.counter(REQUESTS, "a");
        stats.gauge(OPEN, () -> 1);
        assertThat(stats.samples())
                .extracting(s -> s.spec().name() + s.labels())
                .containsExactly("weir_test_open[]", "weir_test_requests_total[a]", "weir_test_requests_total[b]");
    }

    @Test
    void averagesFollowTheLastMinutes() {
        LoadAverage average = new LoadAverage(1);
        for (int i = 0; i < 60; i++) {
            average.sample(10);
        }
        assertThat(average.oneMinute()).isCloseTo(10 * (1 - Math.exp(-1)), within(1e-9));
        assertThat(average.fiveMinutes()).isCloseTo(10 * (1 - Math.exp(-0.2)), within(1e-9));
        assertThat(average.fifteenMinutes()).isLessThan(average.fiveMinutes());
    }

    @Test
    void partsOfALiveValueFollowIt() {
        Live<String> live = new Live<>("one");
        Live<Integer> length = live.part(String::length);
        List<Integer> seen = new ArrayList<>();
        length.observe(seen::add);
        live.set("three");
        assertThat(length.get()).isEqualTo(5);
        assertThat(seen).containsExactly(3, 5);
    }

    @Test
    void steppedClockMovesOnlyWhenTold() {
        SteppedClock clock = new SteppedClock(1000);
        clock.step(Duration.ofMillis(5));
        assertThat(clock.millis()).isEqualTo(1005);
        assertThat(clock.nanos()).isEqualTo(5_000_000);
    }

    @Test
    void equalSeedsGiveEqualChance() {
        assertThat(Chance.seeded(7).random().nextLong())
                .isEqualTo(Chance.seeded(7).random().nextLong());
        assertThat(Chance.seeded(7).split().random().nextLong())
                .isEqualTo(Chance.seeded(7).split().random().nextLong());
        assertThat(Chance.secret(32)).hasSize(32).isNotEqualTo(Chance.secret(32));
    }
}
