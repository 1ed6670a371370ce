package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.lab.load.ProcessFacts;
import io.weir.lab.scenario.ProcessLauncher;
import io.weir.lab.scenario.Weir;
import io.weir.server.files.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stop comes while a worker starts: it has nothing to drain, so nobody waits for it.
 */
@Tag("slow")
@Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StopWhileStartingTest {
    private static final int PATIENCE_MILLIS = 120_000;

    @TempDir
    Path folder = Path.of("");

    private Path data() {
        return folder.resolve("data");
    }

    private Path config() throws IOException {
        return Servers.reverse(folder, 1, "server: {processes: 2}\n");
    }

    private String log() throws IOException {
        Path log = data().resolve("logs/server.log");
        return Files.exists(log) ? Files.readString(log) : "";
    }

    private static List<ProcessHandle> workers(ProcessHandle supervisor) {
        return supervisor.children().toList();
    }

    private void endedByThemselves() throws IOException {
        assertThat(log()).contains("WEIR-170079").doesNotContain("WEIR-170075");
    }

    @Test
    void stopWaitsForNoSuccessorThatStarts() throws Exception {
        try (ProcessLauncher.Running weir = Servers.launcher().start(config(), data(), List.of())) {
            ProcessHandle supervisor = ProcessHandle.of(weir.pid()).orElseThrow();
            List<ProcessHandle> first = workers(supervisor);
            ProcessHandle second = first.stream()
                    .filter(p -> says("--process=2", p))
                    .findFirst()
                    .orElseThrow();
            assertThat(second.destroyForcibly()).isTrue();
            assertThat(Servers.within(
                            PATIENCE_MILLIS, () -> workers(supervisor).stream().anyMatch(p -> !first.contains(p))))
                    .isTrue();
            List<ProcessHandle> all = workers(supervisor);
            weir.stop();
            assertThat(weir.exit()).isZero();
            endedByThemselves();
            assertThat(all).noneMatch(ProcessHandle::isAlive);
        }
    }

    @Test
    void aWorkerThatDoesNotStartIsAFailureOfTheStart() throws Exception {
        Path foreign = Files.createDirectories(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("a.txt"), "somebody's");
        Path config = Servers.reverse(
                folder, 1, "server: {processes: 2}\ncache: {disk: {path: %s, size: 64MiB}}\n".formatted(foreign));
        assertThatThrownBy(() -> Servers.launcher().start(config, data(), List.of()))
                .isInstanceOfSatisfying(Weir.StartRefused.class, refused -> {
                    assertThat(refused.exit()).isEqualTo(1);
                    assertThat(refused)
                            .hasMessageContaining("the server did not start")
                            .hasMessageContaining("a.txt");
                });
    }

    /** Its words; the system tells of a long line only there. */
    private static boolean says(String word, ProcessHandle of) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(of.pid()), "cmdline"))
                    .contains(word);
        } catch (IOException e) {
            // it has ended
            return false;
        }
    }

    private Optional<ProcessHandle> supervisor() {
        return ProcessHandle.current()
                .children()
                .filter(p -> says("server.data-dir=" + data(), p))
                .findFirst();
    }

    /** The workers of a server that is not yet ready. */
    private List<ProcessHandle> starting() {
        return supervisor().map(StopWhileStartingTest::workers).orElse(List.of());
    }

    /** A start whose two workers have begun. */
    private Future<ProcessLauncher.Running> begun(ExecutorService threads) throws Exception {
        Path config = config();
        Future<ProcessLauncher.Running> start =
                threads.submit(() -> Servers.launcher().start(config, data(), List.of()));
        assertThat(Servers.within(PATIENCE_MILLIS, () -> starting().size() == 2))
                .isTrue();
        return start;
    }

    /** One that is stopped keeps the other one waiting, which has all but its clients' listeners. */
    @Test
    void stopWaitsForNoWorkerThatWaitsForTheOthers() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ProcessLauncher.Running> start = begun(threads);
            List<ProcessHandle> all = starting();
            ProcessHandle second =
                    all.stream().filter(p -> says("--process=2", p)).findFirst().orElseThrow();
            ProcessHandle first =
                    all.stream().filter(p -> !p.equals(second)).findFirst().orElseThrow();
            Signals.send("STOP", second.pid());
            assertThat(Servers.within(
                            PATIENCE_MILLIS,
                            () -> ProcessFacts.jcmd(first.pid(), "Thread.print").contains("awaitOthers")))
                    .isTrue();
            assertThat(first.destroy()).isTrue();
            assertThatThrownBy(() -> start.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                    .isInstanceOf(ExecutionException.class);
            Path own = data().resolve("workers/1/logs/server.log");
            // what it says when it has waited for long, or serves
            assertThat(Files.exists(own) ? Files.readString(own) : "").doesNotContain("WEIR-170034", "ready in");
            assertThat(all).noneMatch(ProcessHandle::isAlive);
        }
    }

    @Test
    void stopOfAServerThatStartsWaitsForNoWorkerThatStarts() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ProcessLauncher.Running> start = begun(threads);
            List<ProcessHandle> all = starting();
            ProcessHandle supervisor = supervisor().orElseThrow();
            assertThat(DataDirectory.holder(data())).as("whom ./weir stop ends").isEqualTo(supervisor.pid());
            assertThat(supervisor.destroy()).isTrue();
            assertThatThrownBy(() -> start.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            Weir.StartRefused.class,
                            e -> assertThat(e.exit()).as(e.getMessage()).isZero());
            endedByThemselves();
            assertThat(all).noneMatch(ProcessHandle::isAlive);
        }
    }
}
