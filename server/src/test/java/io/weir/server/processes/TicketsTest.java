package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.files.PrivateFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys that all processes have are turned, kept as long as sessions need them, and nobody else's. */
class TicketsTest {
    @TempDir
    Path folder = Path.of("");

    private Tickets tickets(String tls) {
        LoadedConfig loaded =
                new ConfigLoader(null, List.of("listeners.secure={port: 0, tls: " + tls + "}"), folder).load();
        return new Tickets(folder.resolve("tickets"), loaded.value());
    }

    @Test
    void oldKeysStandBehindNewOnesAsLongAsSessionsMayResume() throws Exception {
        Path file = folder.resolve("tickets");
        Tickets tickets =
                tickets("{certificates: [{chain-file: c, key-file: k}], ticket-rotation: 1h, session-time-out: 2h}");
        tickets.begin();
        assertThat(PrivateFiles.isPrivate(file)).isTrue();
        byte[] first = Files.readAllBytes(file);
        assertThat(first).hasSize(48);
        tickets.turn();
        assertThat(Files.readAllBytes(file)).hasSize(2 * 48).endsWith(first);
        for (int i = 0; i < 5; i++) {
            tickets.turn();
        }
        assertThat(Files.readAllBytes(file)).hasSize(3 * 48);
        tickets.begin();
        assertThat(Files.readAllBytes(file)).as("drawn anew").hasSize(48).isNotEqualTo(first);
    }

    @Test
    void listenersWithAFileOfTheirOwnNeedNone() throws Exception {
        Tickets tickets = tickets("{certificates: [{chain-file: c, key-file: k}], ticket-key-file: mine}");
        tickets.begin();
        assertThat(tickets.wanted()).isFalse();
        assertThat(folder.resolve("tickets")).doesNotExist();
    }
}
