package io.weir.server.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.base.ByteSize;
import io.weir.base.Counter;
import io.weir.base.Histogram;
import io.weir.base.RecordingLog;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.base.SystemClock;
import io.weir.server.catalogue.ServerMessages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was counted is told again: over restarts, cuts, full rings, and while the disk fails. */
@Tag("slow")
class RecorderTest {
    private static final StatSpec REQUESTS =
            StatSpec.counter("weir_test_requests_total", "requests", "Counted.", "server");
    private static final StatSpec LEVEL = StatSpec.gauge("weir_test_level", "things", "How many.");
    private static final StatSpec TIME = StatSpec.histogram("weir_test_time", "nanoseconds", "How long.");
    private static final long TEN = 10_000;

    @TempDir
    Path folder = Path.of("");

    private final SteppedClock clock = new SteppedClock(1_700_000_000_000L);
    private final RecordingLog log = new RecordingLog();
    private final AtomicLong level = new AtomicLong();
    private HistoryConfig config = with(Duration.ofHours(24), Duration.ofMinutes(5), 128L << 20);
    private Stats stats = new Stats();
    private Recorder recorder = recorder();

    @BeforeEach
    void begin() {
        recorder = recorder();
    }

    private Recorder recorder() {
        stats.gauge(LEVEL, level::get);
        return new Recorder(folder, () -> config, clock, stats, log);
    }

    /** A process ends and another begins on the same data directory: counts begin anew. */
    private void restart() throws IOException {
        recorder.close();
        stats = new Stats();
        recorder = recorder();
    }

    private void pass(long millis) {
        clock.step(Duration.ofMillis(millis));
        recorder.record();
    }

    private Curve ask(StatSpec spec, long from, long step, Map<String, String> labels) throws IOException {
        List<Curve> curves =
                new HistoryArchive(folder).answer(new Question(spec.name(), labels, from, clock.millis() + 1, step));
        assertThat(curves).hasSize(1);
        return curves.getFirst();
    }

