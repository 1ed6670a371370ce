package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.leases.LeaseEvent;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where singletons go, and when. */
class SingletonTest {
    private static final SingletonSpec POLLER = SingletonSpec.of("poller", "app.Poller");

    @Test
    void nothingIsPlacedBeforeTheBootDelayIsOver() {
        StateBench b = new StateBench();
        b.up("a");
        b.define(POLLER);
        assertThat(b.where("poller")).isEqualTo("unplaced");
        b.refused(new MemberCommand.BootDelayOver(99), Refusal.CHANGED);
        b.ok(new MemberCommand.BootDelayOver(b.state.boot().version()));
        assertThat(b.where("poller")).isEqualTo("placed on a");
    }

    @Test
    void thePreferredServerComesFirstThenTheOneWithFewestThenByName() {
        StateBench b = StateBench.of("a", "b", "c");
        b.define(POLLER.preferring("c"));
        b.define(SingletonSpec.of("two", "X"));
        b.define(SingletonSpec.of("three", "X"));
        b.define(SingletonSpec.of("four", "X"));
        assertThat(b.where("poller")).isEqualTo("placed on c");
        assertThat(b.where("two")).isEqualTo("placed on a");
        assertThat(b.where("three")).isEqualTo("placed on b");
        assertThat(b.where("four")).isEqualTo("placed on a");
    }

    @Test
    void onlyCandidatesAndThePreferredServerAreChosen() {
        StateBench b = StateBench.of("a", "b", "c");
        b.define(POLLER.among(List.of("b")));
        assertThat(b.where("poller")).isEqualTo("placed on b");
        b.dies("b");
        assertThat(b.where("poller")).isEqualTo("unplaced");
        b.define(SingletonSpec.of("two", "X").among(List.of("b")).preferring("c"));
        assertThat(b.where("two")).isEqualTo("placed on c");
    }

    @Test
    void aWitnessIsGivenNothing() {
        StateBench b = new StateBench();
        b.ok(new MemberCommand.Join("w", 1, "disk", "w:1", true));
        b.ok(new LeaseCommand.Acquire("member/w", "w", 1, 1));
        b.ok(new MemberCommand.BootDelayOver(0));
        b.define(POLLER);
        assertThat(b.where("poller")).isEqualTo("unplaced");
        b.refused(new SingletonCommand.Migrate("poller", "w", ""), Refusal.NOT_CANDIDATE);
    }

