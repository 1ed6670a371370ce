package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Chance;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a member stands for leader, on a clock that is stepped. */
class CandidacyTest {
    private static final Duration ELECTION = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** A member whose leader was heard when the test says so. */
    private static final class Place implements Candidacy.Seat {
        final SteppedClock clock = new SteppedClock(0);
        CompletableFuture<Boolean> vote = new CompletableFuture<>();
        long heard;
        boolean follower = true;
        boolean broken;
        boolean mayStand = true;
        int asked;
        int stood;
        int greeted;

        @Override
        public long silence() {
            return follower ? clock.nanos() - heard : -1;
        }

        @Override
        public CompletableFuture<Boolean> preVote() {
            if (broken) {
                throw new IllegalStateException("the log closes");
            }
            asked++;
            vote = new CompletableFuture<>();
            return vote;
        }

        @Override
        public boolean stand() {
            if (!mayStand) {
                return false;
            }
            stood++;
            follower = false;
            return true;
        }

        @Override
        public void greet() {
            greeted++;
        }

        void hear() {
            heard = clock.nanos();
        }
    }

    private final Place place = new Place();
    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private Candidacy candidacy = candidacy(LONGEST, 1);

    private Candidacy candidacy(Duration longest, long seed) {
        RatisTimes times = new RatisTimes(ELECTION, longest, Duration.ofSeconds(5), 10, 1000, 1 << 20, true);
        return new Candidacy(times, place, place.clock, Chance.seeded(seed), stats, log);
    }

    /** Looks as often as it wants to, each time so late, until it asks; gives the milliseconds of silence until then. */
    private long untilAsked(Duration late) {
        place.hear();
        return untilAskedAgain(late);
    }

    private long untilAskedAgain(Duration late) {
        int before = place.asked;
        while (place.asked == before) {
            long next = candidacy.check();
            if (place.asked == before) {
                assertThat(place.silence()).as("asks in the end").isLessThan(TimeUnit.SECONDS.toNanos(60));
                place.clock.step(Duration.ofNanos(next).plus(late));
            }
        }
        return place.silence() / MILLI;
    }

    /** Hears the leader all the time, and looks so late. */
    private void pass(Duration time, Duration late) {
        long end = place.clock.nanos() + time.toNanos();
        while (place.clock.nanos() < end) {
            place.hear();
            long next = candidacy.check();
            place.clock.step(Duration.ofNanos(next).plus(late));
        }
        place.hear();
        candidacy.check();
    }

    private long millis() {
        return stats.value(ClusterStats.ELECTION_TIME_OUT);
    }

