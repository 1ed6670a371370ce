package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.timers.Misfire;
import io.weir.cluster.state.timers.TimerCommand;
import io.weir.cluster.state.timers.TimerEvent;
import io.weir.cluster.state.timers.TimerSpec;
import io.weir.cluster.state.timers.TimerState;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the state accepts of timers. */
class TimerRulesTest {
    private static final TimerSpec NIGHTLY = new TimerSpec("nightly", "0 3 * * *", "UTC", Misfire.FIRE_ONCE, "t");

    private StateBench b = StateBench.of("a", "b");
    private Fence fence = Fence.NONE;

    @BeforeEach
    void run() {
        b = StateBench.of("a", "b");
        b.define(SingletonSpec.of(Leases.TIMERS_SERVICE, "weir"));
        fence = b.runs(Leases.TIMERS_SERVICE);
        b.ok(new TimerCommand.DefineTimer(NIGHTLY, 1_000));
    }

    private TimerCommand.Fire fire(long at) {
        return new TimerCommand.Fire("nightly", at, fence, false);
    }

    private TimerCommand.FireDone done(long at) {
        return new TimerCommand.FireDone("nightly", at, fence, false, "");
    }

    @Test
    void eachTimeFiresOnceAndInOrder() {
        b.refused(fire(1_000), Refusal.CHANGED);
        b.ok(fire(2_000));
        assertThat(b.events(TimerEvent.Fired.class))
                .containsExactly(new TimerEvent.Fired("nightly", 2_000, fence, false));
        b.refused(fire(2_000), Refusal.CHANGED);
        b.refused(fire(3_000), Refusal.BUSY);
        b.ok(done(2_000));
        b.ok(done(2_000));
        b.refused(fire(2_000), Refusal.CHANGED);
        b.refused(fire(1_500), Refusal.CHANGED);
        b.ok(fire(3_000));
        assertThat(b.timer("nightly").firings()).isEqualTo(2);
    }

    @Test
    void aFiringThatWasNotSeenToEndIsRepeatedByTheNextHolderOnly() {
        b.ok(fire(2_000));
        Fence old = fence;
        b.expire(Leases.TIMERS);
        fence = b.runs(Leases.TIMERS_SERVICE);
        b.refused(new TimerCommand.Fire("nightly", 3_000, old, false), Refusal.STALE_FENCE);
        b.refused(new TimerCommand.FireDone("nightly", 2_000, old, false, ""), Refusal.STALE_FENCE);
        b.refused(fire(3_000), Refusal.BUSY);
        b.ok(fire(2_000));
        b.refused(fire(2_000), Refusal.CHANGED);
        b.ok(done(2_000));
        assertThat(b.state.fenceRefusals()).isEqualTo(2);
    }

    @Test
    void oneThatEndedIsNotRepeatedByTheNextHolder() {
        b.ok(fire(2_000));
        b.ok(done(2_000));
        b.expire(Leases.TIMERS);
        fence = b.runs(Leases.TIMERS_SERVICE);
        b.refused(fire(2_000), Refusal.CHANGED);
        b.ok(fire(3_000));
    }

    @Test
    void skippedTimesNeverFire() {
        b.ok(new TimerCommand.Skip("nightly", 5_000, fence));
        b.refused(fire(5_000), Refusal.CHANGED);
        b.ok(fire(6_000));
        b.refused(new TimerCommand.Skip("nightly", 7_000, fence), Refusal.BUSY);
        b.refused(new TimerCommand.Skip("nightly", 7_000, new Fence(0, 1)), Refusal.STALE_FENCE);
    }

    @Test
    void pausedItFiresOnlyWhenAsked() {
        b.ok(new TimerCommand.PauseTimer("nightly"));
        b.refused(fire(2_000), Refusal.PAUSED);
        b.ok(new TimerCommand.FireNow("nightly", 1_700));
        b.ok(new TimerCommand.Fire("nightly", b.timer("nightly").requested(), fence, true));
        assertThat(b.timer("nightly").lastFired())
                .as("the firing that was asked for, not the schedule's")
                .isEqualTo(b.timer("nightly").requestedAt());
        b.ok(new TimerCommand.ResumeTimer("nightly"));
        b.ok(fire(2_000));
        b.refused(new TimerCommand.PauseTimer("none"), Refusal.UNKNOWN_NAME);
    }

    @Test
    void aRequestFiresOnceForEachFenceUntilItEnds() {
        b.refused(new TimerCommand.Fire("nightly", 1_700, fence, true), Refusal.CHANGED);
        b.ok(new TimerCommand.FireNow("nightly", 1_700));
        long number = b.timer("nightly").requested();
        b.refused(new TimerCommand.FireNow("nightly", 1_800), Refusal.BUSY);
        b.refused(new TimerCommand.Fire("nightly", 1_700, fence, true), Refusal.CHANGED);
        b.ok(new TimerCommand.Fire("nightly", number, fence, true));
        b.refused(new TimerCommand.Fire("nightly", number, fence, true), Refusal.CHANGED);
        b.expire(Leases.TIMERS);
        fence = b.runs(Leases.TIMERS_SERVICE);
        b.ok(new TimerCommand.Fire("nightly", number, fence, true));
        b.ok(new TimerCommand.FireDone("nightly", number, fence, true, ""));
        b.refused(new TimerCommand.Fire("nightly", number, fence, true), Refusal.CHANGED);
        assertThat(b.timer("nightly").lastScheduled())
                .as("the schedule is not touched")
                .isEqualTo(1_000);
    }

