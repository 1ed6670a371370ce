package io.weir.samples.poller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.base.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The poller without a server: what its own code has to keep. */
@Tag("slow")
class DirectoryPollerTest {
    @TempDir
    Path folder = Path.of("");

    @BeforeEach
    void folders() throws IOException {
        Files.createDirectories(folder.resolve("inbox"));
        Files.createDirectories(folder.resolve("work"));
    }

    private DirectoryPoller poller() {
        return new DirectoryPoller(Map.of("folder", folder.toString(), "interval-millis", "5"));
    }

    private static void until(BooleanSupplier condition) {
        long end = SystemClock.INSTANCE.nanos() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(SystemClock.INSTANCE.nanos() - end).isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private boolean done(String name) {
        return Files.exists(folder.resolve("done").resolve(name))
                && !Files.exists(folder.resolve("work").resolve(name));
    }

    @Test
    void whatArrivesIsTreatedOnce() throws Exception {
        DirectoryPoller poller = poller();
        poller.activate(new Fence(1, 5));
        Files.writeString(folder.resolve("inbox/a.txt"), "one\ntwo\n");
        until(() -> done("a.txt"));
        poller.deactivate();
        assertThat(folder.resolve("done/a.txt")).hasContent("a.txt: 2 lines, under fence 1.5\n");
        assertThat(folder.resolve("inbox")).isEmptyDirectory();
        assertThat(folder.resolve("work")).isEmptyDirectory();
    }

    @Test
    void whatAPredecessorLeftHalfDoneIsFinished() throws Exception {
        Files.writeString(folder.resolve("work/b.txt"), "one\n");
        DirectoryPoller poller = poller();
        poller.activate(new Fence(1, 6));
        until(() -> done("b.txt"));
        poller.deactivate();
    }

    @Test
    void aPredecessorThatWakesUpLateTouchesNothing() throws Exception {
        DirectoryPoller late = poller();
        late.activate(new Fence(1, 5));
        DirectoryPoller now = poller();
        now.activate(new Fence(1, 6));
        now.deactivate();
        Files.writeString(folder.resolve("inbox/c.txt"), "one\n");
        late.deactivate();
        assertThatThrownBy(() -> poller().activate(new Fence(1, 5))).hasMessageContaining("1.6 works here now");
        DirectoryPoller next = poller();
        next.activate(new Fence(2, 1));
        until(() -> done("c.txt"));
        next.deactivate();
        assertThat(folder.resolve("done/c.txt")).content().contains("fence 2.1");
    }

    @Test
    void withoutAFolderItSaysWhatIsMissing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DirectoryPoller(Map.of()))
                .withMessageContaining("folder");
    }
}
