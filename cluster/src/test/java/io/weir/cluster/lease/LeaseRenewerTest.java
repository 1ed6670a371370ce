package io.weir.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.cluster.kit.TestLoop;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseRenewerTest {
    private static final LeaseTimes NINE = LeaseTimes.of(Duration.ofSeconds(9));

    private final TestLoop loop = new TestLoop();
    private final ScriptedBackend backend = new ScriptedBackend();
    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final LeaseRenewer renewer = new LeaseRenewer(loop, backend, NINE, LeaseSafety.SAFE, stats, log);
    private final List<String> told = new ArrayList<>();
    private final LeaseRenewer.Holder holder = new LeaseRenewer.Holder() {
        @Override
        public void expiring(Held held, String reason) {
            told.add("let go " + held + " valid " + held.valid());
        }

        @Override
        public void lost(Held held, String reason) {
            told.add("over " + held + " valid " + held.valid());
        }
    };

    @BeforeEach
    void start() {
        renewer.start();
    }

    private Held acquire(String lease) {
        return renewer.acquire(lease, holder).join();
    }

    @Test
    void allLeasesAreRenewedInOneBatchEachThirdOfTheTimeToLive() {
        acquire("one");
        acquire("two");
        backend.asked.clear();
        loop.pass(Duration.ofSeconds(10));
        assertThat(backend.asked).hasSize(3).allMatch(a -> a.equals("renew [one@1.1, two@1.2]"));
        assertThat(stats.value(ClusterStats.RENEWALS, "renewed")).isEqualTo(3);
        assertThat(stats.value(ClusterStats.LEASES_HELD)).isEqualTo(2);
        assertThat(told).isEmpty();
    }

    @Test
    void itKnowsForHowLongNothingWasAnswered() {
        loop.pass(Duration.ofSeconds(2));
        assertThat(renewer.answers().ever()).isFalse();
        assertThat(renewer.answers().silence())
                .as("since the beginning")
                .isEqualTo(Duration.ofSeconds(2).toNanos());
        acquire("one");
        assertThat(renewer.answers().ever()).isTrue();
        assertThat(renewer.answers().silence()).isZero();
        loop.pass(Duration.ofSeconds(30));
        assertThat(renewer.answers().silence())
                .isLessThanOrEqualTo(NINE.renew().plus(NINE.check()).toNanos());
        backend.fault = LogFault.Kind.NOT_COMMITTED;
        long before = renewer.answers().silence();
        loop.pass(Duration.ofSeconds(30));
        assertThat(renewer.held()).as("it is over").isEmpty();
        assertThat(renewer.answers().silence())
                .as("no failed attempt counts as an answer")
                .isEqualTo(before + Duration.ofSeconds(30).toNanos());
        backend.fault = null;
        acquire("two");
        assertThat(renewer.answers().silence()).isZero();
    }

    @Test
    void aLeaseLastsFromWhenItsAcquisitionWasSentLessTheMargin() {
        Held held = acquire("one");
        assertThat(held.remaining()).isEqualTo(Duration.ofMillis(8500).toNanos());
    }

    @Test
    void aRenewalCountsFromWhenItWasSentHoweverLateItsAnswer() {
        Held held = acquire("one");
        backend.slow = true;
        loop.pass(Duration.ofMillis(3100));
        loop.freeze(Duration.ofSeconds(2));
        backend.pending.get(0).complete(Set.of(held.grant()));
        loop.run();
        assertThat(held.remaining()).isLessThanOrEqualTo(Duration.ofMillis(6600).toNanos());
    }

    @Test
    void whenRenewalsFailItIsToldToLetGoTheGraceBeforeTheEnd() {
        Held held = acquire("one");
        backend.fault = LogFault.Kind.NOT_COMMITTED;
        loop.pass(Duration.ofMillis(7400));
        assertThat(told).isEmpty();
        loop.pass(Duration.ofMillis(700));
        assertThat(told).containsExactly("let go one@1.1 valid true");
        assertThat(held.valid()).isTrue();
        assertThat(stats.value(ClusterStats.RENEWALS, "failed")).isPositive();
        assertThat(log.count(ClusterMessages.RENEWALS_FAIL)).isPositive();
    }

    /** A renewal that recovered does not use up the warning of the next time. */
    @Test
    void itIsToldToLetGoAgainAfterARenewalHasRecovered() {
        acquire("one");
        backend.fault = LogFault.Kind.NOT_COMMITTED;
        loop.pass(Duration.ofMillis(7700));
        assertThat(told).containsExactly("let go one@1.1 valid true");
        backend.fault = null;
        loop.pass(Duration.ofMillis(600));
        assertThat(stats.value(ClusterStats.RENEWALS, "renewed")).isEqualTo(1);
        backend.fault = LogFault.Kind.NOT_COMMITTED;
        loop.pass(Duration.ofMillis(7600));
        assertThat(told).containsExactly("let go one@1.1 valid true", "let go one@1.1 valid true");
    }

    /** It has no more time than that, so it is not told at the next look but when it is due. */
    @Test
    void itIsToldWhenItIsDueNotAtTheNextCheck() {
        Held held = acquire("one");
        backend.fault = LogFault.Kind.NOT_COMMITTED;
        loop.pass(Duration.ofMillis(7500));
        assertThat(told).containsExactly("let go one@1.1 valid true");
        loop.pass(Duration.ofNanos(held.remaining()));
        assertThat(told).containsExactly("let go one@1.1 valid true", "over one@1.1 valid false");
    }

    @Test
    void whatIsOverOrGivenUpHasNothingRemaining() {
        Held held = acquire("one");
        assertThat(held.remaining()).isPositive();
        renewer.abandon(held);
        assertThat(held.remaining()).isNotPositive();
    }

    @Test
    void aHolderThatFailsDoesNotKeepTheOthersFromHearing() {
        LeaseRenewer.Holder bad = new LeaseRenewer.Holder() {
            @Override
            public void expiring(Held held, String reason) {
                throw new IllegalStateException("a fault");
            }

            @Override
            public void lost(Held held, String reason) {
                throw new IllegalStateException("a fault");
            }
        };
        renewer.acquire("a", bad).join();
        acquire("b");
        backend.fault = LogFault.Kind.NOT_COMMITTED;
        loop.pass(Duration.ofSeconds(9));
        assertThat(told).containsExactly("let go b@1.2 valid true", "over b@1.2 valid false");
        assertThat(log.count(ClusterMessages.UNCAUGHT)).isEqualTo(2);
    }

    @Test
    void aFailedRenewalIsTriedAgainAtTheNextCheck() {
        acquire("one");
        backend.fault = LogFault.Kind.UNKNOWN;
        loop.pass(Duration.ofMillis(3100));
        backend.fault = null;
        loop.pass(Duration.ofMillis(600));
        assertThat(stats.value(ClusterStats.RENEWALS, "renewed")).isEqualTo(1);
    }

    @Test
    void atItsEndItIsOverAndInvalidAndNotRenewedAnyMore() {
        Held held = acquire("one");
        backend.fault = LogFault.Kind.NOT_COMMITTED;
        loop.pass(Duration.ofMillis(8499));
        assertThat(held.valid()).isFalse();
        loop.pass(Duration.ofMillis(600));
        assertThat(told).containsExactly("let go one@1.1 valid true", "over one@1.1 valid false");
        backend.asked.clear();
        loop.pass(Duration.ofSeconds(9));
        assertThat(backend.asked).isEmpty();
    }

    @Test
    void aProcessThatWasStoppedForLongerThanItsLeaseKnowsAtOnce() {
        Held held = acquire("one");
        loop.freeze(Duration.ofSeconds(20));
        assertThat(held.valid()).isFalse();
        loop.run();
        assertThat(told).containsExactly("over one@1.1 valid false");
    }

    @Test
    void oneThatTheClusterGaveAwayIsOver() {
        Held one = acquire("one");
        Held two = acquire("two");
        backend.gone.add(one.grant());
        loop.pass(Duration.ofMillis(3100));
        assertThat(told).containsExactly("over one@1.1 valid false");
        assertThat(two.valid()).isTrue();
        assertThat(stats.value(ClusterStats.RENEWALS, "lost")).isEqualTo(1);
    }

    @Test
    void aReleasedOneIsInvalidBeforeTheClusterKnows() {
        Held held = acquire("one");
        backend.fault = LogFault.Kind.UNKNOWN;
        CompletableFuture<Boolean> released = renewer.release(held);
        assertThat(held.valid()).isFalse();
        assertThat(released).isCompletedExceptionally();
    }

    @Test
    void anAcquisitionOfUnknownOutcomeIsRepeatedAndRenewedBeforeItIsHandedOut() {
        backend.fault = LogFault.Kind.UNKNOWN;
        CompletableFuture<Held> acquiring = renewer.acquire("one", holder);
        loop.pass(Duration.ofSeconds(2));
        assertThat(acquiring).isNotDone();
        backend.fault = null;
        loop.pass(Duration.ofMillis(600));
        assertThat(acquiring.join().fence()).isEqualTo(new Fence(1, 1));
        assertThat(backend.asked).endsWith("acquire one", "renew [one@1.1]");
        assertThat(acquiring.join().remaining())
                .isGreaterThan(Duration.ofSeconds(8).toNanos());
    }

    @Test
    void whatTheLastAttemptWasGrantedCountsFromTheFirst() {
        backend.fault = LogFault.Kind.UNKNOWN;
        CompletableFuture<Held> acquiring = renewer.acquire("one", holder);
        loop.pass(Duration.ofSeconds(2));
        backend.fault = null;
        backend.owned = null;
        loop.pass(Duration.ofMillis(600));
        assertThat(backend.asked).last().isEqualTo("acquire one");
        assertThat(acquiring.join().remaining())
                .isLessThanOrEqualTo(Duration.ofMillis(6500).toNanos());
    }

    /** An attempt of long ago was granted late: its lease may end at this moment. */
    @Test
    void whatWasGrantedToAForgottenAttemptIsRenewedBeforeItIsHandedOut() {
        backend.owned = new Grant("one", new Fence(1, 7));
        assertThat(acquire("one").fence()).isEqualTo(new Fence(1, 7));
        assertThat(backend.asked).containsExactly("acquire one", "renew [one@1.7]");
    }

    @Test
    void oneWhoseTimeHasHalfPassedWhenItIsKnownIsRenewedBeforeItIsHandedOut() {
        backend.fault = LogFault.Kind.UNKNOWN;
        CompletableFuture<Held> acquiring = renewer.acquire("one", holder);
        loop.pass(Duration.ofSeconds(6));
        backend.fault = null;
        backend.owned = null;
        loop.pass(Duration.ofMillis(600));
        assertThat(backend.asked).endsWith("acquire one", "renew [one@1." + (backend.next - 1) + "]");
        assertThat(acquiring.join().remaining())
                .isGreaterThan(Duration.ofSeconds(8).toNanos());
    }

    @Test
    void whatSurelyDidNotHappenIsTheCallersToRepeat() {
        backend.fault = LogFault.Kind.NOT_COMMITTED;
        assertThatThrownBy(() -> acquire("one")).hasCauseInstanceOf(LogFault.class);
        assertThat(backend.asked).containsExactly("acquire one");
    }

    @Test
    void aGrantOfAnAcquisitionThatWasGivenUpIsRenewedBeforeItIsHandedOutLater() {
        backend.fault = LogFault.Kind.UNKNOWN;
        CompletableFuture<Held> first = renewer.acquire("one", holder);
        loop.pass(Duration.ofSeconds(10));
        assertThat(first).isCompletedExceptionally();
        backend.fault = null;
        backend.asked.clear();
        assertThat(acquire("one").fence()).isEqualTo(new Fence(1, 1));
        assertThat(backend.asked).containsExactly("acquire one", "renew [one@1.1]");
    }

    @Test
    void noFenceIsHandedOutTwice() {
        Held first = acquire("one");
        renewer.abandon(first);
        Held second = acquire("one");
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(backend.asked).containsExactly("acquire one", "acquire one", "release one@1.1", "acquire one");
    }

    @Test
    void timesThatLeaveNoRoomForALostRenewalAreRefused() {
        Duration s = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new LeaseTimes(s.multipliedBy(9), s.multipliedBy(4), s, s.multipliedBy(3), s))
                .hasMessageContaining("one may be lost");
    }
}
