package io.weir.proxy.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Several logs side by side, their rotation, and what happens when files or disks go away. */
class AccessLogsTest {
    private static final ConfigNode.Place AT = ConfigNode.Place.of("test");

    @TempDir
    private Path data;

    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final SteppedClock clock = new SteppedClock(1_163_116_800_000L);
    private final Map<String, AccessLogConfig> configs = new LinkedHashMap<>();
    private @Nullable AccessLogs opened;

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    static boolean fullDevice() {
        return Files.exists(Path.of("/dev/full"));
    }

    private AccessLogsTest with(String name, Object... keysAndValues) {
        ConfigNode.Mapping section = ConfigNode.Mapping.empty(AT)
                .with("format", scalar("custom"))
                .with("custom", scalar("%Req->vars.n%"))
                .with("flush-interval", scalar("1m"))
                .with("file", scalar("logs/" + name));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            ConfigNode value = keysAndValues[i + 1] instanceof List<?> list
                    ? new ConfigNode.Sequence(
                            AT, list.stream().map(v -> scalar((String) v)).toList())
                    : scalar((String) keysAndValues[i + 1]);
            section = section.with((String) keysAndValues[i], value);
        }
        ConfigBinder binder = new ConfigBinder();
        AccessLogConfig config = binder.bind(section, AccessLogConfig.class);
        assertThat(binder.problems()).isEmpty();
        configs.put(name, config);
        return this;
    }

    private static ConfigNode scalar(String text) {
        return new ConfigNode.Scalar(AT, text);
    }

    private AccessLogs open() {
        AccessLogs made = AccessLogs.open(configs, data, clock, stats, log, Runnable::run);
        opened = made;
        return made;
    }

    private static FakeExchange record(String n, String status) {
        return new FakeExchange().with("variable n", n).with(LogVariable.STATUS, status);
    }

    private List<String> lines(String file) throws IOException {
        List<String> lines = Files.readAllLines(data.resolve("logs").resolve(file));
        return lines.subList(1, lines.size());
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("logs"))) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    private String wall(String pattern) {
        return DateTimeFormatter.ofPattern(pattern)
                .format(Instant.ofEpochMilli(clock.millis()).atZone(ZoneId.systemDefault()));
    }

    @Test
    void eachLogHasItsFormatFileAndStatuses() throws IOException {
        AccessLogs logs = with("a")
                .with("errors", "statuses", List.of("5xx", "404", "none"), "custom", "<%Req->vars.n%>")
                .open();
        LogLanes lanes = logs.lanes();
        for (String status : List.of("200", "404", "403", "503", "0")) {
            for (String name : logs.names()) {
                lanes.append(name, record("r" + status, status));
            }
        }
        logs.flush();
        assertThat(lines("a")).containsExactly("r200", "r404", "r403", "r503", "r0");
        assertThat(lines("errors")).containsExactly("<r404>", "<r503>", "<r0>");
        assertThat(stats.value(AccessLogStats.RECORDS, "errors")).isEqualTo(3);
    }

    @Test
    void refusedRequestsGoToTheLogsOfTheirVirtualServer() throws IOException {
        AccessLogs logs = with("all")
                .with("shop", "virtual-servers", List.of("shop"))
                .with("other", "virtual-servers", List.of("other"))
                .open();
        logs.lanes().refused("shop", record("r", "400"));
        logs.flush();
        assertThat(lines("all")).containsExactly("r");
        assertThat(lines("shop")).containsExactly("r");
        assertThat(lines("other")).isEmpty();
    }

    @Test
    void twoLogsDoNotShareAFileAndStatusesAreChecked() {
        with("a").with("b", "file", "logs/../logs/a");
        assertThatThrownBy(this::open).hasMessageContaining("one file");
        configs.clear();
        with("a", "statuses", List.of("6xx"));
        assertThatThrownBy(this::open).hasMessageContaining("6xx");
    }

    @Test
    void fileOfADayIsPutAsideAtMidnightWithItsDate() throws IOException {
        AccessLogs logs = with("a", "rotate-interval", "1d").open();
        LogLanes lanes = logs.lanes();
        Instant midnight = Instant.ofEpochMilli(clock.millis())
                .atZone(ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.DAYS)
                .plusDays(1)
                .toInstant();
        clock.step(Duration.ofMillis(midnight.toEpochMilli() - clock.millis() - 1));
        lanes.append("a", record("before", "200"));
        logs.flush();
        assertThat(files()).containsExactly("a");
        clock.step(Duration.ofMillis(1));
        lanes.append("a", record("after", "200"));
        logs.flush();
        assertThat(files()).containsExactly("a", "a." + wall("yyyyMMdd-HHmmss"));
        assertThat(lines("a")).containsExactly("after");
    }

    @Test
    void rotatedFilesAreCompressedAndOnlySoManyKept() throws Exception {
        AccessLogs logs = with("a", "compress", "on", "keep", "2").open();
        LogLanes lanes = logs.lanes();
        for (int i = 0; i < 4; i++) {
            lanes.append("a", record("r" + i, "200"));
            assertThat(logs.rotate("a")).containsExactly("a");
            clock.step(Duration.ofSeconds(1));
            int least = Math.min(i + 1, 2);
            await(() -> files().stream().filter(f -> f.endsWith(".gz")).count() >= least && files().size() <= 3);
        }
        assertThat(files()).hasSize(3).startsWith("a").allMatch(f -> f.equals("a") || f.endsWith(".gz"));
        Path newest = AccessLogs.rotatedFiles(data.resolve("logs/a")).getLast();
        try (InputStream in = new GZIPInputStream(Files.newInputStream(newest))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1))
                    .isEqualTo("format=%Req->vars.n%\nr3\n");
        }
    }

    @Test
    void fileThatTwoProcessesWriteIsNotPutAsideAndLosesNothing() throws Exception {
        AccessLogs mine = with("a", "rotate-size", "20", "compress", "on").open();
        try (AccessLogs others = AccessLogs.open(configs, data, clock, new Stats(), log, Runnable::run)) {
            mine.beside(true);
            others.beside(true);
            for (int i = 0; i < 5; i++) {
                mine.lanes().append("a", record("mine" + i, "200"));
                mine.flush();
                others.lanes().append("a", record("other" + i, "200"));
                others.flush();
            }
            assertThat(mine.rotate("a")).isEmpty();
            assertThat(files()).containsExactly("a");
            assertThat(lines("a")).hasSize(10).contains("mine0", "other0", "mine4", "other4");
        }
        mine.beside(false);
        mine.lanes().append("a", record("alone", "200"));
        mine.flush();
        // compressed, and nothing of the compression is left that could still write
        await(() -> files().size() == 2 && files().getLast().endsWith(".gz"));
        assertThat(lines("a")).containsExactly("alone");
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition) throws IOException {
        for (int i = 0; i < 3000 && !condition.holds(); i++) {
            LockSupport.parkNanos(10_000_000L);
        }
        assertThat(condition.holds()).isTrue();
    }

    @Test
    void nothingIsPutAsideWhereThereIsNoRecord() throws IOException {
        AccessLogs logs = with("a").with("b").open();
        logs.lanes().append("b", record("r", "200"));
        assertThat(logs.rotate(null)).containsExactly("b");
        assertThat(files()).hasSize(3);
    }

    @Test
    void fileThatWasMovedAwayIsMissedWithinASecondWithoutAnySignal() throws IOException {
        AccessLogs logs = with("a").open();
        LogLanes lanes = logs.lanes();
        lanes.append("a", record("old", "200"));
        logs.flush();
        Files.move(data.resolve("logs/a"), data.resolve("logs/a.1"));
        clock.step(Duration.ofSeconds(1));
        lanes.append("a", record("new", "200"));
        logs.flush();
        assertThat(lines("a.1")).containsExactly("old");
        assertThat(lines("a")).containsExactly("new");
    }

    @Test
    @EnabledIf("fullDevice")
    void fullDiskIsSaidOnceLostRecordsAreCountedAndItsEndIsTold() throws IOException {
        Files.createDirectories(data.resolve("logs"));
        Files.createSymbolicLink(data.resolve("logs/a"), Path.of("/dev/full"));
        AccessLogs logs = with("a").open();
        LogLanes lanes = logs.lanes();
        for (int i = 0; i < 5; i++) {
            lanes.append("a", record("one", "200"));
            lanes.append("a", record("two", "200"));
            logs.flush();
        }
        assertThat(stats.value(AccessLogStats.LOST, "a")).isEqualTo(10);
        assertThat(log.count(AccessLogMessages.WRITE_FAILED) + log.count(AccessLogMessages.OPEN_FAILED))
                .isEqualTo(1);
        Files.delete(data.resolve("logs/a"));
        lanes.append("a", record("kept", "200"));
        logs.flush();
        assertThat(lines("a")).containsExactly("kept");
        assertThat(log.count(AccessLogMessages.WRITTEN_AGAIN)).isEqualTo(1);
        assertThat(stats.value(AccessLogStats.LOST, "a")).isEqualTo(10);
    }

    @Test
    void recordsLeaveARingWholeOnly() {
        LogLane lane = new LogLane(
                new LogTarget("a", List.of(), new BitSet()),
                LogFormat.parse("%Req->vars.n%"),
                new LogClock(clock, ZoneId.of("UTC")),
                4096,
                512,
                () -> {},
                AccessLogCounters.of(stats, "a"));
        for (int i = 0; i < 8; i++) {
            lane.append(record("0123456789", "200"));
        }
        ByteBuffer small = ByteBuffer.allocate(30);
        assertThat(lane.drain(small)).isEqualTo(22);
        assertThat(lane.drain(small)).isZero();
        small.clear();
        assertThat(lane.drain(small)).isEqualTo(22);
        assertThat(lane.waiting()).isEqualTo(44);
    }
}