    @Test
    void theLeaseGoesOnlyToTheMemberOnWhichItIsPlaced() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.refused(new LeaseCommand.Acquire("singleton/poller", "b", b.incarnation("b"), 50), Refusal.NOT_PLACED);
        Fence f = b.takes("poller");
        assertThat(b.where("poller")).isEqualTo("activating on a");
        assertThat(b.singleton("poller").runsOn("a", f)).isTrue();
        b.ok(new SingletonCommand.Activated("poller", f, 42));
        assertThat(b.where("poller")).isEqualTo("active on a");
        assertThat(b.singleton("poller").activationNanos()).isEqualTo(42);
    }

    @Test
    void whatIsDefinedAnewIsALineOfHistoryThatNamesWhatDiffers() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.define(POLLER);
        int lines = b.state.history().size();
        b.define(POLLER.among(List.of("a", "b")).attempting(5, 1000));
        assertThat(b.state.history()).hasSize(lines + 1);
        assertThat(b.state.history().getLast().reason())
                .isEqualTo("redefined: candidate-servers, additional-migration-attempts, sleep-between-attempts");
        b.ok(new SingletonCommand.Activated("poller", b.takes("poller"), 1));
        b.define(POLLER.with(Map.of("k", "v")));
        assertThat(b.state.history().getLast().reason())
                .startsWith("redefined: ")
                .contains("properties.k");
    }

    @Test
    void whatIsDefinedAnewWhileItIsNowhereIsALineOfHistoryToo() {
        StateBench b = new StateBench();
        b.up("a");
        b.define(POLLER);
        b.define(POLLER.with(Map.of("k", "v")));
        assertThat(b.where("poller")).isEqualTo("unplaced");
        assertThat(b.events(Event.Recorded.class)).singleElement().satisfies(e -> {
            assertThat(e.line().to()).isEqualTo("unplaced");
            assertThat(e.line().reason()).startsWith("redefined: ").contains("properties.k");
        });
        b.ok(new MemberCommand.BootDelayOver(b.state.boot().version()));
        assertThat(b.where("poller")).isEqualTo("placed on a");
        b.define(POLLER.with(Map.of("k", "w")));
        assertThat(b.events(Event.Recorded.class)).as("still placed there").hasSize(1);
    }

    @Test
    void activationsWithAnOlderFenceAreRefusedAndCounted() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        Fence old = b.runs("poller");
        b.expire("singleton/poller");
        assertThat(b.where("poller")).as("where it was lost is no destination").isEqualTo("placed on b");
        Fence young = b.takes("poller");
        assertThat(young).isGreaterThan(old);
        b.refused(new SingletonCommand.Activated("poller", old, 1), Refusal.STALE_FENCE);
        b.refused(new SingletonCommand.ActivationFailed("poller", old, "late"), Refusal.STALE_FENCE);
        assertThat(b.state.fenceRefusals()).isEqualTo(2);
        assertThat(b.events(LeaseEvent.FenceRefused.class)).singleElement().satisfies(e -> {
            assertThat(e.offered()).isEqualTo(old);
            assertThat(e.current()).isEqualTo(young);
        });
    }

    @Test
    void aDeadMembersSingletonsMoveWhenTheirOwnLeasesEnd() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.runs("poller");
        b.expire("member/a");
        assertThat(b.where("poller")).as("its lease has not ended").isEqualTo("active on a");
        b.expire("singleton/poller");
        assertThat(b.where("poller")).isEqualTo("placed on b");
    }

    @Test
    void whatWasOnlyPlacedOnADeadMemberGoesElsewhereAtOnce() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.expire("member/a");
        assertThat(b.where("poller")).isEqualTo("placed on b");
    }

    @Test
    void threeServersAndTwoAdditionalAttemptsAreFourAdditionalMigrationsTheOriginNeverAmongThem() {
        StateBench b = StateBench.of("a", "b", "c");
        b.define(POLLER);
        List<String> attempts = new ArrayList<>();
        while (b.singleton("poller").phase() != Phase.FAILED) {
            if (b.singleton("poller").phase() == Phase.WAITING) {
                attempts.add("pause");
                b.ok(new SingletonCommand.RetryNow(
                        "poller", b.singleton("poller").version()));
            }
            attempts.add("" + b.singleton("poller").member());
            b.fails("poller");
        }
        assertThat(attempts).containsExactly("a", "b", "c", "pause", "b", "c", "pause", "b", "c");
        assertThat(b.singleton("poller").reason())
                .as("on a it failed once")
                .isEqualTo(
                        "failed on every candidate, and circuit 3 was the last; last: activation failed on c: no luck");
        assertThat(b.state.explain("poller"))
                .contains("a: not here: this migration began there, and another candidate is up");
    }

    @Test
    void withoutAdditionalAttemptsItFailsAfterOneCircuit() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER.attempting(0, 1000));
        b.fails("poller");
        b.fails("poller");
        assertThat(b.where("poller")).isEqualTo("failed");
        b.up("c");
        assertThat(b.where("poller")).as("left deactivated").isEqualTo("failed");
        b.ok(new SingletonCommand.Resume("poller", "looked at it"));
        assertThat(b.where("poller")).isEqualTo("placed on a");
    }

    @Test
    void aloneItIsTriedAgainWhereItFailed() {
        StateBench b = StateBench.of("a");
        b.define(POLLER.attempting(1, 1000));
        b.fails("poller");
        assertThat(b.where("poller")).isEqualTo("waiting");
        b.ok(new SingletonCommand.RetryNow("poller", b.singleton("poller").version()));
        assertThat(b.where("poller")).isEqualTo("placed on a");
        b.fails("poller");
        assertThat(b.where("poller")).isEqualTo("failed");
    }

    @Test
    void theOriginIsTriedAgainWhenNobodyElseIsUp() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.runs("poller");
        b.expire("singleton/poller");
        b.dies("b");
        assertThat(b.where("poller")).isEqualTo("placed on a");
    }

    @Test
    void aRetryOfAnotherVersionOrPhaseIsRefused() {
        StateBench b = StateBench.of("a");
        b.define(POLLER);
        b.refused(new SingletonCommand.RetryNow("poller", b.singleton("poller").version()), Refusal.CHANGED);
        b.fails("poller");
        b.refused(new SingletonCommand.RetryNow("poller", b.singleton("poller").version() - 1), Refusal.CHANGED);
    }

    @Test
    void aMemberThatComesUpDuringThePauseIsTriedAtOnce() {
        StateBench b = StateBench.of("a");
        b.define(POLLER);
        b.fails("poller");
        b.up("b");
        assertThat(b.where("poller")).isEqualTo("placed on b");
    }

    @Test
    void aRestartedMemberIsForgiven() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.fails("poller");
        b.fails("poller");
        assertThat(b.where("poller")).isEqualTo("waiting");
        b.up("a");
        assertThat(b.where("poller")).isEqualTo("placed on a");
    }

    @Test
    void thePauseDoublesUpToAnHourAndIsNeverBelowTheConfiguredOne() {
        StateBench b = StateBench.of("a");
        b.define(POLLER.attempting(100, 300_000));
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            b.fails("poller");
            pauses.add(b.singleton("poller").pauseMillis());
            b.ok(new SingletonCommand.RetryNow("poller", b.singleton("poller").version()));
        }
        assertThat(pauses)
                .containsExactly(300_000L, 600_000L, 1_200_000L, 2_400_000L, 3_600_000L, 3_600_000L, 3_600_000L);
        b.define(POLLER.attempting(100, 7_200_000));
        assertThat(b.singleton("poller").pauseMillis()).isEqualTo(7_200_000);
    }

    @Test
    void migrationWaitsForTheOwnerToLetGo() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        Fence f = b.runs("poller");
        b.ok(new SingletonCommand.Migrate("poller", "b", "maintenance"));
        assertThat(b.where("poller")).isEqualTo("placed on b");
        assertThat(b.singleton("poller").runsOn("a", f)).isFalse();
        assertThat(b.acquire("singleton/poller", "b")).isInstanceOf(Answer.HeldBy.class);
        b.releases("poller");
        assertThat(b.where("poller")).isEqualTo("placed on b");
        b.runs("poller");
        assertThat(b.where("poller")).isEqualTo("active on b");
        assertThat(b.state.history().getLast().reason()).isEqualTo("migrated: maintenance");
        assertThat(b.state.history().getLast().by()).isEqualTo("tester");
    }

    @Test
    void migrationIsRefusedWhereItCannotGo() {
        StateBench b = StateBench.of("a", "b", "c");
        b.define(POLLER.among(List.of("a", "b")));
        b.runs("poller");
        b.refused(new SingletonCommand.Migrate("poller", "a", ""), Refusal.ALREADY_THERE);
        b.refused(new SingletonCommand.Migrate("poller", "c", ""), Refusal.NOT_CANDIDATE);
        b.refused(new SingletonCommand.Migrate("poller", "d", ""), Refusal.UNKNOWN_NAME);
        b.refused(new SingletonCommand.Migrate("other", "b", ""), Refusal.UNKNOWN_NAME);
        b.expire("member/b");
        b.refused(new SingletonCommand.Migrate("poller", "b", ""), Refusal.MEMBER_DOWN);
        b.refused(new SingletonCommand.Migrate("poller", null, ""), Refusal.MEMBER_DOWN);
        b.ok(new SingletonCommand.Pause("poller", ""));
        b.refused(new SingletonCommand.Migrate("poller", "b", ""), Refusal.PAUSED);
    }

    @Test
    void migrationWithoutATargetGoesElsewhere() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER.preferring("a"));
        b.runs("poller");
        b.ok(new SingletonCommand.Migrate("poller", null, ""));
        assertThat(b.where("poller")).isEqualTo("placed on b");
    }

    @Test
    void aPlannedMoveThatFailsReturnsToWhereItWasWell() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.runs("poller");
        b.ok(new SingletonCommand.Migrate("poller", "b", ""));
        b.releases("poller");
        b.fails("poller");
        assertThat(b.where("poller")).isEqualTo("placed on a");
    }

    @Test
    void pausedItIsGivenUpAndStaysSoUntilResumed() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        Fence f = b.runs("poller");
        b.ok(new SingletonCommand.Pause("poller", "night"));
        assertThat(b.singleton("poller").runsOn("a", f)).isFalse();
        b.releases("poller");
        b.up("c");
        assertThat(b.where("poller")).isEqualTo("paused");
        b.refused(new LeaseCommand.Acquire("singleton/poller", "a", 1, 70), Refusal.NOT_PLACED);
        b.ok(new SingletonCommand.Resume("poller", ""));
        assertThat(b.where("poller")).isEqualTo("placed on a");
        b.refused(new SingletonCommand.Pause("other", ""), Refusal.UNKNOWN_NAME);
    }

    @Test
    void aMemberThatLeavesHandsEverythingOn() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.runs("poller");
        b.define(SingletonSpec.of("two", "X"));
        assertThat(b.where("two")).isEqualTo("placed on b");
        b.ok(new MemberCommand.Leave("a", b.incarnation("a")));
        assertThat(b.where("poller")).isEqualTo("placed on b");
        b.releases("poller");
        b.ok(new LeaseCommand.Release("member/a", b.fence("member/a")));
        b.runs("poller");
        assertThat(b.where("poller")).isEqualTo("active on b");
        b.refused(new SingletonCommand.Migrate("two", "a", ""), Refusal.MEMBER_DOWN);
    }

    @Test
    void theLastMemberThatLeavesKeepsNothing() {
        StateBench b = StateBench.of("a");
        b.define(POLLER);
        Fence f = b.runs("poller");
        b.ok(new MemberCommand.Leave("a", b.incarnation("a")));
        assertThat(b.where("poller")).isEqualTo("unplaced");
        assertThat(b.singleton("poller").runsOn("a", f)).isFalse();
    }

    @Test
    void theReasonOfAnActivationIsNotWhyItWasNowhereBefore() {
        StateBench b = StateBench.of("a");
        b.define(POLLER);
        b.runs("poller");
        b.ok(new MemberCommand.Leave("a", b.incarnation("a")));
        assertThat(b.singleton("poller").reason()).isEqualTo("a shuts down");
        b.releases("poller");
        b.ok(new LeaseCommand.Release("member/a", b.fence("member/a")));
        assertThat(b.singleton("poller").reason()).as("while it is nowhere").isEqualTo("a shuts down");
        b.up("a");
        if (b.where("poller").equals("unplaced")) {
            b.ok(new MemberCommand.BootDelayOver(b.state.boot().version()));
        }
        b.runs("poller");
        assertThat(b.where("poller")).isEqualTo("active on a");
        assertThat(b.singleton("poller").reason()).isIn("a has come up", "placement begins");
    }

    @Test
    void whatNobodyTakesInTimeGoesElsewhereUnlessTheLeaseIsStillHeld() {
        StateBench b = StateBench.of("a", "b", "c");
        b.define(POLLER);
        b.runs("poller");
        b.ok(new SingletonCommand.Migrate("poller", "b", ""));
        long version = b.singleton("poller").version();
        b.refused(new SingletonCommand.NotTaken("poller", version), Refusal.BUSY);
        b.releases("poller");
        b.ok(new SingletonCommand.NotTaken("poller", version));
        assertThat(b.where("poller")).isEqualTo("placed on a");
        b.refused(new SingletonCommand.NotTaken("poller", version), Refusal.CHANGED);
    }

    @Test
    void theSameDefinitionAgainChangesNothing() {
        StateBench b = StateBench.of("a");
        b.define(POLLER);
        b.runs("poller");
        ClusterState before = b.state;
        b.define(POLLER);
        b.unchanged(before);
        assertThat(b.events).isEmpty();
    }

    @Test
    void anotherClassOrOtherPropertiesActivateItAnewWhereItIs() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER.preferring("b"));
        b.ok(new SingletonCommand.Migrate("poller", "a", ""));
        Fence f = b.runs("poller");
        b.define(POLLER.preferring("b").with(Map.of("directory", "in")));
        assertThat(b.where("poller")).isEqualTo("placed on a");
        assertThat(b.singleton("poller").runsOn("a", f)).isFalse();
    }

    @Test
    void otherCandidatesMoveItOnlyWhereItMayNotStay() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.runs("poller");
        b.define(POLLER.among(List.of("a", "b")).attempting(7, 1));
        assertThat(b.where("poller")).isEqualTo("active on a");
        b.define(POLLER.among(List.of("b")));
        assertThat(b.where("poller")).isEqualTo("placed on b");
    }

    @Test
    void notEnabledItIsPausedAndAnOperatorsPauseSurvivesARedefinition() {
        StateBench b = StateBench.of("a");
        b.define(POLLER.enabled(false));
        assertThat(b.where("poller")).isEqualTo("paused");
        b.define(POLLER);
        assertThat(b.where("poller")).isEqualTo("placed on a");
        b.ok(new SingletonCommand.Pause("poller", ""));
        b.define(POLLER.attempting(9, 9));
        assertThat(b.where("poller")).isEqualTo("paused");
    }

    @Test
    void undefinedItIsGoneAndItsLeaseIsReleasedByTheOwner() {
        StateBench b = StateBench.of("a");
        b.define(POLLER);
        b.runs("poller");
        b.ok(new SingletonCommand.Undefine("poller"));
        assertThat(b.state.singleton("poller")).isNull();
        assertThat(b.lease("singleton/poller").owner()).isEqualTo("a");
        b.releases("poller");
        b.ok(new SingletonCommand.Undefine("poller"));
        b.define(POLLER);
        Fence f = b.runs("poller");
        assertThat(f).isEqualTo(b.fence("singleton/poller"));
    }

    @Test
    void aFailureAfterItWasMovedOnlyReleases() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        Fence f = b.takes("poller");
        b.ok(new SingletonCommand.Migrate("poller", "b", ""));
        b.refused(new SingletonCommand.Activated("poller", f, 1), Refusal.CHANGED);
        b.ok(new SingletonCommand.ActivationFailed("poller", f, "anyway"));
        assertThat(b.where("poller")).isEqualTo("placed on b");
        assertThat(b.lease("singleton/poller").free()).isTrue();
        assertThat(b.singleton("poller").tried()).isEmpty();
    }

    @Test
    void aTransitionIsOneLineOfHistoryWithItsReason() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.takes("poller");
        assertThat(b.events(Event.Recorded.class))
                .as("being activated is no transition")
                .isEmpty();
        b.ok(new SingletonCommand.ActivationFailed("poller", b.fence("singleton/poller"), "no luck"));
        assertThat(b.events(Event.Recorded.class)).singleElement().satisfies(e -> {
            assertThat(e.line().from()).isEqualTo("activating on a");
            assertThat(e.line().to()).isEqualTo("placed on b");
            assertThat(e.line().reason()).isEqualTo("activation failed on a: no luck");
            assertThat(e.line().atMillis()).isEqualTo(StateBench.AT);
        });
    }
}
