package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SteppedClock;
import io.weir.base.SystemClock;
import io.weir.proxy.cache.config.DiskGcTime;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.files.SegmentFile;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PartitionGcTest {
    private static final String MEMORY = "memory-budget=8MiB";
    private static final String SIZE = "disk.size=16MiB";

    private static void fill(TestTier tier, int from, int to) {
        for (int i = from; i < to; i++) {
            tier.put("/" + i, TestTier.body("/" + i, 1, 100_000));
            tier.settle();
            tier.forget();
        }
    }

    private static Collected ended(TestTier tier, String reason) {
        TestTier.await("a collection has ended", () -> {
            Collected now = tier.tier.collected().getFirst();
            return now.reason().equals(reason) && !now.running();
        });
        return tier.tier.collected().getFirst();
    }

    @Test
    void anAutomaticOneBeginsAtTheHighMarginAndEndsAtTheLowOne() throws IOException {
        try (TestTier tier = new TestTier(new SimulatedFolder(), MEMORY, SIZE, "disk.gc.mode=automatic")) {
            tier.put("/hot", TestTier.body("/hot", 1, 10_000));
            tier.settle();
            tier.forget();
            tier.get("/hot");
            tier.forget();
            fill(tier, 0, 120);
            assertThat(tier.count(DiskStats.COLLECTIONS, "size")).isZero();
            fill(tier, 120, 150);
            Collected done = ended(tier, "size");
            assertThat(tier.count(DiskStats.COLLECTIONS, "size")).isEqualTo(1);
            assertThat(done.before()).isGreaterThan((16L << 20) / 100 * 80);
            assertThat(done.after()).isLessThanOrEqualTo((16L << 20) / 100 * 70);
            // not more than was needed
            assertThat(done.after()).isGreaterThan((16L << 20) / 100 * 50);
            assertThat(done.carried()).isEqualTo(1);
            assertThat(done.removed())
                    .isEqualTo(tier.count(DiskStats.EVICTIONS))
                    .isPositive();
            assertThat(tier.get("/hot")).isEqualTo(TestTier.body("/hot", 1, 10_000));
            assertThat(tier.get("/0")).as("the oldest").isNull();
            assertThat(tier.get("/149")).isEqualTo(TestTier.body("/149", 1, 100_000));
        }
    }

    @Test
    void switchedOffThePartitionFillsUp() throws IOException {
        try (TestTier tier = new TestTier(new SimulatedFolder(), MEMORY, SIZE)) {
            fill(tier, 0, 138);
            assertThat(tier.count(DiskStats.BYTES)).isGreaterThan((16L << 20) / 100 * 80);
            assertThat(tier.get("/0")).isEqualTo(TestTier.body("/0", 1, 100_000));
            assertThat(tier.tier.collected().getFirst().reason()).isEmpty();
        }
    }

    @Test
    void oneOnDemandEndsWhereItIsTold() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY, SIZE)) {
            fill(tier, 0, 100);
            tier.purge("/99");
            tier.tier.collect(30);
            assertThat(tier.tier.collected().getFirst().running()).isTrue();
            Collected done = ended(tier, "command");
            assertThat(done.after()).isLessThanOrEqualTo((16L << 20) / 100 * 30);
            assertThat(done.segments()).isPositive();
            assertThat(done.removed()).isPositive();
            assertThat(tier.count(DiskStats.COLLECTIONS, "command")).isEqualTo(1);
            tier.tier.collect(-1);
            assertThat(ended(tier, "command").segments())
                    .as("below the low margin")
                    .isZero();
            fill(tier, 100, 110);
        }
        try (TestTier tier = new TestTier(folder.afterKill(), MEMORY, SIZE)) {
            assertThat(tier.get("/0")).isNull();
            assertThat(tier.get("/99")).isNull();
            assertThat(tier.get("/98")).isEqualTo(TestTier.body("/98", 1, 100_000));
            assertThat(tier.get("/109")).isEqualTo(TestTier.body("/109", 1, 100_000));
        }
    }

    @Test
    void oneThatADiskRefusesSaysSo() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        SteppedClock clock = new SteppedClock(1_000_000);
        try (TestTier tier = new TestTier(folder, clock, MEMORY, SIZE)) {
            fill(tier, 0, 20);
            tier.tier.collect(1);
            assertThat(ended(tier, "command").failed()).isFalse();
            folder.failsWrites = true;
            tier.put("/lost", TestTier.body("/lost", 1, 100));
            tier.settle();
            assertThat(tier.tier.failing()).isNotEmpty();
            for (int i = 0; i < 2; i++) {
                tier.tier.collect(0);
                Collected refused = ended(tier, "command");
                assertThat(refused).isEqualTo(new Collected("part1", "command", false, true, 0, 0, 0, 0, 0, 0));
            }
        }
    }

    @Test
    void whatIsHotIsCarriedOnThoughTheActiveSegmentIsFull() throws IOException {
        try (TestTier tier = new TestTier(new SimulatedFolder(), MEMORY, SIZE)) {
            fill(tier, 0, 100);
            for (int i = 0; i < 100; i += 4) {
                assertThat(tier.get("/" + i)).isNotNull();
                tier.forget();
            }
            tier.tier.collect(20);
            Collected done = ended(tier, "command");
            assertThat(done.after()).isLessThanOrEqualTo((16L << 20) / 100 * 30);
            assertThat(done.carried()).isBetween(20L, 40L);
            for (int i = 60; i < 100; i += 4) {
                assertThat(tier.get("/" + i)).as("/" + i).isEqualTo(TestTier.body("/" + i, 1, 100_000));
            }
        }
    }

    @Test
    void aScheduledOneBeginsAtItsTime() throws IOException {
        SteppedClock clock = new SteppedClock(1_000_000);
        ZonedDateTime in = Instant.ofEpochMilli(clock.millis())
                .atZone(ZoneId.systemDefault())
                .plusHours(2);
        String time = String.format(java.util.Locale.ROOT, "daily %02d:%02d", in.getHour(), in.getMinute());
        try (TestTier tier = new TestTier(
                new SimulatedFolder(), clock, MEMORY, SIZE, "disk.gc.mode=scheduled", "disk.gc.schedule=" + time)) {
            fill(tier, 0, 140);
            clock.step(Duration.ofMinutes(90));
            fill(tier, 140, 145);
            assertThat(tier.count(DiskStats.COLLECTIONS, "schedule")).isZero();
            clock.step(Duration.ofMinutes(40));
            fill(tier, 145, 146);
            Collected done = ended(tier, "schedule");
            assertThat(done.after()).isLessThanOrEqualTo((16L << 20) / 100 * 70);
            fill(tier, 146, 150);
            assertThat(tier.count(DiskStats.COLLECTIONS, "schedule")).as("once").isEqualTo(1);
        }
    }

    @Test
    void aFullFileSystemMakesThePartitionSmaller() throws IOException {
        SimulatedFolder folder = new SimulatedFolder(20 << 20);
        try (TestTier tier = new TestTier(
                folder,
                MEMORY,
                SIZE,
                "disk.min-space=0",
                "disk.gc.mode=automatic",
                "disk.gc.high-margin=100",
                "disk.gc.low-margin=100",
                "disk.gc.file-system-full=50",
                "disk.gc.extra-margin=40")) {
            // the file system was looked at when it was empty: the next look is in ten seconds
            fill(tier, 0, 110);
        }
        try (TestTier tier = new TestTier(
                folder,
                SystemClock.INSTANCE,
                MEMORY,
                SIZE,
                "disk.min-space=0",
                "disk.gc.mode=automatic",
                "disk.gc.high-margin=100",
                "disk.gc.low-margin=100",
                "disk.gc.file-system-full=50",
                "disk.gc.extra-margin=40")) {
            Collected done = ended(tier, "file-system");
            assertThat(done.before()).isGreaterThan(10_000_000);
            assertThat(done.after()).isLessThanOrEqualTo(done.before() / 100 * 60);
        }
    }

    @Test
    void theLastBytesOfTheFileSystemAreLeftToOthers() throws IOException {
        SimulatedFolder folder = new SimulatedFolder(12 << 20);
        try (TestTier tier = new TestTier(folder, MEMORY, SIZE, "disk.min-space=4MiB")) {
            for (int i = 0; i < 200; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 100_000));
                tier.settle();
                tier.forget();
                assertThat(folder.usableBytes()).as("after %d", i).isGreaterThanOrEqualTo(4 << 20);
            }
            assertThat(tier.count(DiskStats.ERRORS, "write")).isZero();
            assertThat(tier.count(DiskStats.RECLAIMED)).isPositive();
            assertThat(tier.get("/199")).isEqualTo(TestTier.body("/199", 1, 100_000));
        }
        // others take what is left: the tier gives up segments, and writes again as soon as there is room
        SimulatedFolder small = folder.afterKill();
        SegmentFile others = small.create("others");
        others.write(java.nio.ByteBuffer.allocate(3 << 20), 0);
        try (TestTier tier = new TestTier(small, MEMORY, SIZE, "disk.min-space=4MiB")) {
            long before = tier.count(DiskStats.BYTES);
            fill(tier, 200, 230);
            assertThat(tier.count(DiskStats.BYTES)).isLessThan(before);
            assertThat(small.usableBytes()).isGreaterThanOrEqualTo(4 << 20);
            assertThat(tier.get("/229")).isEqualTo(TestTier.body("/229", 1, 100_000));
        }
    }

    @Test
    void timesOfDays() {
        ZoneId zone = ZoneId.of("Europe/Berlin");
        // a Friday
        ZonedDateTime now = ZonedDateTime.of(2026, 11, 27, 12, 0, 0, 0, zone);
        assertThat(DiskGcTime.parse("daily 03:00").next(now)).isEqualTo("2026-11-28T03:00+01:00[Europe/Berlin]");
        assertThat(DiskGcTime.parse("Daily 12:01").next(now)).isEqualTo("2026-11-27T12:01+01:00[Europe/Berlin]");
        assertThat(DiskGcTime.parse("fri 12:00").next(now)).isEqualTo("2026-12-04T12:00+01:00[Europe/Berlin]");
        assertThat(DiskGcTime.next(List.of("mon 00:00", "sat 04:30", "sun 01:00"), now))
                .isEqualTo("2026-11-28T04:30+01:00[Europe/Berlin]");
        assertThat(DiskGcTime.next(List.of(), now)).isNull();
        // the hour that the change of clocks leaves out
        ZonedDateTime march = ZonedDateTime.of(2026, 3, 28, 12, 0, 0, 0, zone);
        assertThat(Objects.requireNonNull(DiskGcTime.next(List.of("daily 02:30"), march)))
                .isEqualTo("2026-03-29T03:30+02:00[Europe/Berlin]");
        for (String wrong : new String[] {"", "03:00", "daily 24:00", "daily 3:00", "saturday 04:30", "daily 03:60"}) {
            assertThatThrownBy(() -> DiskGcTime.parse(wrong)).hasMessageContaining("such as daily 03:00");
        }
    }
}
