package io.weir.proxy.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessLogTest {
    private static final ConfigNode.Place AT = ConfigNode.Place.of("test");

    @TempDir
    private Path data;

    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final SteppedClock clock = new SteppedClock(1_163_116_800_000L);
    private @Nullable AccessLogs opened;

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    private static AccessLogConfig config(String... keysAndValues) {
        Map<String, ConfigNode> entries = new HashMap<>();
        entries.put("format", new ConfigNode.Scalar(AT, "custom"));
        entries.put("custom", new ConfigNode.Scalar(AT, "%Req->vars.n%"));
        // the writer's own turns are not waited for: tests flush
        entries.put("flush-interval", new ConfigNode.Scalar(AT, "1m"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.put(keysAndValues[i], new ConfigNode.Scalar(AT, keysAndValues[i + 1]));
        }
        ConfigBinder binder = new ConfigBinder();
        AccessLogConfig config = binder.bind(new ConfigNode.Mapping(AT, entries, Map.of()), AccessLogConfig.class);
        assertThat(binder.problems()).isEmpty();
        return config;
    }

    private AccessLogs open(AccessLogConfig config) {
        AccessLogs made = AccessLogs.open(Map.of("global", config), data, clock, stats, log, Runnable::run);
        opened = made;
        return made;
    }

    /** A loop's part of the one log. */
    private record Lane(LogLanes lanes) {
        void append(LogSource source) {
            lanes.append("global", source);
        }
    }

    private static Lane lane(AccessLogs logs) {
        return new Lane(logs.lanes());
    }

    private static FakeExchange record(String n) {
        return new FakeExchange().with("variable n", n);
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(data.resolve("logs/access"));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("logs"))) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void offIsNoLog() {
        assertThat(open(config("format", "off")).names()).isEmpty();
        assertThat(data.resolve("logs")).doesNotExist();
    }

    @Test
    void customFormatMustBeGivenAndGood() {
        assertThatThrownBy(() -> AccessLogs.open(
                        Map.of("global", config("custom", " ")), data, clock, stats, log, Runnable::run))
                .hasMessageContaining("custom");
        assertThatThrownBy(() -> AccessLogs.open(
                        Map.of("global", config("custom", "%nonsense%")), data, clock, stats, log, Runnable::run))
                .hasMessageContaining("nonsense");
    }

    @Test
    void fileBeginsWithTheFormatAndHoldsTheRecordsOfAllLanes() throws IOException {
        AccessLogs access = open(config());
        Lane one = lane(access);
        Lane two = lane(access);
        one.append(record("a"));
        two.append(record("b"));
        one.append(record("c"));
        assertThat(stats.value(AccessLogStats.WAITING, "global")).isEqualTo(6);
        access.flush();
        assertThat(lines()).containsExactly("format=%Req->vars.n%", "a", "c", "b");
        assertThat(stats.value(AccessLogStats.RECORDS, "global")).isEqualTo(3);
        assertThat(stats.value(AccessLogStats.WAITING, "global")).isZero();
    }

    @Test
    void fileThatExistsIsContinued() throws IOException {
        lane(open(config())).append(record("a"));
        Objects.requireNonNull(opened).close();
        lane(open(config())).append(record("b"));
        Objects.requireNonNull(opened).close();
        assertThat(lines()).containsExactly("format=%Req->vars.n%", "a", "b");
    }

    @Test
    void ringKeepsRecordsWholeAroundItsEnd() throws IOException {
        AccessLogs access = open(config("buffer-size", "4KiB", "record-size", "512"));
        Lane lane = lane(access);
        StringBuilder expected = new StringBuilder("format=%Req->vars.n%\n");
        for (int i = 0; i < 500; i++) {
            String n = i + "-" + "x".repeat(i % 97);
            lane.append(record(n));
            expected.append(n).append('\n');
            if (i % 13 == 0) {
                access.flush();
            }
        }
        access.flush();
        assertThat(Files.readString(data.resolve("logs/access"))).isEqualTo(expected.toString());
        assertThat(stats.value(AccessLogStats.DROPPED, "global")).isZero();
    }

    @Test
    void fullRingDropsCountsAndGoesOn() {
        AtomicInteger wakes = new AtomicInteger();
        LogLane lane = new LogLane(
                new LogTarget("global", List.of(), new BitSet()),
                LogFormat.parse("%Req->vars.n%"),
                new LogClock(clock, ZoneOffset.UTC),
                4096,
                512,
                wakes::incrementAndGet,
                AccessLogCounters.of(stats, "global"));
        for (int i = 0; i < 16; i++) {
            lane.append(record("x".repeat(255)));
        }
        assertThat(lane.waiting()).isEqualTo(4096);
        assertThat(stats.value(AccessLogStats.DROPPED, "global")).isZero();
        assertThat(wakes).hasValue(1);
        lane.append(record(""));
        assertThat(stats.value(AccessLogStats.DROPPED, "global")).isEqualTo(1);
        ByteBuffer taken = ByteBuffer.allocate(2 * 4096);
        assertThat(lane.drain(taken)).isEqualTo(4096);
        lane.append(record("after"));
        assertThat(lane.drain(taken)).isEqualTo(6);
        assertThat(stats.value(AccessLogStats.RECORDS, "global")).isEqualTo(17);
    }

    @Test
    void recordThatIsTooLongIsCutAndCounted() throws IOException {
        AccessLogs access = open(config("record-size", "512"));
        lane(access).append(record("x".repeat(10_000)));
        access.flush();
        assertThat(lines().get(1)).hasSize(511);
        assertThat(stats.value(AccessLogStats.CUT, "global")).isEqualTo(1);
    }

    @Test
    void fileIsPutAsideAtItsSize() throws IOException {
        AccessLogs access = open(config("rotate-size", "100"));
        Lane lane = lane(access);
        lane.append(record("x".repeat(90)));
        access.flush();
        assertThat(files()).containsExactly("access");
        lane.append(record("next"));
        access.flush();
        assertThat(files()).hasSize(2);
        assertThat(lines()).containsExactly("format=%Req->vars.n%", "next");
        assertThat(stats.value(AccessLogStats.ROTATIONS, "global")).isEqualTo(1);
    }

    @Test
    void fileIsPutAsideAtItsAgeAndOldOnesAreDeleted() throws IOException {
        AccessLogs access = open(config("rotate-interval", "1h", "keep", "2"));
        Lane lane = lane(access);
        for (int i = 0; i < 5; i++) {
            lane.append(record("r" + i));
            access.flush();
            clock.step(Duration.ofHours(1));
        }
        access.flush();
        assertThat(files()).hasSize(3).startsWith("access");
        assertThat(stats.value(AccessLogStats.ROTATIONS, "global")).isEqualTo(5);
    }

    @Test
    void emptyFileIsNotPutAside() throws IOException {
        AccessLogs access = open(config("rotate-interval", "1h"));
        clock.step(Duration.ofHours(2));
        access.flush();
        assertThat(files()).containsExactly("access");
    }

    @Test
    void fileIsOpenedAnewAfterItWasMoved() throws IOException {
        AccessLogs access = open(config());
        Lane lane = lane(access);
        lane.append(record("old"));
        access.flush();
        Files.move(data.resolve("logs/access"), data.resolve("logs/moved"));
        access.reopen();
        lane.append(record("new"));
        access.flush();
        access.flush();
        assertThat(lines()).containsExactly("format=%Req->vars.n%", "new");
    }

    @Test
    void fileThatCannotBeOpenedIsLoggedAndTriedAgain() throws IOException {
        Files.writeString(data.resolve("logs"), "a file where the directory should be");
        AccessLogs access = open(config());
        Lane lane = lane(access);
        lane.append(record("lost"));
        access.flush();
        assertThat(log.count(AccessLogMessages.OPEN_FAILED)).isPositive();
        assertThat(stats.value(AccessLogStats.FAILURES, "global")).isPositive();
        Files.delete(data.resolve("logs"));
        lane.append(record("kept"));
        access.flush();
        assertThat(lines()).containsExactly("format=%Req->vars.n%", "kept");
    }

    @Test
    void diskThatIsFullLosesRecordsAndTheServerGoesOn() throws IOException {
        if (!Files.exists(Path.of("/dev/full"))) {
            return;
        }
        Files.createDirectories(data.resolve("logs"));
        Files.createSymbolicLink(data.resolve("logs/access"), Path.of("/dev/full"));
        AccessLogs access = open(config());
        Lane lane = lane(access);
        for (int i = 0; i < 3; i++) {
            lane.append(record("lost"));
            access.flush();
        }
        assertThat(stats.value(AccessLogStats.FAILURES, "global")).isGreaterThanOrEqualTo(3);
        Files.delete(data.resolve("logs/access"));
        lane.append(record("kept"));
        access.flush();
        assertThat(lines()).contains("kept");
    }

    @Test
    void lanesOfSeveralLoopsLoseAndTearNothing() throws Exception {
        AccessLogs access = open(config("flush-interval", "10ms", "buffer-size", "64KiB"));
        int perLane = 5000;
        CountDownLatch done = new CountDownLatch(3);
        for (int t = 0; t < 3; t++) {
            Lane lane = lane(access);
            String prefix = "lane" + t + "-";
            Thread.ofPlatform().start(() -> {
                for (int i = 0; i < perLane; i++) {
                    lane.append(record(prefix + i));
                }
                done.countDown();
            });
        }
        assertThat(done.await(3, TimeUnit.MINUTES)).isTrue();
        access.flush();
        long kept = stats.value(AccessLogStats.RECORDS, "global");
        assertThat(kept + stats.value(AccessLogStats.DROPPED, "global")).isEqualTo(3L * perLane);
        List<String> lines = lines();
        assertThat(lines).hasSize((int) kept + 1);
        assertThat(lines.subList(1, lines.size())).allMatch(l -> l.matches("lane[0-2]-[0-9]+"));
    }
}
