package io.weir.cluster.purge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.cluster.kit.TestCluster;
import io.weir.cluster.kit.TestLog.Mood;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.purges.PurgeCommand;
import io.weir.cluster.state.purges.PurgeLog;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Purges reach the caches of all members, also of one that was away. */
class PurgeFollowerTest {
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final TestCluster c = new TestCluster().listening(this::follow);
    /** What members keep when their processes end. */
    private final Map<String, PurgePosition> disks = new HashMap<>();

    private final Map<String, Seen> caches = new HashMap<>();

    /** How far a member's other processes are; a member of one process has none. */
    private final Map<String, OtherProcesses> processes = new HashMap<>();

    /** Other processes of a member, of which the test says how far they are. */
    private static final class OtherProcesses implements OtherCaches {
        private Runnable changed = () -> {};
        private PurgeLog followed = PurgeLog.EMPTY;
        private PurgePosition at = PurgePosition.NONE;
        private boolean current;

        @Override
        public void start(Runnable whenChanged) {
            changed = whenChanged;
        }

        @Override
        public void follow(PurgeLog to) {
            followed = to;
        }

        @Override
        public PurgePosition least(PurgePosition own) {
            return at;
        }

        @Override
        public boolean current() {
            return current;
        }

        @Override
        public void close() {
            current = false;
        }

        void apply() {
            at = new PurgePosition(followed.id(), followed.last());
            current = true;
            changed.run();
        }
    }

    /** A cache that notes what happens to it. */
    private final class Seen implements PurgedCache {
        private final String member;
        private final List<String> done = new ArrayList<>();
        private final Stats stats = new Stats();
        private final RecordingLog log = new RecordingLog();
        private final PurgeFollower follower;

        Seen(String member) {
            this.member = member;
            this.follower = new PurgeFollower(member, this, others(member), Runnable::run, c.loop, stats, log);
        }

        @Override
        public PurgePosition position() {
            return disks.getOrDefault(member, PurgePosition.NONE);
        }

        @Override
        public void purge(String url) {
            done.add(url);
        }

        @Override
        public void purgeAll() {
            done.add("all");
        }

        @Override
        public void reached(PurgePosition position) {
            disks.put(member, position);
        }

        @Override
        public void current() {
            done.add("current");
        }
    }

    private OtherCaches others(String member) {
        OtherProcesses of = processes.get(member);
        return of == null ? OtherCaches.NONE : of;
    }

    private void follow(String member, ClusterNode node) {
        Seen seen = new Seen(member);
        caches.put(member, seen);
        node.listen(seen.follower);
    }

    private void start(String... members) {
        c.start(members);
        for (String m : members) {
            cache(m).follower.start(c.member(m).node.proposer());
        }
        c.loop.pass(MOMENT);
    }

    private void restart(String member) {
        c.restart(member);
        cache(member).follower.start(c.member(member).node.proposer());
        c.loop.pass(MOMENT);
    }

    private Seen cache(String member) {
        return Objects.requireNonNull(caches.get(member));
    }

    private long purge(String member, String url) {
        CompletableFuture<Answer> answer = c.member(member).node.proposer().propose(new PurgeCommand.Add(5, url));
        c.loop.run();
        return ((Answer.Done) answer.join()).index();
    }

    private PurgeLog log() {
        return c.members.values().iterator().next().node.now().purges();
    }

    @Test
    void aPurgeReachesAllAndEachReportsIt() {
        start("a", "b", "c");
        CompletableFuture<Void> everywhere = cache("a").follower.everywhere(purge("a", "http://x/1"));
        c.loop.pass(MOMENT);
        for (Seen cache : caches.values()) {
            assertThat(cache.done).containsExactly("current", "http://x/1");
            assertThat(cache.stats.value(ClusterStats.PURGED)).isEqualTo(1);
            assertThat(cache.stats.value(ClusterStats.PURGES_PENDING)).isZero();
        }
        assertThat(everywhere).isCompleted();
        assertThat(log().applied()).containsOnlyKeys("a", "b", "c");
        purge("b", "");
        assertThat(cache("c").done).containsExactly("current", "http://x/1", "all");
    }

