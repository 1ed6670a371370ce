package io.weir.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.lease.LeaseSafety;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.node.NodeParts;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.singleton.Activations;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.WeirConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a member says that the cluster does not answer it. */
class OutageTest {
    /** A log that answers when the test says so. */
    private static final class Silent implements ConsensusLog {
        CompletableFuture<Void> barrier = new CompletableFuture<>();

        @Nullable
        String leader;

        @Override
        public CompletableFuture<byte[]> submit(byte[] command) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Void> barrier() {
            return barrier;
        }

        @Override
        public LogStatus status() {
            return new LogStatus(LogStatus.Role.FOLLOWER, leader, 3, 100, 100, List.of());
        }

        @Override
        public CompletableFuture<Void> yieldLeadership() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
            // there is nothing
        }
    }

    private static final class Nothing implements Activations {
        @Override
        public CompletableFuture<Void> activate(Activation activation) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Void> deactivate(Activation activation) {
            return new CompletableFuture<>();
        }

        @Override
        public void interrupt(Activation activation) {
            // there is nothing
        }
    }

    private final SteppedClock clock = new SteppedClock(0);
    private final RecordingLog log = new RecordingLog();
    private final Stats stats = new Stats();
    private final ClusterLoop loop = new ClusterLoop(clock, Chance.seeded(1), stats, log);
    private final Silent silent = new Silent();
    private String waiting = "";

    @TempDir
    Path folder = Path.of(".");

    @AfterEach
    void close() {
        loop.close();
    }

    private ClusterConfig config() throws Exception {
        Path file = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  messaging: {address: 127.0.0.1, port: 7001, protocol: weir}
                cluster: {member: alpha, members: ["127.0.0.1:7001", "127.0.0.1:7002", "127.0.0.1:7003"]}
                """);
        WeirConfig all = new ConfigLoader(file, List.of(), folder).load().value();
        return all.cluster();
    }

    private final class Ground implements Basis {
        @Override
        public ConsensusLog log() {
            return silent;
        }

        @Override
        public String waiting() {
            return waiting;
        }

        @Override
        public void close() {
            // there is nothing
        }
    }

    @Test
    void whoNeverHeardAMajoritySaysSoFromTheFirstMoment() throws Exception {
        ClusterConfig config = config();
        ClusterNode node =
                new ClusterNode(NodeSettings.of(config, "alpha", "s1", ""), 7, loop, LeaseSafety.SAFE, stats, log);
        Basis basis = new Ground();
        node.start(new NodeParts(silent, null, new Nothing(), () -> {}));
        Outage first = Outage.of(node, basis, config, clock);
        assertThat(Objects.requireNonNull(first).text()).isEqualTo("no majority yet since 1970-01-01T00:00:00Z");
        silent.barrier.complete(null);
        var _ = node.proposer().barrier();
        assertThat(Outage.of(node, basis, config, clock)).isNull();
        clock.step(Duration.ofSeconds(8));
        assertThat(Objects.requireNonNull(Outage.of(node, basis, config, clock)).what())
                .isEqualTo("no majority");
        silent.leader = "beta";
        assertThat(Objects.requireNonNull(Outage.of(node, basis, config, clock)).what())
                .as("since when it did not answer follows")
                .isEqualTo("no answer of the log's leader beta");
        waiting = "this member was removed";
        assertThat(Objects.requireNonNull(Outage.of(node, basis, config, clock)).what())
                .isEqualTo(waiting);
    }

    @Test
    void whoIsInNoClusterYetSaysForWhatItWaits() throws Exception {
        ClusterConfig config = config();
        ClusterNode node =
                new ClusterNode(NodeSettings.of(config, "alpha", "s1", ""), 7, loop, LeaseSafety.SAFE, stats, log);
        node.start(new NodeParts(silent, null, new Nothing(), () -> {}));
        waiting = "all members to answer once, which forms the cluster";
        assertThat(Objects.requireNonNull(Outage.of(node, new Ground(), config, clock))
                        .text())
                .isEqualTo(
                        "waiting for all members to answer once, which forms the cluster since 1970-01-01T00:00:00Z");
    }
}
