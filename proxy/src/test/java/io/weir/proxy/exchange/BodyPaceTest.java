package io.weir.proxy.exchange;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BodyPaceTest {
    private static final long PAUSE = SECONDS.toNanos(60);
    private static final long RATE = 100;

    private final BodyPace pace = new BodyPace();
    private long now = 12_345;

    BodyPaceTest() {
        pace.begin(PAUSE);
    }

    @Test
    void thePatienceIsTheLongestPauseAtFirst() {
        assertThat(pace.await(now, PAUSE)).isEqualTo(PAUSE);
    }

    @Test
    void whoTricklesJustWithinTheLongestPauseIsCutSoon() {
        comesAfter(59, 1);
        assertThat(pace.await(now, PAUSE)).isEqualTo(SECONDS.toNanos(1) + SECONDS.toNanos(1) / RATE);
        comesAfter(1, 1);
        assertThat(pace.await(now, PAUSE)).isEqualTo(2 * SECONDS.toNanos(1) / RATE);
        assertThat(pace.silence(now)).isZero();
    }

    @Test
    void whoSendsAtTheLeastRateIsWaitedForEver() {
        for (int i = 0; i < 1000; i++) {
            comesAfter(10, (int) (10 * RATE));
            assertThat(pace.await(now, PAUSE)).isEqualTo(PAUSE);
        }
    }

    @Test
    void whoSendsOneByteLessThanTheLeastRateIsNot() {
        for (int i = 0; i < 100; i++) {
            comesAfter(10, (int) (10 * RATE) - 1);
        }
        assertThat(pace.await(now, PAUSE)).isEqualTo(PAUSE - SECONDS.toNanos(1));
    }

    @Test
    void manyBytesAtOnceBuyNoMoreThanTheLongestPause() {
        comesAfter(1, Integer.MAX_VALUE);
        assertThat(pace.await(now, PAUSE)).isEqualTo(PAUSE);
    }

    @Test
    void timeInWhichWeirTakesNothingDoesNotCount() {
        comesAfter(20, 0);
        pace.pause(now);
        now += SECONDS.toNanos(1000);
        pace.pause(now);
        assertThat(pace.await(now, PAUSE)).isEqualTo(PAUSE - SECONDS.toNanos(20));
    }

    @Test
    void framingThatCarriesNothingBuysNothing() {
        for (int i = 0; i < 59; i++) {
            pace.await(now, PAUSE);
            now += SECONDS.toNanos(1);
        }
        assertThat(pace.await(now, PAUSE)).isEqualTo(SECONDS.toNanos(1));
        assertThat(pace.silence(now)).isEqualTo(SECONDS.toNanos(59));
    }

    @Test
    void withoutARateEveryByteBuysTheWholePause() {
        comesAfter(59, 1, 0);
        assertThat(pace.await(now, PAUSE)).isEqualTo(PAUSE);
    }

    @Test
    void theHighestRateIsNotRoundedToNone() {
        comesAfter(59, 1 << 30, 1L << 30);
        assertThat(pace.await(now, PAUSE)).isEqualTo(SECONDS.toNanos(2));
    }

    @Test
    void whatIsUsedUpStillWaitsAMoment() {
        pace.await(now, PAUSE);
        now += 2 * PAUSE;
        assertThat(pace.await(now, PAUSE)).isOne();
    }

    private void comesAfter(int seconds, int bytes) {
        comesAfter(seconds, bytes, RATE);
    }

    private void comesAfter(int seconds, int bytes, long rate) {
        pace.await(now, PAUSE);
        now += SECONDS.toNanos(seconds);
        pace.received(bytes, now, PAUSE, rate);
    }
}