    @Test
    void onAMachineThatHasTimeItAsksAfterTheTimeOutOrUpToTwiceThat() {
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int seed = 0; seed < 200; seed++) {
            candidacy = candidacy(LONGEST, seed);
            long after = untilAsked(Duration.ZERO);
            least = Math.min(least, after);
            most = Math.max(most, after);
        }
        assertThat(least).isBetween(500L, 530L);
        assertThat(most).isBetween(970L, 1000L);
    }

    @Test
    void itDrawsAnewHowLongItWaitsAfterEachQuestion() {
        untilAsked(Duration.ZERO);
        Set<Long> waits = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            place.vote.complete(false);
            long asked = place.clock.nanos();
            untilAskedAgain(Duration.ZERO);
            waits.add(place.clock.nanos() - asked);
        }
        assertThat(waits).hasSize(10);
    }

    @Test
    void itDrawsAnewHowLongItWaitsWhenALeaderIsHeardAgain() {
        long heardOnce = untilAsked(Duration.ZERO);
        candidacy = candidacy(LONGEST, 1);
        place.hear();
        place.clock.step(Duration.ofNanos(candidacy.check()));
        candidacy.check();
        assertThat(untilAsked(Duration.ZERO))
                .as("by the same chance, another wait")
                .isNotEqualTo(heardOnce);
    }

    @Test
    void aLookThatFailsIsNoReasonNeverToAskAgainNorToWaitLonger() {
        place.broken = true;
        assertThatThrownBy(() -> untilAsked(Duration.ZERO)).hasMessage("the log closes");
        place.broken = false;
        place.clock.step(Duration.ofSeconds(10));
        assertThat(untilAsked(Duration.ZERO)).isLessThanOrEqualTo(1000);
        assertThat(millis()).as("the pause after it was no lateness").isEqualTo(500);
    }

    @Test
    void itStandsWhereAMajorityWouldElectIt() {
        untilAsked(Duration.ZERO);
        assertThat(place.stood).isZero();
        place.vote.complete(true);
        assertThat(place.stood).isEqualTo(1);
        assertThat(stats.value(ClusterStats.CANDIDACIES, "stood")).isEqualTo(1);
    }

    @Test
    void itDoesNotStandWhereAMajorityHearsALeader() {
        untilAsked(Duration.ZERO);
        place.vote.complete(false);
        assertThat(place.stood).isZero();
        assertThat(stats.value(ClusterStats.CANDIDACIES, "refused")).isEqualTo(1);
        // and asks again, not at once
        long asked = place.clock.nanos();
        untilAskedAgain(Duration.ZERO);
        assertThat((place.clock.nanos() - asked) / MILLI).isGreaterThanOrEqualTo(500);
    }

    @Test
    void itDoesNotStandWhereItHeardTheLeaderMeanwhile() {
        untilAsked(Duration.ZERO);
        place.hear();
        place.vote.complete(true);
        assertThat(place.stood).isZero();
    }

    @Test
    void aQuestionThatFailsIsRefusedAndAskedAgain() {
        untilAsked(Duration.ZERO);
        place.vote.completeExceptionally(new IllegalStateException("closed"));
        assertThat(place.stood).isZero();
        assertThat(stats.value(ClusterStats.CANDIDACIES, "refused")).isEqualTo(1);
        untilAsked(Duration.ZERO);
        assertThat(place.asked).isEqualTo(2);
    }

    @Test
    void oneThatMayNotStandAfterAllIsRefusedAndAsksAgain() {
        place.mayStand = false;
        untilAsked(Duration.ZERO);
        place.vote.complete(true);
        assertThat(stats.value(ClusterStats.CANDIDACIES, "stood")).isZero();
        assertThat(stats.value(ClusterStats.CANDIDACIES, "refused")).isEqualTo(1);
        place.mayStand = true;
        untilAskedAgain(Duration.ZERO);
        place.vote.complete(true);
        assertThat(place.stood).isEqualTo(1);
    }

    @Test
    void itAsksOnceAtATime() {
        untilAsked(Duration.ZERO);
        for (int i = 0; i < 100; i++) {
            place.clock.step(Duration.ofNanos(candidacy.check()));
        }
        assertThat(place.asked).isEqualTo(1);
    }

    @Test
    void whoIsNoFollowerAsksAndGreetsNobody() {
        place.follower = false;
        for (int i = 0; i < 100; i++) {
            place.clock.step(Duration.ofNanos(candidacy.check()));
        }
        assertThat(place.asked).isZero();
        assertThat(place.greeted).isZero();
    }

    @Test
    void theTimeOutFollowsHowLateTheProcessRuns() {
        pass(Duration.ofSeconds(10), Duration.ofMillis(10));
        assertThat(millis()).as("forgiven").isEqualTo(500);
        pass(Duration.ofSeconds(10), Duration.ofMillis(150));
        assertThat(stats.value(ClusterStats.STARVED)).isEqualTo(150);
        assertThat(millis()).isEqualTo(500 + 4 * 150);
        assertThat(untilAsked(Duration.ofMillis(150))).isBetween(1100L, 2400L);
        assertThat(log.count(ClusterMessages.ELECTIONS_LONGER)).isEqualTo(1);
    }

    @Test
    void itIsNeverLongerThanHalfOfTheLongest() {
        pass(Duration.ofSeconds(20), Duration.ofSeconds(4));
        assertThat(millis()).isEqualTo(1500);
        assertThat(untilAsked(Duration.ofMillis(400))).isLessThan(3000L + 600);
    }

    @Test
    void itIsAsConfiguredHalfAMinuteAfterTheLoadAndSaysBothOnce() {
        pass(Duration.ofSeconds(10), Duration.ofMillis(150));
        pass(Duration.ofSeconds(20), Duration.ZERO);
        assertThat(millis()).as("not at once").isEqualTo(500 + 4 * 150);
        pass(Duration.ofSeconds(15), Duration.ZERO);
        assertThat(millis()).isEqualTo(500);
        assertThat(untilAsked(Duration.ZERO)).isLessThanOrEqualTo(1000);
        assertThat(log.entries().stream().map(RecordingLog.Entry::message))
                .isEqualTo(List.of(ClusterMessages.ELECTIONS_LONGER, ClusterMessages.ELECTIONS_USUAL));
    }

    @Test
    void whereTheLongestIsTheUsualItFollowsNothing() {
        candidacy = candidacy(Duration.ofSeconds(1), 1);
        pass(Duration.ofSeconds(10), Duration.ofMillis(400));
        assertThat(millis()).isEqualTo(500);
        assertThat(log.entries()).isEmpty();
    }

    @Test
    void theOthersAreSpokenToWhileThereIsALeaderAndNotBefore() {
        place.clock.step(Duration.ofSeconds(1));
        candidacy.check();
        assertThat(place.greeted).isZero();
        pass(Duration.ofSeconds(61), Duration.ZERO);
        assertThat(place.greeted).isBetween(2, 3);
    }
}
