package io.weir.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.log.LocalLog;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateHolder;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.members.MemberCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;

/** Leases in the log of a cluster of one; time passes by a leader that a test's hand moves. */
class LocalLeasesTest extends LeaseBackendConformance {
    @TempDir
    Path folder = Path.of("");

    @Override
    protected Bench bench() throws Exception {
        return new LocalBench(folder);
    }

    private static final class LocalBench implements Bench {
        private static final Duration TTL = Duration.ofSeconds(9);

        private final ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(1));
        private final StateHolder holder = new StateHolder(loop);
        private final LocalLog log;
        private final Proposer proposer;
        private final HandMovedLeader leader;

        LocalBench(Path folder) throws Exception {
            log = LocalLog.open(folder, "alone", holder, loop, Chance.seeded(2), new Stats(), Log.NONE);
            proposer = new Proposer(log, loop, "member:alone");
            leader = new HandMovedLeader(holder, proposer, TTL);
        }

        @Override
        public LeaseBackend open(Owner owner) {
            String storage = "disk-" + owner.incarnation();
            Answer joined = proposer.propose(
                            new MemberCommand.Join(owner.member(), owner.incarnation(), storage, "127.0.0.1:1", false))
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            assertThat(joined.accepted()).as(joined.toString()).isTrue();
            return new LogLeases(owner, proposer, holder::now);
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
            log.close();
            loop.close();
        }
    }
}
