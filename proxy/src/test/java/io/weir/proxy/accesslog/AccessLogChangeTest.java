package io.weir.proxy.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that come, go and change while loops append. */
class AccessLogChangeTest {
    private static final ConfigNode.Place AT = ConfigNode.Place.of("test");

    @TempDir
    private Path data = Path.of("");

    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final SteppedClock clock = new SteppedClock(1_163_116_800_000L);
    private final List<Runnable> waiting = new ArrayList<>();
    private AccessLogs logs = AccessLogs.open(Map.of(), data, clock, stats, log, waiting::add);
    private LogLanes lanes = logs.lanes();

    @BeforeEach
    void open() {
        logs = AccessLogs.open(Map.of(), data, clock, stats, log, waiting::add);
        lanes = logs.lanes();
    }

    @AfterEach
    void close() {
        logs.close();
    }

    private static AccessLogConfig custom(String file, String text, String... more) {
        ConfigNode.Mapping section = ConfigNode.Mapping.empty(AT)
                .with("format", scalar("custom"))
                .with("custom", scalar(text))
                .with("flush-interval", scalar("1m"))
                .with("file", scalar(file));
        for (int i = 0; i < more.length; i += 2) {
            section = section.with(more[i], scalar(more[i + 1]));
        }
        ConfigBinder binder = new ConfigBinder();
        AccessLogConfig config = binder.bind(section, AccessLogConfig.class);
        assertThat(binder.problems()).isEmpty();
        return config;
    }

    private static ConfigNode scalar(String text) {
        return new ConfigNode.Scalar(AT, text);
    }

    private void change(Map<String, AccessLogConfig> next) {
        logs.configure(next);
        logs.prune(next);
    }

    /** Every loop has ended what it was doing. */
    private void quiet() {
        waiting.forEach(Runnable::run);
        waiting.clear();
        logs.flush();
    }

    private void append(String log, String n) {
        lanes.append(log, new FakeExchange().with("variable n", n));
    }

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(data.resolve(file));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(data)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    private List<String> shown() {
        return stats.samples().stream()
                .map(s -> s.labels().getFirst())
                .distinct()
                .toList();
    }

    @Test
    void newOneIsThereAtOnceAndOneThatGoesHasAllItsRecords() throws IOException {
        append("a", "before");
        change(Map.of("a", custom("a", "%Req->vars.n%")));
        assertThat(lines("a")).containsExactly("format=%Req->vars.n%");
        append("a", "one");
        change(Map.of());
        append("a", "after");
        assertThat(shown()).containsExactly("a");
        quiet();
        assertThat(lines("a")).containsExactly("format=%Req->vars.n%", "one");
        assertThat(logs.names()).isEmpty();
        assertThat(shown()).as("its statistics went with it").isEmpty();
    }

    @Test
    void oneThatIsNotNamedAnyMoreGoesOnUntilItIsPruned() throws IOException {
        Map<String, AccessLogConfig> both =
                Map.of("a", custom("a", "%Req->vars.n%"), "b", custom("b", "%Req->vars.n%"));
        change(both);
        logs.configure(Map.of("b", custom("b", "%Req->vars.n%")));
        append("a", "late");
        logs.prune(Map.of("b", custom("b", "%Req->vars.n%")));
        append("b", "next");
        quiet();
        assertThat(lines("a")).endsWith("late");
        assertThat(lines("b")).endsWith("next");
    }

    @Test
    void changedFileIsFlushedAndClosedAndWhatIsOnlyTurnedStays() throws IOException {
        change(Map.of("a", custom("one", "%Req->vars.n%")));
        append("a", "1");
        change(Map.of("a", custom("two", "%Req->vars.n%")));
        append("a", "2");
        assertThat(lines("one")).as("a loop may still be at it").hasSize(1);
        quiet();
        assertThat(lines("one")).endsWith("1");
        assertThat(lines("two")).endsWith("2");
        change(Map.of("a", custom("two", "%Req->vars.n%", "rotate-size", "1MiB")));
        assertThat(waiting).as("nothing was replaced").isEmpty();
    }

    @Test
    void fileHasOneFormat() throws IOException {
        change(Map.of("a", custom("a", "%Req->vars.n%")));
        append("a", "1");
        change(Map.of("a", custom("a", "new %Req->vars.n%")));
        append("a", "2");
        logs.flush();
        assertThat(lines("a"))
                .as("the old one has the file until it is closed")
                .containsExactly("format=%Req->vars.n%", "1");
        quiet();
        assertThat(lines("a")).containsExactly("format=new %Req->vars.n%", "new 2");
        assertThat(files()).hasSize(2);
        assertThat(lines(files().getLast())).containsExactly("format=%Req->vars.n%", "1");
        logs.close();
        open();
        change(Map.of("a", custom("a", "newer %Req->vars.n%")));
        append("a", "3");
        quiet();
        assertThat(lines("a")).as("after a restart too").containsExactly("format=newer %Req->vars.n%", "newer 3");
        assertThat(files()).hasSize(3);
    }

    @Test
    void sameFormatGoesOnInTheSameFileAlsoUnderAnotherName() throws IOException {
        change(Map.of("a", custom("a", "%Req->vars.n%")));
        append("a", "1");
        change(Map.of("b", custom("a", "%Req->vars.n%", "buffer-size", "8KiB")));
        append("b", "2");
        quiet();
        assertThat(lines("a")).containsExactly("format=%Req->vars.n%", "1", "2");
        assertThat(files()).containsExactly("a");
        Map<String, AccessLogConfig> two = new LinkedHashMap<>();
        two.put("b", custom("a", "%Req->vars.n%"));
        two.put("c", custom("./a", "%Req->vars.n%"));
        assertThatThrownBy(() -> logs.configure(two)).hasMessageContaining("have one file");
        append("b", "3");
        quiet();
        assertThat(lines("a")).endsWith("3");
    }

    @Test
    void noRecordIsLostOrTwiceWhileFormatAndFileChangeAllTheTime() throws Exception {
        change(Map.of("a", custom("f0", "%Req->vars.n%")));
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        Object turn = new Object();
        Thread loop = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                synchronized (turn) {
                    append("a", "n" + written.getAndIncrement());
                }
                LockSupport.parkNanos(1);
            }
        });
        for (int i = 1; i <= 40; i++) {
            int before = written.get();
            change(Map.of(
                    "a",
                    custom(
                            "f" + i % 3,
                            (i % 2 == 0 ? "" : "x ") + "%Req->vars.n%",
                            "record-size",
                            512 + i + "",
                            "keep",
                            "0")));
            // what the loop was doing ends when it has its turn again
            List<Runnable> now = List.copyOf(waiting);
            waiting.clear();
            synchronized (turn) {
                now.forEach(Runnable::run);
            }
            clock.step(Duration.ofSeconds(1));
            while (written.get() < before + 20) {
                LockSupport.parkNanos(1000);
            }
        }
        over.set(true);
        loop.join();
        quiet();
        logs.close();
        List<String> all = new ArrayList<>();
        for (String file : files()) {
            List<String> lines = lines(file);
            assertThat(lines.getFirst()).startsWith("format=");
            boolean x = lines.getFirst().contains("x ");
            assertThat(lines.subList(1, lines.size()))
                    .allMatch(l -> l.startsWith("x ") == x && !l.startsWith("format"));
            lines.subList(1, lines.size()).forEach(l -> all.add(l.replace("x ", "")));
        }
        assertThat(all).doesNotHaveDuplicates().hasSize(written.get());
        assertThat(stats.value(AccessLogStats.DROPPED, "a")).isZero();
    }
}
