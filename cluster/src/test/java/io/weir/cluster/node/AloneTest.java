package io.weir.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Fence;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.SingletonService;
import io.weir.cluster.kit.TestCluster;
import io.weir.cluster.lease.LeaseRules;
import io.weir.cluster.lease.Overseeing;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.log.LocalLog;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceThreads;
import io.weir.cluster.singleton.SingletonTimes;
import io.weir.cluster.state.SingletonSpec;
import io.weir.cluster.state.SingletonState;
import io.weir.cluster.stats.ClusterMessages;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
            NodeSettings settings = new NodeSettings(
                    "test",
                    "alone",
                    "disk",
                    "",
                    false,
                    TestCluster.TIMES,
                    SingletonTimes.DEFAULT,
                    Overseeing.alone(TestCluster.TIMES, Duration.ofSeconds(39)));
            node = new ClusterNode(settings, incarnation, loop, LeaseRules.SAFE, stats, log);
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
            node.start(new NodeParts(consensus, null, threads, () -> {}));
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
        return String.valueOf(calls.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void aSingletonIsActiveAtOnceIsDeactivatedInOrderAndComesBackWithAHigherFence() throws Exception {
        Fence first;
        try (Server server = new Server(1)) {
            server.node.define(List.of(SingletonSpec.of("s", "C"))).get(20, TimeUnit.SECONDS);
            assertThat(call()).isEqualTo("activate");
            first = fences.take();
            server.node.leave(Duration.ofSeconds(20)).get(20, TimeUnit.SECONDS);
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
    void afterACrashItDoesNotWaitForItsFormerSelfsLease() throws Exception {
        try (Server server = new Server(1)) {
            server.node.define(List.of(SingletonSpec.of("s", "C"))).get(20, TimeUnit.SECONDS);
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
