package io.weir.server.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
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
                    .hasMessageContaining("./weir stop --set server.data-dir=" + dir)
                    .hasMessageContaining("server.data-dir");
        }
        assertThat(DataDirectory.held(data)).isFalse();
        DataDirectory.open(data).close();
    }

    @Test
    void pidFileSaysWhoAndWhere() throws IOException {
        try (DataDirectory held = DataDirectory.open(dir)) {
            assertThat(DataDirectory.pidFile(dir)).isEmpty();
            assertThat(DataDirectory.holder(dir)).as("while it starts").isEqualTo(OWN);
            assertThat(DataDirectory.running(dir)).isNull();
            held.ready(Map.of("admin", "127.0.0.1:1"));
            assertThat(DataDirectory.pidFile(dir))
                    .containsEntry("pid", Long.toString(OWN))
                    .containsEntry("start-ticks", Long.toString(Processes.startTicks(OWN)))
                    .containsEntry("admin", "127.0.0.1:1");
            assertThat(DataDirectory.running(dir)).isEqualTo(OWN);
        }
        assertThat(DataDirectory.pidFile(dir)).isEmpty();
        assertThat(DataDirectory.holder(dir)).as("nobody holds the lock").isNull();
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
    void whoLooksWhileAServerStartsIsWaitedFor() throws Exception {
        DataDirectory.open(dir).close();
        FutureTask<Boolean> opened = new FutureTask<>(() -> {
            DataDirectory.open(dir).close();
            return true;
        });
        Thread server = Thread.ofPlatform().unstarted(opened);
        try (FileChannel channel = FileChannel.open(dir.resolve("weir.lock"), StandardOpenOption.READ)) {
            Files.writeString(dir.resolve("weir.lock"), "1\nstart-ticks=1\n");
            try (FileLock _ = channel.lock(0, Long.MAX_VALUE, true)) {
                server.start();
                while (server.getState() != Thread.State.TIMED_WAITING && server.isAlive()) {
                    Thread.onSpinWait();
                }
            }
        }
        assertThat(opened.get()).isTrue();
    }

    @Test
    void aVerbThatHoldsItForAMomentIsWaitedForAndAServerIsNot() throws Exception {
        FutureTask<Boolean> opened = new FutureTask<>(() -> {
            DataDirectory.open(dir).close();
            return true;
        });
        Thread server = Thread.ofPlatform().unstarted(opened);
        try (DataDirectory _ = DataDirectory.openBriefly(dir)) {
            server.start();
            while (server.getState() != Thread.State.TIMED_WAITING && server.isAlive()) {
                Thread.onSpinWait();
            }
        }
        assertThat(opened.get()).isTrue();
        try (DataDirectory _ = DataDirectory.open(dir)) {
            assertThatThrownBy(() -> DataDirectory.open(dir)).hasMessageContaining("is in use by process " + OWN);
        }
    }

    @Test
    void aPidFileThatGoesWhileItIsReadIsNone() throws Exception {
        Path file = dir.resolve(DataDirectory.PID_FILE);
        AtomicBoolean over = new AtomicBoolean();
        FutureTask<Boolean> starts = new FutureTask<>(() -> {
            while (!over.get()) {
                PrivateFiles.write(file, "1\nstart-ticks=1\n");
                Files.deleteIfExists(file);
            }
            return true;
        });
        Thread.ofPlatform().start(starts);
        try {
            for (int i = 0; i < 3000; i++) {
                assertThat(DataDirectory.pidFile(dir).getOrDefault("pid", "1")).isEqualTo("1");
            }
        } finally {
            over.set(true);
        }
        assertThat(starts.get()).isTrue();
    }

    @Test
    void folderIsMadeForItsOwnerOnly() throws IOException {
        Path data = dir.resolve("a/b");
        DataDirectory.open(data).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                .isEqualTo("rwx------");
    }

    private static Path loose(Path path, String permissions) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private static String of(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void aFolderFoundEmptyIsMadeItsOwnersAndOneWithOtherThingsStaysAsItIs() throws IOException {
        Path empty = loose(Files.createDirectories(dir.resolve("empty")), "rwxrwxr-x");
        Path home = loose(Files.createDirectories(dir.resolve("home")), "rwxr-xr-x");
        Path theirs = loose(Files.createFile(home.resolve("theirs.txt")), "rw-r--r--");
        for (Path data : List.of(empty, home)) {
            try (DataDirectory held = DataDirectory.open(data)) {
                assertThat(held.tidy()).isEmpty();
                assertThat(of(data.resolve("weir.lock"))).isEqualTo("rw-------");
            }
        }
        assertThat(of(empty)).isEqualTo("rwx------");
        assertThat(of(home)).isEqualTo("rwxr-xr-x");
        assertThat(of(theirs)).isEqualTo("rw-r--r--");
    }

    @Test
    void aFolderThatOthersMayWriteInIsTold() throws IOException {
        Path data = loose(Files.createDirectories(dir.resolve("data")), "rwxrwxr-x");
        Files.createFile(data.resolve("theirs.txt"));
        try (DataDirectory held = DataDirectory.open(data)) {
            assertThat(held.tidy()).isEqualTo("others may write in it (rwxrwxr-x)");
        }
        assertThat(of(data)).isEqualTo("rwxrwxr-x");
    }

    @Test
    void aFolderForEverybodysTemporaryFilesIsRefusedAndStaysAsItIs() throws IOException {
        Path shared = Files.createDirectories(dir.resolve("tmp"));
        Files.setAttribute(shared, "unix:mode", 01777);
        assertThatThrownBy(() -> DataDirectory.open(shared))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("everybody's temporary files")
                .hasMessageContaining("server.data-dir=" + shared.resolve("weir"));
        assertThat(shared).isEmptyDirectory();
        assertThat((Integer) Files.getAttribute(shared, "unix:mode") & 07777).isEqualTo(01777);
    }

    @Test
    void whatAnEarlierVersionLeftOpenIsClosed() throws IOException {
        Path data = loose(Files.createDirectories(dir.resolve("data")), "rwxr-xr-x");
        Path folder = loose(Files.createDirectories(data.resolve("messaging")), "rwxr-xr-x");
        Path segment = loose(Files.createFile(folder.resolve("messages-0000000001.journal")), "rw-r--r--");
        Path lib = loose(Files.createDirectories(data.resolve("lib")), "rwxr-xr-x");
        Path users = loose(Files.createFile(data.resolve("users")), "rw-r--r--");
        Path token = loose(Files.createFile(data.resolve("admin.token")), "rw-r--r--");
        try (DataDirectory held = DataDirectory.open(data)) {
            assertThat(held.tidy()).isEmpty();
        }
        assertThat(List.of(of(folder), of(segment), of(users))).containsExactly("rwx------", "rw-------", "rw-------");
        assertThat(of(lib)).as("the operator's").isEqualTo("rwxr-xr-x");
        assertThat(of(token))
                .as("a token that others could read is refused, not hidden")
                .isEqualTo("rw-r--r--");
    }

    @Test
    void aFolderOfItsOwnIsLockedForOneServerThatIsNamed() throws IOException {
        Path folder = dir.resolve("statistics");
        try (FolderLock held = FolderLock.take(folder)) {
            assertThat(held).isNotNull();
            assertThatThrownBy(() -> FolderLock.take(folder))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(folder + " is in use by this process");
        }
        FolderLock.take(folder).close();
        assertThat(of(folder)).isEqualTo("rwx------");
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