    @Test
    void whoWasAwayAppliesWhatItMissedBeforeItUsesWhatItKept() {
        start("a", "b", "c");
        purge("a", "http://x/1");
        c.loop.pass(MOMENT);
        purge("a", "http://x/1b");
        c.loop.pass(MOMENT);
        c.kill("c");
        long two = purge("a", "http://x/2");
        purge("b", "http://x/3");
        c.loop.pass(MOMENT);
        assertThat(log().upToDate("c")).isFalse();
        assertThat(cache("a").stats.value(ClusterStats.PURGES_PENDING)).isEqualTo(1);
        assertThat(cache("a").follower.everywhere(two)).isNotDone();
        restart("c");
        assertThat(cache("c").done).containsExactly("http://x/2", "http://x/3", "current");
        c.loop.pass(Duration.ofSeconds(2));
        assertThat(log().upToDate("c")).isTrue();
        assertThat(cache("a").stats.value(ClusterStats.PURGES_PENDING)).isZero();
    }

    @Test
    void whoCannotReachTheClusterDoesNotUseWhatItKept() {
        start("a", "b", "c");
        c.kill("c");
        purge("a", "http://x/1");
        c.restart("c");
        c.shared.mood("c", Mood.CUT_OFF);
        cache("c").follower.start(c.member("c").node.proposer());
        c.loop.pass(Duration.ofSeconds(5));
        assertThat(cache("c").done).doesNotContain("current");
        assertThat(cache("c").stats.value(ClusterStats.PURGES_AWAITED)).isEqualTo(1);
        c.shared.mood("c", Mood.WELL);
        c.loop.pass(Duration.ofSeconds(2));
        assertThat(cache("c").done).endsWith("current");
        assertThat(cache("c").stats.value(ClusterStats.PURGES_AWAITED)).isZero();
    }

    @Test
    void whoMissedMoreThanIsKeptEmptiesItsCache() {
        start("a", "b");
        purge("a", "http://x/first");
        c.loop.pass(MOMENT);
        c.kill("b");
        for (int i = 0; i < StateLimits.PURGES; i++) {
            purge("a", "http://x/" + i);
        }
        restart("b");
        assertThat(cache("b").done)
                .as("all are known")
                .hasSize(StateLimits.PURGES + 1)
                .doesNotContain("all");
        c.kill("b");
        for (int i = 0; i <= StateLimits.PURGES; i++) {
            purge("a", "http://y/" + i);
        }
        restart("b");
        assertThat(cache("b").done).containsExactly("all", "current");
        assertThat(cache("b").stats.value(ClusterStats.PURGES_MISSED)).isEqualTo(1);
        assertThat(cache("b").log.count(ClusterMessages.PURGES_MISSED)).isEqualTo(1);
    }

    @Test
    void whoComesFromElsewhereWithAFullCacheEmptiesItIfThereWerePurges() {
        start("a");
        purge("a", "http://x/1");
        disks.put("b", new PurgePosition(99, 7));
        restart("b");
        assertThat(cache("b").done).containsExactly("all", "current");
        assertThat(disks.get("b")).isEqualTo(new PurgePosition(5, log().last()));
    }

    @Test
    void withoutPurgesNothingIsEmptied() {
        start("a", "b");
        assertThat(cache("b").done).containsExactly("current");
        assertThat(disks).isEmpty();
    }

    @Test
    void aReportWhoseAnswerIsLostIsRepeated() {
        start("a", "b");
        c.shared.mood("b", Mood.CUT_OFF);
        long number = purge("a", "http://x/1");
        c.loop.pass(MOMENT);
        CompletableFuture<Void> everywhere = cache("a").follower.everywhere(number);
        c.loop.pass(MOMENT);
        assertThat(everywhere).isNotDone();
        c.shared.mood("b", Mood.WELL);
        c.loop.pass(Duration.ofSeconds(2));
        assertThat(everywhere).isCompleted();
        assertThat(cache("b").done).containsExactly("current", "http://x/1");
    }

    @Test
    void aMemberReportsWhatAllItsProcessesHaveApplied() {
        OtherProcesses others = new OtherProcesses();
        processes.put("b", others);
        start("a", "b");
        assertThat(cache("b").stats.value(ClusterStats.PURGES_AWAITED)).isEqualTo(1);
        others.apply();
        assertThat(cache("b").stats.value(ClusterStats.PURGES_AWAITED)).isZero();
        long number = purge("a", "http://x/1");
        CompletableFuture<Void> everywhere = cache("a").follower.everywhere(number);
        c.loop.pass(Duration.ofSeconds(5));
        assertThat(cache("b").done).as("its own cache has").endsWith("http://x/1");
        assertThat(others.followed.last()).isEqualTo(number);
        assertThat(everywhere).isNotDone();
        assertThat(cache("a").stats.value(ClusterStats.PURGES_PENDING)).isEqualTo(1);
        others.apply();
        c.loop.pass(MOMENT);
        assertThat(everywhere).isCompleted();
        assertThat(cache("a").stats.value(ClusterStats.PURGES_PENDING)).isZero();
    }
}
