package io.weir.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.kit.TestCluster;
import io.weir.cluster.kit.TestLog.Mood;
import io.weir.cluster.kit.TestServices.Manner;
import io.weir.cluster.lease.Held;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.singleton.SingletonStage;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.singletons.FailBackMode;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClusterNodeTest {
    private static final SingletonSpec S = SingletonSpec.of("s", "C");
    private final TestCluster c = new TestCluster();

    private void pass(Duration time) {
        c.loop.pass(time);
    }

    private static Duration millis(long n) {
        return Duration.ofMillis(n);
    }

    private SingletonStage stage(String member) {
        return c.member(member).node.here().stream()
                .filter(h -> h.service().equals("s"))
                .findFirst()
                .orElseThrow()
                .stage();
    }

    @Test
    void aMemberAloneActivatesAtOnce() {
        c.start("a").define(S);
        assertThat(c.active("s")).isEqualTo("a");
        assertThat(c.calls).containsExactly("activate s on a");
        assertThat(c.member("a").log.count(ClusterMessages.SINGLETON)).isEqualTo(1);
        assertThat(c.member("a").stats.value(ClusterStats.TRANSITIONS, "activated"))
                .isEqualTo(1);
    }

    @Test
    void anotherMembersLeaseIsGuessedFromWhatWasApplied() {
        c.start("a", "b").define(S.preferring("b"));
        pass(millis(10_000));
        long ttl = TestCluster.TIMES.timeToLive().toNanos();
        long renew = TestCluster.TIMES.renew().toNanos();
        assertThat(c.member("a").node.held()).noneMatch(h -> h.lease().equals("singleton/s"));
        assertThat(c.member("a").node.estimates().get("singleton/s"))
                .as("it is renewed in time")
                .isBetween(ttl - renew - 1, ttl);
        c.kill("b");
        pass(Duration.ofNanos(ttl - renew - 1));
        assertThat(c.member("a").node.estimates().get("singleton/s"))
                .as("nobody renews it")
                .isLessThan(ttl - renew - 1);
    }

    @Test
    void exactlyOneOfThreeActivatesThePreferredOne() {
        c.start("a", "b", "c").define(S.preferring("b"));
        assertThat(c.active("s")).isEqualTo("b");
        assertThat(c.calls).containsExactly("activate s on b");
    }

    @Test
    void oneThatIsHeldBackRunsNothingUntilItMay() {
        c.heldBack.add("b");
        c.start("a", "b").define(S.preferring("b"));
        pass(Duration.ofSeconds(60));
        assertThat(c.calls).containsExactly("activate s on a");
        assertThat(c.member("b").node.joined()).isNotDone();
        c.heldBack.clear();
        pass(Duration.ofSeconds(1));
        assertThat(c.member("b").node.joined()).isDone();
    }

    @Test
    void whoIsAnsweredIsNotCutOffAlsoWithoutALease() {
        c.heldBack.add("b");
        c.start("a", "b").define(S);
        var b = c.member("b").node;
        assertThat(b.answered()).as("it was let in").isTrue();
        pass(Duration.ofSeconds(60));
        var _ = b.proposer().barrier();
        pass(Duration.ofMillis(10));
        assertThat(b.silence()).isLessThan(Duration.ofSeconds(1).toNanos());
        c.heldBack.clear();
        pass(Duration.ofSeconds(1));
        var _ = b.leave(Duration.ofSeconds(5));
        pass(Duration.ofSeconds(60));
        assertThat(b.silence()).as("it asks nothing any more").isZero();
    }

    @Test
    void placementWaitsForTheMembersThatAreMissingButNotLongerThanTheDelay() {
        c.startSome(3, "a", "b").define(S);
        pass(Duration.ofSeconds(8));
        assertThat(c.singleton("s").phase()).isEqualTo(Phase.UNPLACED);
        pass(Duration.ofSeconds(3));
        assertThat(c.active("s")).isNotEmpty();
    }

    @Test
    void placementBeginsAtOnceWhenTheLastConfiguredMemberArrives() {
        c.startSome(3, "a", "b").define(S.preferring("c"));
        pass(Duration.ofSeconds(2));
        assertThat(c.calls).isEmpty();
        c.restart("c");
        pass(Duration.ofSeconds(1));
        assertThat(c.active("s")).isEqualTo("c");
    }

    @Test
    void whenTheActiveMemberDiesAnotherActivatesOnceItsLeaseIsOver() {
        c.start("a", "b", "c").define(S.preferring("b"));
        c.kill("b");
        pass(Duration.ofSeconds(8));
        assertThat(c.calls).hasSize(1);
        pass(Duration.ofSeconds(3));
        assertThat(c.active("s")).isIn("a", "c");
        assertThat(c.calls).hasSize(2);
        assertThat(c.member("a").stats.value(ClusterStats.EXPIRED)).isEqualTo(2);
    }

    @Test
    void whenTheDeadOneLedTheLogTheNewLeaderMeasuresFromItsElection() {
        c.start("a", "b", "c").define(S.preferring("a"));
        pass(Duration.ofSeconds(2));
        c.kill("a");
        pass(Duration.ofSeconds(9));
        assertThat(c.calls).hasSize(1);
        pass(Duration.ofSeconds(2));
        assertThat(c.active("s")).isIn("b", "c");
    }

    @Test
    void aChangeOfLeaderTakesNothingFromTheLiving() {
        c.start("a", "b", "c").define(S.preferring("b"));
        c.shared.lead("c");
        pass(Duration.ofSeconds(30));
        assertThat(c.active("s")).isEqualTo("b");
        assertThat(c.calls).containsExactly("activate s on b");
    }

    @Test
    void aGracefulLeaveMovesAllSingletonsWithin300Milliseconds() {
        c.start("a", "b", "c");
        for (int i = 0; i < 10; i++) {
            c.define(SingletonSpec.of("s" + i, "C").preferring("b"));
        }
        CompletableFuture<Void> left = c.member("b").node.leave(Duration.ofSeconds(20));
        pass(millis(100));
        assertThat(left).isCompleted();
        for (int i = 0; i < 10; i++) {
            assertThat(c.active("s" + i)).isIn("a", "c");
        }
        assertThat(c.member("a").node.now().alive("b")).isFalse();
    }

    @Test
    void theLeaderThatLeavesHandsLeadershipOver() {
        c.start("a", "b", "c").define(S.preferring("a"));
        var _ = c.member("a").node.leave(Duration.ofSeconds(20));
        pass(millis(100));
        assertThat(c.shared.leader()).isNotEqualTo("a");
        assertThat(c.active("s")).isIn("b", "c");
    }

    @Test
    void aLeaveThatCannotBeToldDeactivatesHereAllTheSame() {
        c.start("a", "b", "c").define(S.preferring("b"));
        c.shared.mood("b", Mood.CUT_OFF);
        CompletableFuture<Void> left = c.member("b").node.leave(Duration.ofSeconds(8));
        pass(millis(3900));
        assertThat(c.calls).containsExactly("activate s on b");
        pass(millis(200));
        assertThat(c.calls).containsExactly("activate s on b", "deactivate s on b");
        assertThat(left).isCompleted();
    }

    @Test
    void anOperatorMovesPausesAndResumes() {
        c.start("a", "b").define(S.preferring("a"));
        propose(new SingletonCommand.Migrate("s", "b", "maintenance"));
        assertThat(c.active("s")).isEqualTo("b");
        propose(new SingletonCommand.Pause("s", "quiet"));
        assertThat(c.singleton("s").phase()).isEqualTo(Phase.PAUSED);
        assertThat(stage("b")).isEqualTo(SingletonStage.ABSENT);
        propose(new SingletonCommand.Resume("s", "go on"));
        assertThat(c.active("s")).isNotEmpty();
        assertThat(c.calls).startsWith("activate s on a", "deactivate s on a", "activate s on b", "deactivate s on b");
    }

    private void propose(SingletonCommand command) {
        CompletableFuture<Answer> answer = c.member("a").node.proposer().propose(command, "operator");
        pass(millis(50));
        assertThat(answer.join().accepted()).as("%s", answer.join()).isTrue();
    }

    @Test
    void aMemberThatCannotRenewDeactivatesBeforeItsLeaseEnds() {
        c.start("a", "b", "c").define(S.preferring("b"));
        c.shared.mood("b", Mood.CUT_OFF);
        pass(Duration.ofSeconds(8));
        assertThat(c.calls).containsExactly("activate s on b", "deactivate s on b");
        assertThat(stage("b")).isEqualTo(SingletonStage.RELEASING);
        pass(Duration.ofSeconds(3));
        assertThat(c.active("s")).isIn("a", "c");
    }

    @Test
    void aMemberThatComesBackIntoReachIsAliveAgain() {
        c.start("a", "b", "c").define(S.preferring("b"));
        c.shared.mood("b", Mood.CUT_OFF);
        pass(Duration.ofSeconds(15));
        assertThat(c.member("a").node.now().alive("b")).isFalse();
        c.shared.mood("b", Mood.WELL);
        pass(Duration.ofSeconds(2));
        assertThat(c.member("a").node.now().alive("b")).isTrue();
        assertThat(stage("b")).isEqualTo(SingletonStage.ABSENT);
    }

    @Test
    void oneWhoseDeactivationHangsIsCutOffByItsFenceAndAnotherGoesOn() {
        c.start("a", "b", "c").define(S.preferring("b"));
        c.member("b").services.deactivating(Manner.HANG);
        propose(new SingletonCommand.Migrate("s", "c", "away"));
        assertThat(stage("b")).isEqualTo(SingletonStage.DEACTIVATING);
        pass(Duration.ofSeconds(10));
        assertThat(c.member("b").services.interrupts()).isEqualTo(1);
        pass(Duration.ofSeconds(2));
        assertThat(stage("b")).isEqualTo(SingletonStage.ISOLATED);
        assertThat(c.active("s")).isEqualTo("c");
        Activation dead = c.member("b").services.hanging().get(0);
        assertThat(dead.valid()).isFalse();
        assertThat(c.member("b").node.guard().admits("bind", dead.lease(), dead.fence()))
                .isFalse();
        assertThat(c.member("b").services.interrupts()).as("again").isEqualTo(2);
        c.member("b").services.comeBack(dead);
        assertThat(stage("b")).isEqualTo(SingletonStage.ABSENT);
    }

    @Test
    void whatTheLogRefusesForItsFenceIsCountedByTheMemberThatAsked() {
        c.start("a", "b", "c").define(S.preferring("b"));
        Fence old = c.singleton("s").fence();
        propose(new SingletonCommand.Migrate("s", "c", "away"));
        assertThat(c.active("s")).isEqualTo("c");
        var _ = c.member("b").node.proposer().propose(new SingletonCommand.Activated("s", old, 1));
        pass(Duration.ofSeconds(1));
        assertThat(c.member("a").node.now().fenceRefusals()).isEqualTo(1);
        assertThat(Stream.of("a", "b", "c").map(m -> c.member(m).stats.sum(ClusterStats.FENCE_REFUSED)))
                .containsExactly(0L, 1L, 0L);
    }

    @Test
    void oneThatDoesNotLetGoHaltsTheProcessWhereConfigured() {
        c.haltingOnHang().start("a", "b").define(S.preferring("b"));
        c.member("b").services.deactivating(Manner.HANG);
        c.shared.mood("b", Mood.CUT_OFF);
        pass(millis(8700));
        assertThat(stage("b")).isEqualTo(SingletonStage.ISOLATED);
        assertThat(c.member("b").halts()).isZero();
        pass(millis(500));
        assertThat(c.member("b").halts()).isEqualTo(1);
        assertThat(c.member("b").log.count(ClusterMessages.HALTING)).isEqualTo(1);
    }

    @Test
    void aProcessThatWasStoppedForLongerThanItsLeaseFindsItselfCutOff() {
        c.start("a").define(S);
        Fence before = c.singleton("s").fence();
        c.loop.freeze(Duration.ofSeconds(20));
        assertThat(c.member("a").node.held()).isNotEmpty().noneMatch(Held::valid);
        c.loop.run();
        assertThat(c.calls).startsWith("activate s on a", "deactivate s on a");
        assertThat(c.member("a").stats.value(ClusterStats.TRANSITIONS, "isolated"))
                .isEqualTo(1);
        pass(Duration.ofSeconds(2));
        assertThat(c.active("s")).isEqualTo("a");
        assertThat(c.singleton("s").fence()).isGreaterThan(before);
    }

    @Test
    void oneWhoseLeaseIsOverIsNotGivenAwayBeforeItsCodeReturnedOrTheLeaderSaysSo() {
        c.start("a", "b").define(S.preferring("b"));
        c.member("b").services.deactivating(Manner.HANG);
        c.shared.mood("b", Mood.CUT_OFF);
        pass(millis(9000));
        assertThat(stage("b")).isEqualTo(SingletonStage.ISOLATED);
        c.shared.mood("b", Mood.WELL);
        pass(millis(200));
        assertThat(c.calls).doesNotContain("activate s on a");
        c.member("b").services.comeBack(c.member("b").services.hanging().get(0));
        pass(millis(20));
        assertThat(c.active("s")).isNotEmpty();
    }

    @Test
    void oneThatFailsHereIsTriedElsewhere() {
        c.start("a", "b");
        c.member("a").services.activating(Manner.FAIL);
        c.define(S.preferring("a"));
        pass(millis(50));
        assertThat(c.active("s")).isEqualTo("b");
        assertThat(c.calls).containsExactly("activate s on a", "activate s on b");
        assertThat(c.member("a").stats.value(ClusterStats.ACTIVATION_FAILURES, "threw"))
                .isEqualTo(1);
    }

    @Test
    void oneThatFailsEverywhereIsTriedAgainAfterThePauseAsOftenAsConfiguredThenLeft() {
        c.start("a", "b");
        c.member("a").services.activating(Manner.FAIL);
        c.member("b").services.activating(Manner.FAIL);
        c.define(S.attempting(1, 60_000));
        pass(millis(50));
        assertThat(c.singleton("s").phase()).isEqualTo(Phase.WAITING);
        int first = c.calls.size();
        pass(Duration.ofSeconds(59));
        assertThat(c.calls).hasSize(first);
        pass(Duration.ofSeconds(3));
        assertThat(c.calls.size()).isGreaterThan(first);
        assertThat(c.singleton("s").phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    void anActivationThatTakesTooLongIsGivenUpAndDeactivatedWhenItReturns() {
        c.start("a", "b");
        c.member("a").services.activating(Manner.HANG);
        c.define(S.preferring("a"));
        pass(Duration.ofSeconds(32));
        assertThat(c.active("s")).isEqualTo("b");
        assertThat(stage("a")).isEqualTo(SingletonStage.ISOLATED);
        c.member("a").services.comeBack(c.member("a").services.hanging().get(0));
        c.loop.run();
        assertThat(c.calls).containsExactly("activate s on a", "activate s on b", "deactivate s on a");
        assertThat(stage("a")).isEqualTo(SingletonStage.ABSENT);
        assertThat(c.member("a").log.count(ClusterMessages.ACTIVATION_LATE)).isEqualTo(1);
    }

    @Test
    void atMostFourAreActivatedAtOnce() {
        c.start("a");
        c.member("a").services.activating(Manner.HANG);
        for (int i = 0; i < 6; i++) {
            c.define(SingletonSpec.of("s" + i, "C"));
        }
        assertThat(c.calls).hasSize(4);
        assertThat(c.member("a").stats.value(ClusterStats.ACTIVATIONS_WAITING)).isEqualTo(2);
        c.member("a").services.comeBack(c.member("a").services.hanging().get(0));
        c.loop.run();
        assertThat(c.calls).hasSize(5);
    }

    @Test
    void itFailsBackOnceThePreferredServerWasThereForTheDelay() {
        c.start("a", "b").define(S.preferring("b").failingBack(FailBackMode.AFTER, 60_000));
        c.kill("b");
        pass(Duration.ofSeconds(12));
        assertThat(c.active("s")).isEqualTo("a");
        c.restart("b");
        pass(Duration.ofSeconds(59));
        assertThat(c.active("s")).isEqualTo("a");
        pass(Duration.ofSeconds(3));
        assertThat(c.active("s")).isEqualTo("b");
    }

    @Test
    void itFailsBackAtOnceWhereConfiguredAndNeverByDefault() {
        c.start("a", "b").define(S.preferring("b").failingBack(FailBackMode.IMMEDIATE, 0));
        c.define(SingletonSpec.of("t", "C").preferring("b"));
        c.kill("b");
        pass(Duration.ofSeconds(12));
        c.restart("b");
        pass(Duration.ofSeconds(2));
        assertThat(c.active("s")).isEqualTo("b");
        assertThat(c.active("t")).isEqualTo("a");
    }

    @Test
    void anAcquisitionWhoseAnswerWasLostIsFoundOut() {
        c.start("a", "b");
        c.shared.mood("b", Mood.ANSWERS_LOST);
        c.define(S.preferring("b"));
        pass(Duration.ofSeconds(2));
        assertThat(c.calls).isEmpty();
        c.shared.mood("b", Mood.WELL);
        pass(Duration.ofSeconds(1));
        assertThat(c.active("s")).isEqualTo("b");
        assertThat(c.calls).containsExactly("activate s on b");
    }

    @Test
    void aPlacedOneThatIsNotTakenCountsAsFailedThere() {
        c.start("a", "b", "c");
        c.shared.mood("b", Mood.SILENT);
        c.define(S.preferring("b"));
        pass(Duration.ofSeconds(60));
        assertThat(c.active("s")).isIn("a", "c");
    }

    @Test
    void aRestartedMemberTakesNothingFromItsFormerLifeForItsOwn() {
        c.start("a", "b").define(S.preferring("b"));
        c.kill("b");
        c.restart("b");
        pass(Duration.ofSeconds(2));
        assertThat(c.active("s")).isNotEmpty();
        assertThat(c.calls.get(0)).isEqualTo("activate s on b");
        assertThat(c.calls).hasSize(2);
    }
}
