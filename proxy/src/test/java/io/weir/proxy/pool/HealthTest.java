package io.weir.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Clock;
import io.weir.base.SteppedClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Servers that fail go, and come back carefully. */
class HealthTest {
    private static Standing standing(PoolBench bench, String server) {
        return bench.server(server).health().standing();
    }

    private static void step(PoolBench bench, int seconds) {
        bench.clock.step(Duration.ofSeconds(seconds));
    }

    @Test
    void failuresInARowTakeAServerOutAndOneLessDoesNot() {
        PoolBench bench = PoolBench.of(1, "health.failures=3");
        bench.fails();
        bench.fails();
        bench.ok();
        bench.fails();
        bench.fails();
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.UP);
        bench.fails();
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.DOWN);
        assertThat(standing(bench, "a").reason()).isEqualTo("3 failures in a row: refused");
    }

    @Test
    void aServerThatIsDownGetsNothingUntilItsTimeIsOver() {
        PoolBench bench = PoolBench.of(2, "health.failures=1", "health.down-time=10s");
        assertThat(bench.fails()).isEqualTo("a");
        step(bench, 9);
        assertThat(bench.spread(20)).isEqualTo(Map.of("b", 20));
        step(bench, 1);
        assertThat(bench.spread(20)).containsKey("a");
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.UP);
    }

    @Test
    void theBreakerIsHalfOpenForOneRequestAtATime() {
        PoolBench bench = PoolBench.of(2, "health.failures=1", "health.down-time=10s", "health.trials=2");
        bench.fails();
        step(bench, 10);
        Attempts trial = bench.request();
        while (!PoolBench.host(trial.first(0)).equals("a")) {
            trial.over();
            trial = bench.request();
        }
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.TRIAL);
        assertThat(bench.spread(20)).isEqualTo(Map.of("b", 20));
        trial.answered(200, 0);
        trial.over();
        assertThat(standing(bench, "a").state()).as("one of two trials passed").isEqualTo(HealthState.TRIAL);
        bench.spread(20);
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.UP);
        assertThat(bench.events).containsSubsequence("a down", "a trial", "a up");
    }

    /** Between the look at the state and the attempt to probe, another request probes it and puts it up. */
    @Test
    void aServerThatAnotherProbePutUpMeanwhileAdmits() {
        PoolRules rules = PoolBench.of(1).rules("health.failures=1", "health.down-time=10s", "health.trials=1");
        SteppedClock time = new SteppedClock(0);
        AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                Runnable other = meanwhile.getAndSet(null);
                if (other != null) {
                    other.run();
                }
                return time.nanos();
            }

            @Override
            public long millis() {
                return time.millis();
            }
        };
        Health health = new Health(() -> rules, clock, () -> 0, false, (_, _) -> {});
        health.failed("refused", false);
        time.step(Duration.ofSeconds(10));
        meanwhile.set(() -> {
            assertThat(health.admit()).isEqualTo(Admission.TRIAL);
            health.succeeded(true);
        });
        assertThat(health.admit()).isEqualTo(Admission.ADMITTED);
        assertThat(health.standing().state()).isEqualTo(HealthState.UP);
    }

    @Test
    void aTrialThatFailsDoublesTheTimeUpToItsBound() {
        PoolBench bench = PoolBench.of(1, "health.failures=1", "health.down-time=10s", "health.max-down-time=35s");
        long[] expected = {10, 20, 35, 35};
        for (long seconds : expected) {
            bench.fails();
            assertThat(Duration.ofNanos(standing(bench, "a").nanos())).isEqualTo(Duration.ofSeconds(seconds));
            step(bench, (int) seconds);
        }
    }

    @Test
    void aTrialWhoseClientLeavesIsGivenToTheNext() {
        PoolBench bench = PoolBench.of(1, "health.failures=1", "when-all-down=refuse");
        bench.fails();
        step(bench, 10);
        Attempts trial = bench.request();
        assertThat(PoolBench.host(trial.first(0))).isEqualTo("a");
        assertThat(bench.ok()).isEqualTo("-");
        trial.over();
        assertThat(bench.ok()).isEqualTo("a");
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.UP);
    }

    @Test
    void requestsFromBeforeItWentDownDoNotFailTheTrial() {
        PoolBench bench = PoolBench.of(1, "health.failures=1");
        Attempts early = bench.request();
        early.first(0);
        bench.fails();
        step(bench, 10);
        Attempts trial = bench.request();
        trial.first(0);
        early.failed("reset");
        early.over();
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.TRIAL);
        trial.answered(200, 0);
        trial.over();
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.UP);
    }

    @Test
    void statusesMayBeFailures() {
        PoolBench bench = PoolBench.of(1, "health.failures=2");
        for (int status : new int[] {503, 500, 503, 502}) {
            Attempts a = bench.request();
            a.first(0);
            a.answered(status, 0);
            a.over();
        }
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.DOWN);
        assertThat(standing(bench, "a").reason()).isEqualTo("2 failures in a row: status 502");
        assertThat(bench.server("a").failures()).isEqualTo(3);
    }

    @Test
    void aRatioOfAWindowTakesAServerOut() {
        String[] knobs = {
            "health.failures=0", "health.failure-ratio=50", "health.ratio-requests=10", "health.ratio-window=10s"
        };
        PoolBench bench = PoolBench.of(1, knobs);
        for (int i = 0; i < 4; i++) {
            bench.ok();
            bench.fails();
        }
        assertThat(standing(bench, "a").state()).as("8 requests").isEqualTo(HealthState.UP);
        bench.ok();
        bench.fails();
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.DOWN);
        assertThat(standing(bench, "a").reason()).startsWith("5 of 10 requests failed: ");

        PoolBench slow = PoolBench.of(1, knobs);
        for (int i = 0; i < 20; i++) {
            slow.ok();
            slow.fails();
            step(slow, 6);
        }
        assertThat(standing(slow, "a").state()).as("never ten in a window").isEqualTo(HealthState.UP);
    }

    @Test
    void aServerThatComesBackStartsSlowly() {
        PoolBench bench = PoolBench.of(2, "health.failures=1", "slow-start=10s");
        assertThat(bench.fails()).isEqualTo("a");
        step(bench, 10);
        while (standing(bench, "a").state() != HealthState.WARMING) {
            bench.ok();
        }
        int first = bench.spread(110).getOrDefault("a", 0);
        assertThat(first).as("a tenth of the other's share").isBetween(9, 11);
        step(bench, 5);
        assertThat(bench.spread(300).get("a")).as("half of the other's").isBetween(99, 101);
        step(bench, 5);
        assertThat(bench.spread(100)).containsEntry("a", 50);
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.UP);
    }

    @Test
    void aNewServerBesideOthersStartsSlowly() {
        PoolBench bench = PoolBench.of(1, "slow-start=10s");
        assertThat(standing(bench, "a").state()).as("the first of all").isEqualTo(HealthState.UP);
        bench.servers(2, "slow-start=10s");
        assertThat(bench.spread(110).get("b")).isBetween(9, 11);
    }

    @Test
    void checksTakeAServerOutAndOnlyChecksBringItBack() {
        PoolBench bench = PoolBench.of(2, "check.path=/health", "check.fall=2", "check.rise=2");
        PoolServer a = bench.server("a");
        a.checkFailed("no answer in time");
        a.checkPassed();
        a.checkFailed("no answer in time");
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.UP);
        a.checkFailed("no answer in time");
        assertThat(standing(bench, "a").reason()).isEqualTo("check failed: no answer in time");
        step(bench, 100_000);
        assertThat(bench.spread(10)).isEqualTo(Map.of("b", 10));
        a.checkPassed();
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.DOWN);
        a.checkPassed();
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.UP);
    }

    @Test
    void withoutChecksAServerThatTheyTookOutIsTriedByRequests() {
        PoolBench bench = PoolBench.of(2, "check.path=/health", "check.fall=1");
        bench.server("a").checkFailed("status 500");
        bench.server("a").unchecked();
        assertThat(bench.spread(40)).containsKey("a");
        assertThat(standing(bench, "a").state()).isEqualTo(HealthState.UP);
    }

    @Test
    void whenAllAreDownOneIsTriedUnlessTheyAreToBeSpared() {
        PoolBench tries = PoolBench.of(2, "health.failures=1");
        tries.fails();
        tries.fails();
        assertThat(tries.fails()).isIn("a", "b");

        PoolBench refuses = PoolBench.of(2, "health.failures=1", "when-all-down=refuse");
        refuses.fails();
        refuses.fails();
        Attempts none = refuses.request();
        assertThat(none.first(0)).isNull();
        assertThat(none.refusal()).isEqualTo(PoolRefusal.DOWN);
        assertThat(refuses.pool.counts().refusedDown()).isEqualTo(1);
    }
}