    /** An interrupt would close the file that is being written, and end a question to other processes. */
    @Test
    void theEndWaitsForWhatIsBeingRecorded() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        Recorder slow = new Recorder(folder, () -> config, SystemClock.INSTANCE, stats, log, atMost -> {
            begun.countDown();
            try {
                ends.await();
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
            return Sweep.of(stats, atMost);
        });
        HistoryConfig usual = config;
        config = new HistoryConfig(
                usual.enabled(),
                Duration.ofMillis(1),
                usual.keep(),
                usual.longInterval(),
                usual.longKeep(),
                usual.maxSize(),
                usual.maxSeries());
        slow.start();
        begun.await();
        Thread closes = Thread.ofPlatform().start(() -> {
            try {
                slow.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        while (closes.getState() != Thread.State.TIMED_WAITING && closes.isAlive()) {
            Thread.onSpinWait();
        }
        ends.countDown();
        closes.join();
        assertThat(stats.sum(HistoryStats.FAILED)).isZero();
        assertThat(stats.sum(HistoryStats.ROWS)).isPositive();
    }

    @Test
    void ratesOfCountersByLabels() throws IOException {
        long begin = clock.millis();
        Counter a = stats.counter(REQUESTS, "a");
        Counter b = stats.counter(REQUESTS, "b");
        recorder.record();
        for (int i = 0; i < 6; i++) {
            a.add(50);
            b.add(i < 3 ? 10 : 0);
            pass(TEN);
        }
        Curve ofA = ask(REQUESTS, begin + 1, 30_000, Map.of("server", "a"));
        assertThat(ofA.columns()).containsExactly("rate");
        assertThat(ofA.points()[0]).startsWith(5, 5);
        Curve ofB = ask(REQUESTS, begin + 1, 30_000, Map.of("server", "b"));
        assertThat(ofB.labels()).containsExactly("server", "b");
        assertThat(ofB.points()[0]).startsWith(1, 0);
    }

    @Test
    void gaugesHaveMeanAndPeakAndDistributionsPercentiles() throws IOException {
        long begin = clock.millis();
        Histogram time = stats.histogram(TIME);
        recorder.record();
        for (long v : new long[] {2, 4, 12}) {
            level.set(v);
            for (int i = 0; i < 100; i++) {
                time.record(i < 95 ? 900_000 : 9_000_000);
            }
            pass(TEN);
        }
        double[][] levels = ask(LEVEL, begin + 1, 30_000, Map.of()).points();
        assertThat(levels[0][0]).isEqualTo(6);
        assertThat(levels[1][0]).isEqualTo(12);
        Curve times = ask(TIME, begin + 1, 30_000, Map.of());
        assertThat(times.columns()).containsExactly("rate", "mean", "p50", "p90", "p99");
        assertThat(times.points()[0][0]).isEqualTo(10);
        assertThat(times.points()[1][0]).isCloseTo(0.95 * 900_000 + 0.05 * 9_000_000, within(1.0));
        assertThat(times.points()[2][0]).as("median").isBetween(500_000.0, 1_000_000.0);
        assertThat(times.points()[4][0]).as("99th percentile").isBetween(5_000_000.0, 10_000_000.0);
    }

    @Test
    void restartIsNoNegativeRateAndNoLoss() throws IOException {
        long begin = clock.millis();
        recorder.record();
        stats.counter(REQUESTS, "a").add(1000);
        pass(TEN);
        restart();
        stats.counter(REQUESTS, "a").add(30);
        pass(TEN);
        double[] rate = ask(REQUESTS, begin + 1, TEN, Map.of()).points()[0];
        assertThat(rate[1]).as("30 in the 10 s since the new process began").isEqualTo(3);
        assertThat(Ring.files(folder.resolve(Recorder.FOLDER), Recorder.SHORT))
                .as("the same file goes on")
                .hasSize(1);
    }

    @Test
    void timeWithoutServerIsUnknownNotZero() throws IOException {
        long begin = clock.millis();
        stats.counter(REQUESTS, "a");
        recorder.record();
        pass(TEN);
        clock.step(Duration.ofMinutes(10));
        restart();
        stats.counter(REQUESTS, "a").add(7);
        recorder.record();
        pass(TEN);
        double[] rate = ask(REQUESTS, begin + 1, TEN, Map.of()).points()[0];
        assertThat(rate[0]).isZero();
        assertThat(rate[20]).isNaN();
    }

    @Test
    void tornTailIsCutAndTheFileGoesOn() throws IOException {
        long begin = clock.millis();
        stats.counter(REQUESTS, "a").add(100);
        recorder.record();
        recorder.close();
        Path file = Ring.files(folder.resolve(Recorder.FOLDER), Recorder.SHORT)
                .getFirst()
                .file();
        Files.write(file, new byte[] {Rows.ROW, 0, 0, 0, 9, 1, 2, 3}, StandardOpenOption.APPEND);
        recorder = recorder();
        stats.counter(REQUESTS, "a").add(50);
        pass(TEN);
        assertThat(stats.value(HistoryStats.DAMAGED)).isEqualTo(1);
        assertThat(ask(REQUESTS, begin + 1, TEN, Map.of()).points()[0][0]).isEqualTo(5);
    }

    @Test
    void flippedBitCostsWhatFollowsInItsFileOnly() throws IOException {
        long begin = clock.millis();
        Counter count = stats.counter(REQUESTS, "a");
        recorder.record();
        for (int i = 0; i < 10; i++) {
            count.add(10);
            pass(TEN);
        }
        recorder.close();
        Path file = Ring.files(folder.resolve(Recorder.FOLDER), Recorder.SHORT)
                .getFirst()
                .file();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length * 9 / 10] ^= 4;
        Files.write(file, bytes);
        double[] rate = ask(REQUESTS, begin + 1, TEN, Map.of()).points()[0];
        assertThat(rate[0]).isEqualTo(1);
        assertThat(rate[9]).isNaN();
    }

    @Test
    void oldFilesGoAndTheLongRingRemembers() throws IOException {
        config = with(Duration.ofMinutes(24), Duration.ofMinutes(5), 1 << 20);
        long begin = clock.millis();
        Counter count = stats.counter(REQUESTS, "a");
        recorder.record();
        for (int i = 0; i < 60 * 6; i++) {
            count.add(20);
            level.set(i % 2 == 0 ? 10 : 30);
            pass(TEN);
        }
        List<Ring.Part> files = Ring.files(folder.resolve(Recorder.FOLDER), Recorder.SHORT);
        assertThat(files).hasSizeBetween(24, 26);
        assertThat(clock.millis() - files.getFirst().start())
                .as("nothing older than it is kept, but for the file that holds the edge")
                .isBetween(
                        Duration.ofMinutes(24).toMillis(),
                        Duration.ofMinutes(26).toMillis());
        Curve all = ask(REQUESTS, begin, Duration.ofMinutes(6).toMillis(), Map.of());
        for (int i = 1; i < 9; i++) {
            assertThat(all.points()[0][i])
                    .as("point %d, also of the time before", i)
                    .isEqualTo(2);
        }
        Curve levels = ask(LEVEL, begin, Duration.ofMinutes(10).toMillis(), Map.of());
        assertThat(levels.points()[0][0]).as("mean in the long ring").isCloseTo(20, within(1.0));
        assertThat(levels.points()[1][0]).as("peak in the long ring").isEqualTo(30);
        assertThat(stats.value(HistoryStats.DROPPED)).isZero();
    }

    @Test
    void maxSizeBoundsTheDisk() throws IOException {
        config = with(Duration.ofDays(30), Duration.ofMinutes(5), 1 << 20);
        for (int i = 0; i < 900; i++) {
            stats.counter(REQUESTS, "s" + i);
        }
        for (int i = 0; i < 600; i++) {
            for (int s = 0; s < 900; s++) {
                stats.counter(REQUESTS, "s" + s).add(1000L + (long) i * s);
            }
            pass(TEN);
        }
        assertThat(stats.value(HistoryStats.DROPPED)).isPositive();
        long size;
        try (Stream<Path> files = Files.list(folder.resolve(Recorder.FOLDER))) {
            size = files.mapToLong(f -> f.toFile().length()).sum();
        }
        assertThat(size).isLessThanOrEqualTo((1 << 20) + (64 << 10));
        assertThat(stats.sum(HistoryStats.SIZE)).isEqualTo(size);
    }

    @Test
    void valuesBeyondTheLimitAreCounted() {
        config = new HistoryConfig(
                true,
                config.interval(),
                config.keep(),
                config.longInterval(),
                config.longKeep(),
                config.maxSize(),
                100);
        for (int i = 0; i < 200; i++) {
            stats.counter(REQUESTS, "s" + i);
        }
        recorder.record();
        assertThat(stats.sum(HistoryStats.SERIES)).isEqualTo(100);
        assertThat(stats.value(HistoryStats.REFUSED)).isGreaterThan(100);
    }

    @Test
    void diskThatFailsIsToldOnceAndNotFatal() throws IOException {
        long begin = clock.millis();
        stats.counter(REQUESTS, "a");
        Files.writeString(folder.resolve(Recorder.FOLDER), "in the way");
        recorder.record();
        pass(TEN);
        assertThat(stats.value(HistoryStats.FAILED, Recorder.SHORT)).isEqualTo(2);
        assertThat(log.count(ServerMessages.STATISTICS_FAILED)).isEqualTo(1);
        Files.delete(folder.resolve(Recorder.FOLDER));
        pass(TEN);
        stats.counter(REQUESTS, "a").add(10);
        pass(TEN);
        assertThat(log.count(ServerMessages.HISTORY_RESUMED)).isEqualTo(1);
        assertThat(ask(REQUESTS, begin, Duration.ofMinutes(1).toMillis(), Map.of())
                        .points()[0][0])
                .isEqualTo(1);
    }

    @Test
    void switchedOffItWritesNothing() throws IOException {
        config = new HistoryConfig(
                false,
                config.interval(),
                config.keep(),
                config.longInterval(),
                config.longKeep(),
                config.maxSize(),
                100);
        recorder.record();
        recorder.close();
        assertThat(folder.resolve(Recorder.FOLDER)).doesNotExist();
    }

    private static HistoryConfig with(Duration keep, Duration longInterval, long maxSize) {
        return new HistoryConfig(
                true, Duration.ofSeconds(10), keep, longInterval, Duration.ofDays(30), new ByteSize(maxSize), 20_000);
    }
}
