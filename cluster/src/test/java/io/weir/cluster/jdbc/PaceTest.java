package io.weir.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SteppedClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long MILLI = 1_000_000;

    private final SteppedClock clock = new SteppedClock(0);
    private final Pace pace = new Pace(clock, 100 * MILLI);

    @Test
    void whileNothingHappensTheConfiguredIntervalIsKept() {
        assertThat(pace.next()).isEqualTo(100 * MILLI);
        pace.moved();
        clock.step(Duration.ofMinutes(1));
        assertThat(pace.next()).isEqualTo(100 * MILLI);
    }

    @Test
    void afterAnEntryTheTableIsAskedSoonAndThenLessAndLessOften() {
        pace.moved();
        assertThat(pace.next()).isEqualTo(10 * MILLI);
        clock.step(Duration.ofMillis(200));
        assertThat(pace.next()).isEqualTo(50 * MILLI);
        int questions = 0;
        pace.moved();
        for (; pace.next() < 100 * MILLI; questions++) {
            clock.step(Duration.ofNanos(pace.next()));
        }
        assertThat(questions).as("what an entry costs").isLessThanOrEqualTo(15);
    }

    @Test
    void aShorterIntervalIsNotMadeLonger() {
        Pace short5 = new Pace(clock, 5 * MILLI);
        short5.moved();
        assertThat(short5.next()).isEqualTo(5 * MILLI);
    }
}
