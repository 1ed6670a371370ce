package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.lease.HandMovedLeader;
import io.weir.cluster.lease.LeaseBackend;
import io.weir.cluster.lease.LeaseBackendConformance;
import io.weir.cluster.lease.LogLeases;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateHolder;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.members.MemberCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leases in the log that three members agree on, over gRPC and with their disks, in this process; each owner asks another
 * member. Time passes by a leader that a test's hand moves, and the three serve all tests.
 */
@Tag("slow")
class RatisLeasesTest extends LeaseBackendConformance {
    private static final Duration TTL = Duration.ofSeconds(9);
    private static final List<Voter> VOTERS = new ArrayList<>();

    @TempDir
    static Path folder = Path.of("");

    /** A member: its log, what it has applied, and its loop. */
    private record Voter(RatisLog log, StateHolder holder, ClusterLoop loop, Proposer proposer) {
        static Voter open(UUID cluster, RatisPeer self, List<RatisPeer> all) throws IOException {
            ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(self.port()));
            StateHolder holder = new StateHolder(loop);
            RatisLog log = RatisLog.open(new RatisParts(
                    cluster,
                    self,
                    "127.0.0.1",
                    all,
                    folder.resolve(self.id()),
                    holder,
                    Members.TIMES,
                    Members.OPEN,
                    new Unwatched(),
                    SystemClock.INSTANCE,
                    new Stats(),
                    Log.NONE));
            return new Voter(log, holder, loop, new Proposer(log, loop, "member:" + self.name()));
        }

        void close() {
            log.close();
            loop.close();
        }
    }

    private static final class Unwatched implements RatisParts.Watcher {
        @Override
        public void voters(List<RatisPeer> voters) {
            // they stay the same
        }

        @Override
        public void ended(String why) {
            // at the end of all tests
        }
    }

    @BeforeAll
    static void openAll() throws IOException {
        try (Members names = new Members(folder, Members.TIMES, Members.OPEN)) {
            UUID cluster = UUID.randomUUID();
            List<RatisPeer> all =
                    List.of(names.peer("alpha", false), names.peer("beta", false), names.peer("gamma", false));
            for (RatisPeer p : all) {
                VOTERS.add(Voter.open(cluster, p, all));
            }
        }
        Members.await(() -> VOTERS.stream().anyMatch(v -> v.log().leads()));
    }

    @AfterAll
    static void closeAll() {
        CompletableFuture.allOf(VOTERS.stream()
                        .map(v -> CompletableFuture.runAsync(v::close, Thread::startVirtualThread))
                        .toArray(CompletableFuture[]::new))
                .join();
        VOTERS.clear();
    }

    @Override
    protected Bench bench() {
        return new RatisBench();
    }

    /** Confined to the test's thread. */
    private static final class RatisBench implements Bench {
        private final HandMovedLeader leader = new HandMovedLeader(
                VOTERS.getFirst().holder(), VOTERS.getFirst().proposer(), TTL);
        private int owners;

        @Override
        public LeaseBackend open(Owner owner) {
            Voter at = VOTERS.get(owners++ % VOTERS.size());
            String storage = "disk-" + owner.incarnation();
            Answer joined = at.proposer()
                    .propose(new MemberCommand.Join(owner.member(), owner.incarnation(), storage, "127.0.0.1:1", false))
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            assertThat(joined.accepted()).as(joined.toString()).isTrue();
            return new LogLeases(owner, at.proposer(), at.holder()::now);
        }

        @Override
        public <T> T await(CompletableFuture<T> future) throws Exception {
            return future.get(3, TimeUnit.MINUTES);
        }

        @Override
        public Duration timeToLive() {
            return TTL;
        }

        @Override
        public void pass(Duration time) throws Exception {
            leader.pass(time);
        }

        @Override
        public void close() {
            // the three go on
        }
    }
}
