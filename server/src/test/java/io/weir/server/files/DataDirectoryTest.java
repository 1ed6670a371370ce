package io.weir.server.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataDirectoryTest {
    private static final long OWN = ProcessHandle.current().pid();

    @TempDir
    private Path dir = Path.of("");

    @Test
    void secondServerIsRefusedNamingTheProcess() throws IOException {
        Path data = dir.resolve("data");
        try (DataDirectory first = DataDirectory.open(data)) {
            first.ready(Map.of("admin", "127.0.0.1:1"));
            assertThat(DataDirectory.held(data)).isTrue();
            assertThatThrownBy(() -> DataDirectory.open(data))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is in use by process " + OWN)
                    .hasMessageContaining("server.data-dir");
        }
        assertThat(DataDirectory.held(data)).isFalse();
        DataDirectory.open(data).close();
    }

    @Test
    void pidFileSaysWhoAndWhere() throws IOException {
        try (DataDirectory held = DataDirectory.open(dir)) {
            assertThat(DataDirectory.pidFile(dir)).isEmpty();
            held.ready(Map.of("admin", "127.0.0.1:1"));
            assertThat(DataDirectory.pidFile(dir))
                    .containsEntry("pid", Long.toString(OWN))
                    .containsEntry("start-ticks", Long.toString(Processes.startTicks(OWN)))
                    .containsEntry("admin", "127.0.0.1:1");
        }
        assertThat(DataDirectory.pidFile(dir)).isEmpty();
    }

    @Test
    void pidFileOfAKilledServerIsReplaced() throws IOException {
        Files.writeString(dir.resolve(DataDirectory.PID_FILE), "1\nstart-ticks=1\n");
        assertThat(DataDirectory.held(dir)).isFalse();
        try (DataDirectory held = DataDirectory.open(dir)) {
            assertThat(held.path()).isEqualTo(dir);
            assertThat(DataDirectory.pidFile(dir)).isEmpty();
        }
    }

    @Test
    void folderIsMadeForItsOwnerOnly() throws IOException {
        Path data = dir.resolve("a/b");
        DataDirectory.open(data).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                .isEqualTo("rwx------");
    }

    @Test
    void reusedProcessIdIsNotTheServer() {
        long ticks = Processes.startTicks(OWN);
        assertThat(ticks).isPositive();
        assertThat(Processes.isSame(OWN, ticks)).isTrue();
        assertThat(Processes.isSame(OWN, ticks + 1)).isFalse();
        assertThat(Processes.startTicks(Integer.MAX_VALUE)).isEqualTo(-1);
        assertThat(Processes.isSame(Integer.MAX_VALUE, -1)).isFalse();
    }

    @Test
    void fileIsReplacedWhole() throws IOException {
        Path file = dir.resolve("x");
        PrivateFiles.write(file, "one");
        PrivateFiles.write(file, "two");
        assertThat(Files.readString(file)).isEqualTo("two");
        assertThat(PrivateFiles.isPrivate(file)).isTrue();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(PrivateFiles.isPrivate(file)).isFalse();
    }
}
