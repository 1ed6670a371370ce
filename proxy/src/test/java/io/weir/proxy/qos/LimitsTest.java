package io.weir.proxy.qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Counter;
import io.weir.base.Stats;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two buckets: what they let through in any span of time. */
class LimitsTest {
    private static final long SECOND = 1_000_000_000L;

    private final Counter pauses = new Stats().counter(QosStats.PAUSES, "client");

    @Test
    void burstPassesAtOnceAndTheNextSaysWhenItWould() {
        RateLimit limit = new RateLimit(0);
        for (int i = 0; i < 3; i++) {
            assertThat(limit.take(0, 2, 3)).isZero();
        }
        assertThat(limit.take(0, 2, 3)).isEqualTo(SECOND / 2);
        assertThat(limit.take(SECOND / 2 - 1, 2, 3)).isEqualTo(1);
        assertThat(limit.take(SECOND / 2, 2, 3)).isZero();
        assertThat(limit.take(SECOND / 2, 2, 3)).isEqualTo(SECOND / 2);
        assertThat(limit.isIdle(SECOND)).isFalse();
        assertThat(limit.isIdle(2 * SECOND)).isTrue();
    }

    @Test
    void withoutABurstASecondsWorthMayComeAtOnceAndSlowRatesLetOneThrough() {
        RateLimit ten = new RateLimit(0);
        for (int i = 0; i < 10; i++) {
            assertThat(ten.take(0, 10, 0)).isZero();
        }
        assertThat(ten.take(0, 10, 0)).isPositive();
        RateLimit rare = new RateLimit(0);
        assertThat(rare.take(0, 0.1, 0)).isZero();
        assertThat(rare.take(9 * SECOND, 0.1, 0)).isEqualTo(SECOND);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void noMorePassInAnySpanThanTheRateAndOneBurst(long seed) {
        RandomGenerator r = Chance.seeded(seed).random();
        double rate = 1 + r.nextInt(100);
        int burst = 1 + r.nextInt(20);
        // the clock may begin anywhere, and wrap around
        long start = seed == 3 ? Long.MAX_VALUE - 3 * SECOND : r.nextLong();
        RateLimit limit = new RateLimit(start);
        List<Long> passed = new ArrayList<>();
        long t = 0;
        for (int i = 0; i < 3000; i++) {
            t += r.nextInt(8) == 0 ? r.nextLong(SECOND / 2) : r.nextLong(SECOND / 200);
            if (limit.take(start + t, rate, burst) == 0) {
                passed.add(t);
            }
        }
        for (int i = 0; i < passed.size(); i += 7) {
            for (int j = i; j < passed.size(); j += 5) {
                double span = (passed.get(j) - passed.get(i)) / 1e9;
                assertThat(j - i + 1).as("seed %d", seed).isLessThanOrEqualTo((int) (span * rate + burst + 1e-3) + 1);
            }
        }
        assertThat(passed.size()).isGreaterThan((int) (t / 1e9 * rate / 4));
    }

    @Test
    void severalThreadsTakeNoMoreThanTheBurst() throws Exception {
        RateLimit limit = new RateLimit(0);
        AtomicInteger passed = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            Thread.ofPlatform().start(() -> {
                for (int n = 0; n < 1000; n++) {
                    passed.addAndGet(limit.take(0, 1, 500) == 0 ? 1 : 0);
                }
                done.countDown();
            });
        }
        assertThat(done.await(3, TimeUnit.MINUTES)).isTrue();
        assertThat(passed).hasValue(500);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void noMoreBytesAreGrantedInAnySpanThanTheRateAndOneBucket(long seed) {
        RandomGenerator r = Chance.seeded(seed).random();
        long rate = 1000L << r.nextInt(16);
        Bandwidth bandwidth = new Bandwidth(0, pauses);
        bandwidth.rate(rate);
        long bucket = Math.max(Bandwidth.LEAST_BURST_BYTES, rate / 4);
        long now = 0;
        long granted = 0;
        long most = 0;
        for (int i = 0; i < 5000; i++) {
            now += r.nextLong(SECOND / 20);
            long want = 1 + r.nextLong(rate);
            long got = bandwidth.grant(want, now);
            assertThat(got).isBetween(0L, want);
            long back = got == 0 ? 0 : r.nextLong(got);
            bandwidth.refund(back);
            granted += got - back;
            most = Math.max(most, granted - (long) (now / 1e9 * rate));
        }
        assertThat(most).as("seed %d, rate %d", seed, rate).isLessThanOrEqualTo(bucket + 1);
        assertThat(granted).isGreaterThan((long) (now / 1e9 * rate * 0.1));
    }

    @Test
    void thoseWhoWaitShareWhatThereIs() {
        Bandwidth bandwidth = new Bandwidth(0, pauses);
        bandwidth.rate(400_000);
        assertThat(bandwidth.available(0)).isEqualTo(100_000);
        bandwidth.beginWait();
        bandwidth.beginWait();
        assertThat(bandwidth.share(0, 0)).isEqualTo(50_000);
        assertThat(bandwidth.share(0, 2)).isEqualTo(25_000);
        bandwidth.endWait();
        bandwidth.endWait();
        assertThat(pauses.value()).isEqualTo(2);
        bandwidth.rate(0);
        assertThat(bandwidth.grant(Long.MAX_VALUE, 0)).isEqualTo(Long.MAX_VALUE);
    }
}
