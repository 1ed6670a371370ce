package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.purges.PurgeLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What stands in logs and snapshots on disks and in databases: written and read as the first version did. */
class GoldenBytesTest {
    @Test
    void everyCommandIsWrittenAsEver() throws IOException {
        List<String> lines = resource("commands.hex").lines().toList();
        assertThat(lines).hasSameSizeAs(Samples.ALL);
        for (int i = 0; i < lines.size(); i++) {
            Command command = Samples.ALL.get(i);
            byte[] bytes = HexFormat.of().parseHex(lines.get(i));
            assertThat(CommandCodec.encode(new Proposal(command, "operator", 123)))
                    .as(command.toString())
                    .isEqualTo(bytes);
            assertThat(CommandCodec.decode(bytes).command()).isEqualTo(command);
        }
    }

    @Test
    void aSnapshotIsReadAndWrittenAsEver() throws IOException {
        byte[] bytes = HexFormat.of().parseHex(resource("snapshot.hex").replace("\n", ""));
        ClusterState state = SnapshotCodec.decode(bytes);
        assertThat(state.members()).isNotEmpty();
        assertThat(state.leases()).isNotEmpty();
        assertThat(state.singletons()).isNotEmpty();
        assertThat(state.bindings()).isNotEmpty();
        assertThat(state.timers()).isNotEmpty();
        assertThat(state.deployments()).isNotEmpty();
        assertThat(state.checkpoints()).isNotEmpty();
        assertThat(state.configurations()).isNotEmpty();
        assertThat(state.purges().kept()).isNotEmpty();
        assertThat(state.purges().applied()).isNotEmpty();
        assertThat(state.purges().addresses()).isNotEmpty();
        assertThat(state.history()).isNotEmpty();
        assertThat(SnapshotCodec.encode(state)).isEqualTo(bytes);
    }

    @Test
    void aSnapshotWithoutPurgesIsRead() throws IOException {
        byte[] bytes = HexFormat.of().parseHex(resource("snapshot-4.hex").replace("\n", ""));
        ClusterState state = SnapshotCodec.decode(bytes);
        assertThat(state.purges()).isEqualTo(PurgeLog.EMPTY);
        assertThat(state.history()).isNotEmpty();
    }

    @Test
    void aSnapshotWithoutAddressesOfCachesIsRead() throws IOException {
        byte[] bytes = HexFormat.of().parseHex(resource("snapshot-5.hex").replace("\n", ""));
        ClusterState state = SnapshotCodec.decode(bytes);
        assertThat(state.purges().kept()).isNotEmpty();
        assertThat(state.purges().addresses()).isEmpty();
        assertThat(state.history()).isNotEmpty();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(GoldenBytesTest.class.getResourceAsStream("/state/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