    @Test
    void requestsAreNumberedByTheLogWhateverTheClocksOfWhoAsksSay() {
        long before = 0;
        for (long clock : new long[] {9_000, 9_000, 10, Long.MAX_VALUE - 1, 1_700}) {
            long shown = b.timer("nightly").requestedAt();
            b.ok(new TimerCommand.FireNow("nightly", clock, "month's end"));
            TimerState t = b.timer("nightly");
            assertThat(t.requested())
                    .as("asked at %d", clock)
                    .isEqualTo(b.state.applied())
                    .isGreaterThan(before);
            assertThat(t.requestedAt())
                    .as("one occasion is not another")
                    .isNotEqualTo(shown)
                    .isBetween(clock, clock + 1);
            assertThat(b.state.history().getLast().reason()).isEqualTo("month's end");
            b.ok(new TimerCommand.Fire("nightly", t.requested(), fence, true));
            b.ok(new TimerCommand.FireDone("nightly", t.requested(), fence, true, ""));
            before = t.requested();
        }
        assertThat(b.timer("nightly").firings()).isEqualTo(5);
    }

    @Test
    void anOrderKeepsItsReason() {
        b.ok(new TimerCommand.PauseTimer("nightly", "holiday"));
        assertThat(b.state.history().getLast().reason()).isEqualTo("holiday");
        b.ok(new TimerCommand.ResumeTimer("nightly", "back"));
        assertThat(b.state.history().getLast().reason()).isEqualTo("back");
    }

    @Test
    void whatTheConfigurationOfAMemberThatIsAliveHasIsNotForgotten() {
        b.refused(new TimerCommand.ForgetTimer("nightly", "old"), Refusal.BUSY);
        b.configures("a", List.of(), List.of("nightly"));
        b.configures("b", List.of(), List.of());
        assertThat(b.refused(new TimerCommand.ForgetTimer("nightly", "old"), Refusal.CONFIGURED))
                .contains("the configuration of a has nightly");
        b.refused(new TimerCommand.ForgetTimer("none", "old"), Refusal.UNKNOWN_NAME);
        b.expire(Leases.ofMember("a"));
        b.ok(new TimerCommand.ForgetTimer("nightly", "old"));
        assertThat(b.state.timers()).isEmpty();
        assertThat(b.state.history().getLast().reason()).isEqualTo("forgotten: old");
    }

    @Test
    void aFailureIsKeptAndTheFiringCountsAsDone() {
        b.ok(fire(2_000));
        b.ok(new TimerCommand.FireDone("nightly", 2_000, fence, false, "no disk"));
        assertThat(b.timer("nightly").lastFailure()).isEqualTo("no disk");
        assertThat(b.timer("nightly").done()).isTrue();
        assertThat(b.state.history().getLast().reason()).isEqualTo("no disk");
        int lines = b.state.history().size();
        b.ok(fire(3_000));
        b.ok(new TimerCommand.FireDone("nightly", 3_000, fence, false, "no disk"));
        assertThat(b.state.history()).as("the same cause again").hasSize(lines);
        b.refused(new TimerCommand.FireDone("nightly", 9_000, fence, false, ""), Refusal.CHANGED);
    }

    @Test
    void theSameDefinitionAgainKeepsEverythingAndAnotherScheduleBeginsAnewButNeverEarlier() {
        b.ok(fire(2_000));
        b.ok(done(2_000));
        b.ok(new TimerCommand.DefineTimer(NIGHTLY, 9_000));
        assertThat(b.timer("nightly").lastScheduled()).isEqualTo(2_000);
        b.ok(new TimerCommand.DefineTimer(new TimerSpec("nightly", "0 3 * * *", "UTC", Misfire.SKIP, "other"), 9_000));
        assertThat(b.timer("nightly").lastScheduled()).isEqualTo(2_000);
        b.ok(new TimerCommand.DefineTimer(new TimerSpec("nightly", "0 4 * * *", "UTC", Misfire.SKIP, "other"), 9_000));
        assertThat(b.timer("nightly").lastScheduled()).isEqualTo(9_000);
        b.ok(new TimerCommand.DefineTimer(new TimerSpec("nightly", "0 5 * * *", "UTC", Misfire.SKIP, "other"), 3_000));
        assertThat(b.timer("nightly").lastScheduled()).isEqualTo(9_000);
    }

    @Test
    void removedItIsGone() {
        b.ok(new TimerCommand.RemoveTimer("nightly"));
        b.ok(new TimerCommand.RemoveTimer("nightly"));
        b.refused(fire(2_000), Refusal.UNKNOWN_NAME);
        b.refused(new TimerCommand.FireNow("nightly", 1), Refusal.UNKNOWN_NAME);
    }

    @Test
    void twoThousandAreTheMost() {
        for (int i = 1; i < StateLimits.TIMERS; i++) {
            b.ok(new TimerCommand.DefineTimer(new TimerSpec("t" + i, "x", "UTC", Misfire.SKIP, "t"), 0));
        }
        b.refused(new TimerCommand.DefineTimer(new TimerSpec("more", "x", "UTC", Misfire.SKIP, "t"), 0), Refusal.LIMIT);
    }
}
