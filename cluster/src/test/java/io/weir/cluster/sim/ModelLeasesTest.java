package io.weir.cluster.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.cluster.lease.LeaderSettings;
import io.weir.cluster.lease.LeaderTimeouts;
import io.weir.cluster.lease.LeaseBackend;
import io.weir.cluster.lease.LeaseBackendConformance;
import io.weir.cluster.lease.LeaseSafety;
import io.weir.cluster.lease.LogLeases;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateHolder;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.members.MemberCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Leases in the model of a log of three members, with the leader's real time-outs, in virtual time. */
class ModelLeasesTest extends LeaseBackendConformance {
    @Override
    protected Bench bench() {
        return new ModelBench();
    }

    /** One member's end of the log. */
    private record End(Proposer proposer, StateHolder holder) {}

    private static final class ModelBench implements Bench {
        private final VirtualTime time = new VirtualTime();
        private final List<End> ends = new ArrayList<>();
        private int next;

        ModelBench() {
            Chance chance = Chance.seeded(5);
            Network network = new Network(chance.split().random());
            Consensus consensus =
                    new Consensus(time, network, chance.split().random(), new Nastiness(), new Ambushes());
            for (String name : List.of("a", "b", "c")) {
                Host host = new Host(name, time, 1, 0, chance.split().random());
                consensus.add(host);
                host.boot();
                SimLoop loop = new SimLoop(host, chance.split());
                StateHolder holder = new StateHolder(loop);
                LeaderTimeouts[] timeouts = new LeaderTimeouts[1];
                holder.listen(new Listening(() -> timeouts[0]));
                Proposer proposer = new Proposer(consensus.open(host, holder), loop, "member:" + name);
                Owner self = new Owner(name, 1);
                LeaseBackend leases = new LogLeases(self, proposer, holder::now);
                LeaderSettings how = new LeaderSettings(Member.TIMES, Duration.ofSeconds(10), Duration.ZERO, 1, false);
                timeouts[0] =
                        new LeaderTimeouts(self, loop, holder::now, proposer, leases, how, LeaseSafety.SAFE, Log.NONE);
                timeouts[0].start();
                ends.add(new End(proposer, holder));
            }
        }

        @Override
        public LeaseBackend open(Owner owner) {
            End end = ends.get(next++ % ends.size());
            String storage = "disk-" + owner.incarnation();
            Answer joined = await(end.proposer()
                    .propose(new MemberCommand.Join(owner.member(), owner.incarnation(), storage, "x:1", false)));
            assertThat(joined.accepted()).as(joined.toString()).isTrue();
            return new LogLeases(owner, end.proposer(), () -> end.holder().now());
        }

        @Override
        public <T> T await(CompletableFuture<T> future) {
            long bound = time.now() + 60 * VirtualTime.SECOND;
            while (!future.isDone() && time.now() < bound) {
                time.step(bound);
            }
            return future.join();
        }

        @Override
        public Duration timeToLive() {
            return Member.TIMES.timeToLive();
        }

        @Override
        public void pass(Duration by) {
            long until = time.now() + by.toNanos();
            while (time.now() < until) {
                time.step(until);
            }
        }

        @Override
        public void close() {
            // nothing runs by itself
        }
    }
}
