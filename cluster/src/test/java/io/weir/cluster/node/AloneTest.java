package io.weir.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Fence;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.SingletonService;
import io.weir.cluster.kit.TestCluster;
import io.weir.cluster.lease.Held;
import io.weir.cluster.lease.LeaderSettings;
import io.weir.cluster.lease.LeaseSafety;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.OwnLeases;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.log.LocalLog;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceThreads;
import io.weir.cluster.singleton.SingletonTimes;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member alone, with its real loop, log and threads. */
class AloneTest {
    @TempDir
    Path folder;

    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private final BlockingQueue<Fence> fences = new LinkedBlockingQueue<>();

    private final class Service implements SingletonService {
        @Override
        public void activate(Fence fence) {
            fences.add(fence);
            calls.add("activate");
        }

        @Override
        public void deactivate() {
            calls.add("deactivate");
        }
    }

    /** One life of the server. */
    private final class Server implements AutoCloseable {
        final RecordingLog log = new RecordingLog();
        final Stats stats = new Stats();
        final ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(3));
        final ClusterNode node;
        final ServiceThreads threads;
        final LocalLog consensus;

        Server(long incarnation) throws Exception {
            this(incarnation, TestCluster.TIMES);
        }

        Server(long incarnation, LeaseTimes times) throws Exception {
            NodeSettings settings = new NodeSettings(
                    "test",
                    "alone",
                    "disk",
                    "",
                    false,
                    times,
                    SingletonTimes.DEFAULT,
                    LeaderSettings.alone(times, Duration.ofSeconds(39)));
            node = new ClusterNode(settings, incarnation, loop, LeaseSafety.SAFE, stats, log);
            threads = new ServiceThreads(
                    loop,
                    _ -> {
                        Service s = new Service();
                        return new ServiceObject(s, s);
                    },
                    node.services(),
                    4,
                    log);
            consensus = LocalLog.open(folder, "alone", node.holder(), loop, Chance.seeded(5), stats, log);
            node.start(new NodeParts(
                    consensus,
                    (self, proposer) -> new OwnLeases(self, proposer, node.holder()::now, SystemClock.INSTANCE, times),
                    threads,
                    () -> {}));
        }

        long renewals() {
            return stats.value(ClusterStats.RENEWALS, "renewed");
        }

        @Override
        public void close() {
            node.close();
            threads.close();
            consensus.close();
            loop.close();
        }
    }

    private String call() throws InterruptedException {
        return String.valueOf(calls.poll(3, TimeUnit.MINUTES));
    }

    @Test
    void aSingletonIsActiveAtOnceIsDeactivatedInOrderAndComesBackWithAHigherFence() throws Exception {
        Fence first;
        try (Server server = new Server(1)) {
            server.node.define(List.of(SingletonSpec.of("s", "C"))).get(3, TimeUnit.MINUTES);
            assertThat(call()).isEqualTo("activate");
            first = fences.take();
            server.node.leave(Duration.ofSeconds(20)).get(3, TimeUnit.MINUTES);
            assertThat(call()).isEqualTo("deactivate");
            assertThat(server.log.count(ClusterMessages.LEAVING)).isEqualTo(1);
        }
        try (Server server = new Server(2)) {
            assertThat(call()).isEqualTo("activate");
            assertThat(fences.take()).isGreaterThan(first);
            assertThat(server.log.count(ClusterMessages.UNCAUGHT)).isZero();
        }
    }

    @Test
    void whileNothingHappensNothingIsWrittenAndTheLeasesStand() throws Exception {
        try (Server server = new Server(1, LeaseTimes.of(Duration.ofMillis(300)))) {
            server.node.define(List.of(SingletonSpec.of("s", "C"))).get(3, TimeUnit.MINUTES);
            assertThat(call()).isEqualTo("activate");
            await(() -> server.node.now().singletons().values().stream().allMatch(s -> s.phase() == Phase.ACTIVE));
            // what follows an activation, or a renewal that came too late on a busy machine, may be written first
            await(() -> {
                long entries = server.consensus.status().applied();
                long renewals = server.renewals();
                await(() -> server.renewals() > renewals + 5);
                return server.consensus.status().applied() == entries;
            });
            assertThat(server.node.held()).hasSize(2).allMatch(Held::valid);
            assertThat(calls).isEmpty();
        }
    }

    /** A service that never lets go keeps its lease from the next activation no longer than in a cluster of many. */
    @Test
    void aLeaseThatIsNotRenewedAnyMoreEnds() throws Exception {
        try (Server server = new Server(1, LeaseTimes.of(Duration.ofMillis(300)))) {
            server.node.joined().get(3, TimeUnit.MINUTES);
            Answer given = server.node
                    .proposer()
                    .propose(new LeaseCommand.Acquire("other/one", "alone", 1, 77))
                    .get(3, TimeUnit.MINUTES);
            assertThat(given).isInstanceOf(Answer.Granted.class);
            await(() -> server.node.now().owner("other/one") == null);
            assertThat(server.node.held()).allMatch(Held::valid);
        }
    }

    private static void await(BooleanSupplier condition) {
        long until = SystemClock.INSTANCE.nanos() + TimeUnit.MINUTES.toNanos(3);
        while (!condition.getAsBoolean()) {
            assertThat(SystemClock.INSTANCE.nanos()).isLessThan(until);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void afterACrashItDoesNotWaitForItsFormerSelfsLease() throws Exception {
        try (Server server = new Server(1)) {
            server.node.define(List.of(SingletonSpec.of("s", "C"))).get(3, TimeUnit.MINUTES);
            assertThat(call()).isEqualTo("activate");
        }
        calls.clear();
        try (Server server = new Server(2)) {
            assertThat(call()).isEqualTo("activate");
            assertThat(server.node.now().singletons().values())
                    .allMatch(SingletonState::running)
                    .allMatch(s -> s.incarnation() == 2);
        }
    }
}
