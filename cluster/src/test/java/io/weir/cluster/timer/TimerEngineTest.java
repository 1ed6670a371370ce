package io.weir.cluster.timer;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.state.SnapshotCodec;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.timers.Misfire;
import io.weir.cluster.state.timers.TimerCommand;
import io.weir.cluster.state.timers.TimerSpec;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Timers fire: once, again where nobody saw the end, and not where they must not. */
class TimerEngineTest {
    private final TimerBench bench = new TimerBench();

    @Test
    void firesWhenDueAndOnlyAfterTheFiringIsCommitted() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        Fence fence = bench.begin(bench.a);
        bench.pass("PT9.999S");
        assertThat(bench.called).isEmpty();
        bench.pass("PT0.001S");
        assertThat(bench.called).singleElement().satisfies(c -> {
            assertThat(c.firing()).isEqualTo(new Firing("t", TimerBench.START.plusSeconds(10), fence, false));
            assertThat(c.committed()).isTrue();
        });
        assertThat(bench.timer("t").done()).isFalse();
        bench.returns("");
        assertThat(bench.timer("t").done()).isTrue();
        bench.passReturning("PT30S");
        assertThat(bench.seconds()).containsExactly(10L, 20L, 30L, 40L);
        assertThat(bench.stats.value(ClusterStats.FIRED, "t")).isEqualTo(4);
        assertThat(bench.stats.sum(ClusterStats.MISFIRED)).isZero();
    }

    /** Refused by its fence while this member was not sure of its lease: committed as open, so it must not be lost. */
    @Test
    void whatIsNotDoneBeginsAgain() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.pass("PT10S");
        bench.returns(TimerRunner.NOT_DONE);
        assertThat(bench.timer("t").done()).isFalse();
        assertThat(bench.seconds()).containsExactly(10L, 10L);
        bench.returns("");
        assertThat(bench.timer("t").done()).isTrue();
    }

    @Test
    void cronFollowsItsZone() {
        bench.ok(new TimerCommand.DefineTimer(
                new TimerSpec("t", "0 6 * * *", "Asia/Tokyo", Misfire.FIRE_ONCE, "x"),
                TimerBench.START.toEpochMilli()));
        bench.begin(bench.a);
        bench.pass("P1D");
        assertThat(bench.seconds()).containsExactly(21 * 3600L);
    }

    @Test
    void nobodyFiresWithoutTheLease() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.pass("PT1M");
        assertThat(bench.called).isEmpty();
        assertThat(bench.proposals).isZero();
    }

    @Test
    void fireOnceMakesOneOfAllThatWereMissed() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.pass("PT10M5S");
        bench.begin(bench.a);
        bench.passReturning("PT6S");
        assertThat(bench.seconds()).containsExactly(600L, 610L);
        assertThat(bench.stats.value(ClusterStats.MISFIRED, "skipped")).isEqualTo(59);
    }

    @Test
    void fireOnceMakesUpForOneHoweverLate() {
        bench.define("t", "every 1h", Misfire.FIRE_ONCE);
        bench.pass("PT2H30M");
        bench.begin(bench.a);
        assertThat(bench.seconds()).containsExactly(7200L);
        assertThat(bench.stats.value(ClusterStats.MISFIRED, "fired")).isEqualTo(1);
    }

    @Test
    void skipFiresNoneThatIsLaterThanAMinute() {
        bench.define("t", "every 1h", Misfire.SKIP);
        bench.pass("PT1H1M1S");
        bench.begin(bench.a);
        assertThat(bench.called).isEmpty();
        assertThat(bench.stats.value(ClusterStats.MISFIRED, "skipped")).isEqualTo(1);
        bench.passReturning("PT58M59S");
        assertThat(bench.seconds()).containsExactly(7200L);
    }

    @Test
    void skipFiresWhatAFailOverDelayedALittle() {
        bench.define("t", "every 1h", Misfire.SKIP);
        bench.pass("PT1H1M");
        bench.begin(bench.a);
        assertThat(bench.seconds()).containsExactly(3600L);
    }

    @Test
    void fireAllMakesUpForEachTheOldestFirstButAHundredAtMost() {
        bench.define("t", "every 10s", Misfire.FIRE_ALL);
        bench.pass("PT30S");
        bench.begin(bench.a);
        bench.passReturning("PT1S");
        assertThat(bench.seconds()).containsExactly(10L, 20L, 30L);
        bench.expire();
        bench.pass("PT1H");
        bench.called.clear();
        bench.begin(bench.b);
        bench.passReturning("PT1S");
        assertThat(bench.called).hasSize(TimerSpec.MISSED);
        assertThat(bench.seconds()).first().isEqualTo(3630L - 10 * (TimerSpec.MISSED - 1));
        assertThat(bench.seconds()).last().isEqualTo(3630L);
    }

    @Test
    void aFiringWhoseEndNobodySawIsRepeatedWithAHigherFence() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        Fence first = bench.begin(bench.a);
        bench.pass("PT10S");
        bench.expire();
        Fence second = bench.begin(bench.b);
        assertThat(bench.called).hasSize(2);
        assertThat(bench.called.get(0).firing().fence()).isEqualTo(first);
        assertThat(bench.called.get(1).member()).isEqualTo("b");
        assertThat(bench.called.get(1).firing())
                .isEqualTo(new Firing("t", TimerBench.START.plusSeconds(10), second, false));
        assertThat(bench.log.count(TimerMessages.REPEATED)).isEqualTo(1);
        bench.called.getFirst().done().accept("too late");
        bench.loop.run();
        assertThat(bench.timer("t").done()).as("an end with an older fence").isFalse();
        bench.returns("");
        assertThat(bench.timer("t").done()).isTrue();
        assertThat(bench.timer("t").lastFailure()).isEmpty();
    }

    @Test
    void aFiringThatEndedIsNotRepeated() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.pass("PT10S");
        bench.returns("");
        bench.expire();
        bench.begin(bench.b);
        bench.passReturning("PT10S");
        assertThat(bench.seconds()).containsExactly(10L, 20L);
    }

    @Test
    void aFiringCommittedWithoutAnAnswerRunsOnce() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.fate = TimerBench.Fate.COMMITTED_UNANSWERED;
        bench.pass("PT11S");
        assertThat(bench.called).hasSize(1);
        bench.returns("");
        bench.pass("PT2S");
        assertThat(bench.called).hasSize(1);
        assertThat(bench.timer("t").done()).isTrue();
    }

    @Test
    void aProposalThatIsLostIsMadeAgain() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.fate = TimerBench.Fate.LOST;
        bench.pass("PT12S");
        assertThat(bench.called).isEmpty();
        assertThat(bench.proposals).as("with pauses between").isBetween(3, 6);
        bench.fate = TimerBench.Fate.COMMITTED;
        bench.pass("PT1S");
        assertThat(bench.seconds()).containsExactly(10L);
        bench.fate = TimerBench.Fate.LOST;
        bench.returns("");
        bench.pass("PT1S");
        bench.fate = TimerBench.Fate.COMMITTED;
        bench.pass("PT1S");
        assertThat(bench.timer("t").done()).isTrue();
        assertThat(bench.called).hasSize(1);
    }

    @Test
    void aListenerThatRunsLongMissesWhatFallsDueMeanwhile() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.define("u", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.pass("PT10S");
        assertThat(bench.called).hasSize(2);
        bench.called.get(1).done().accept("");
        bench.pass("PT35S");
        assertThat(bench.called).as("u goes on, once; t waits").hasSize(3);
        bench.called.get(0).done().accept("");
        bench.loop.run();
        assertThat(bench.seconds()).containsExactly(10L, 10L, 20L, 40L);
    }

    @Test
    void aFailureIsLoggedCountedAndKeptAndTheTimerGoesOn() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.pass("PT10S");
        bench.returns("x".repeat(5_000));
        assertThat(bench.timer("t").lastFailure()).hasSize(1_000);
        assertThat(bench.log.count(TimerMessages.FAILED)).isEqualTo(1);
        assertThat(bench.stats.value(ClusterStats.FIRE_FAILED, "t")).isEqualTo(1);
        bench.pass("PT10S");
        assertThat(bench.seconds()).containsExactly(10L, 20L);
    }

    @Test
    void pausedItMissesAndResumedItsPolicySaysWhat() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.ok(new TimerCommand.PauseTimer("t"));
        bench.pass("PT35S");
        assertThat(bench.called).isEmpty();
        bench.ok(new TimerCommand.ResumeTimer("t"));
        assertThat(bench.seconds()).containsExactly(30L);
    }

    @Test
    void anOperatorsRequestFiresAtOnceAlsoAPausedOneAndLeavesTheScheduleAlone() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.ok(new TimerCommand.PauseTimer("t"));
        Fence fence = bench.begin(bench.a);
        bench.pass("PT3S");
        bench.ok(new TimerCommand.FireNow("t", bench.loop.clock().millis()));
        assertThat(bench.called)
                .singleElement()
                .satisfies(c -> assertThat(c.firing())
                        .isEqualTo(new Firing("t", TimerBench.START.plusSeconds(3), fence, true)));
        assertThat(TimerView.of(bench.timer("t")).running()).isTrue();
        bench.returns("");
        assertThat(bench.timer("t").requestOpen()).isFalse();
        bench.ok(new TimerCommand.ResumeTimer("t"));
        bench.pass("PT7S");
        assertThat(bench.seconds()).containsExactly(3L, 10L);
    }

    @Test
    void aPlannedMoveWaitsForTheListenersThatRunAndRepeatsNone() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        Fence fence = bench.begin(bench.a);
        bench.pass("PT10S");
        bench.ok(new SingletonCommand.Migrate(Leases.TIMERS_SERVICE, "b", ""));
        AtomicInteger quiet = new AtomicInteger();
        bench.a.end(quiet::incrementAndGet);
        bench.pass("PT12S");
        assertThat(quiet).hasValue(0);
        bench.returns("");
        assertThat(quiet).hasValue(1);
        assertThat(bench.called).as("nothing more fires here").hasSize(1);
        bench.ok(new io.weir.cluster.state.leases.LeaseCommand.Release(Leases.TIMERS, fence));
        bench.begin(bench.b);
        assertThat(bench.seconds()).containsExactly(10L, 20L);
        bench.a.end(quiet::incrementAndGet);
        assertThat(quiet).as("already ended").hasValue(2);
    }

    /** Without a majority no end is ever committed. */
    @Test
    void whoIsLosingTheLeaseWaitsForTheListenersButNotForTheLog() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.pass("PT10S");
        bench.fate = TimerBench.Fate.LOST;
        AtomicInteger quiet = new AtomicInteger();
        bench.a.end(quiet::incrementAndGet);
        bench.a.stopCommitting();
        bench.pass("PT2S");
        assertThat(quiet).as("the listener runs").hasValue(0);
        bench.returns("");
        assertThat(quiet).hasValue(1);
        bench.fate = TimerBench.Fate.COMMITTED;
        bench.expire();
        bench.begin(bench.b);
        assertThat(bench.seconds()).as("its end is not in the log").startsWith(10L, 10L);
    }

    @Test
    void whatItsEndWaitedForInVainIsNotWaitedForOnceTheLeaseIsBeingLost() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.pass("PT10S");
        bench.fate = TimerBench.Fate.LOST;
        AtomicInteger quiet = new AtomicInteger();
        bench.a.end(quiet::incrementAndGet);
        bench.returns("");
        bench.pass("PT5S");
        assertThat(quiet).as("its end may still be committed").hasValue(0);
        bench.a.stopCommitting();
        assertThat(quiet).hasValue(1);
    }

    @Test
    void whoLostTheLeaseIsQuietAtOnce() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.pass("PT10S");
        AtomicInteger quiet = new AtomicInteger();
        bench.a.end(quiet::incrementAndGet);
        bench.expire();
        assertThat(quiet).hasValue(1);
    }

    @Test
    void aListenerOfAnEarlierFenceThatStillRunsHereIsNotOvertaken() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.pass("PT10S");
        bench.expire();
        Fence second = bench.begin(bench.a);
        bench.pass("PT3S");
        assertThat(bench.called).hasSize(1);
        bench.returns("");
        assertThat(bench.called).hasSize(2);
        assertThat(bench.called.getLast().firing().fence()).isEqualTo(second);
    }

    @Test
    void aFenceThatIsDeadHereCallsNobody() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.admits = false;
        bench.pass("PT12S");
        assertThat(bench.called).isEmpty();
        assertThat(bench.timer("t").done()).isFalse();
    }

    @Test
    void aScheduleThatNobodyCanReadIsLoggedOnceAndTheOthersFire() {
        bench.define("bad", "whenever", Misfire.FIRE_ONCE);
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.passReturning("PT20S");
        assertThat(bench.seconds()).containsExactly(10L, 20L);
        assertThat(bench.log.count(TimerMessages.NO_SCHEDULE)).isEqualTo(1);
        assertThat(TimerView.of(bench.timer("bad")).next()).isNull();
    }

    @Test
    void removedWhileItRunsItIsForgotten() {
        bench.define("t", "every 10s", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.pass("PT10S");
        bench.ok(new TimerCommand.RemoveTimer("t"));
        bench.returns("");
        bench.pass("PT1M");
        assertThat(bench.called).hasSize(1);
    }

    @Test
    void whatIsKeptSurvivesARestartOfEverything() {
        bench.define("t", "every 1h", Misfire.FIRE_ONCE);
        bench.begin(bench.a);
        bench.pass("PT1H");
        byte[] snapshot = bench.holder.snapshot();
        TimerBench next = new TimerBench();
        next.holder.restore(snapshot);
        next.loop.pass(Duration.ofMinutes(61));
        assertThat(SnapshotCodec.decode(snapshot)).isEqualTo(next.holder.now());
        TimerView view = TimerView.of(next.timer("t"));
        assertThat(view.last()).isEqualTo(TimerBench.START.plusSeconds(3600));
        assertThat(view.next()).isEqualTo(TimerBench.START.plusSeconds(7200));
        assertThat(view.running()).isTrue();
    }
}
