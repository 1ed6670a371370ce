package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SteppedClock;
import io.weir.http.Fields;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.files.RealFolder;
import io.weir.proxy.cache.disk.files.SegmentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk tier on a disk that fails, hangs, is full, or has other bits than were written. */
class DiskFaultsTest {
    private static final String MEMORY = "memory-budget=8MiB";

    @Test
    void flippedBitsAreNeverServed() throws IOException {
        RandomGenerator random = Chance.seeded(11).random();
        for (int round = 0; round < 60; round++) {
            SimulatedFolder folder = new SimulatedFolder();
            try (TestTier tier = new TestTier(folder, MEMORY, "disk.size=8MiB")) {
                for (int i = 0; i < 30; i++) {
                    tier.put("/" + i, TestTier.body("/" + i, 1, 90_000));
                    tier.settle();
                }
                tier.settle();
                tier.forget();
                assertThat(folder.flip(random)).isTrue();
                check(tier);
            }
            SimulatedFolder again = folder.afterKill();
            again.flip(random);
            try (TestTier tier = new TestTier(again, MEMORY, "disk.size=8MiB")) {
                check(tier);
            }
        }
    }

    private static void check(TestTier tier) {
        int found = 0;
        for (int i = 0; i < 30; i++) {
            byte[] body = tier.get("/" + i);
            if (body != null) {
                found++;
                assertThat(body).isEqualTo(TestTier.body("/" + i, 1, 90_000));
            }
        }
        long damaged =
                tier.count(DiskStats.ERRORS, "checksum") + tier.count(DiskStats.DROPPED) + tier.count(DiskStats.TAILS);
        // a bit that no record uses does no harm
        assertThat(found == 30 || damaged > 0)
                .as("found %d, damaged %d", found, damaged)
                .isTrue();
    }

    @Test
    void aDamagedSegmentIsDroppedAndServiceGoesOn() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY, "disk.size=8MiB")) {
            tier.put("/a", TestTier.body("/a", 1, 900_000));
            tier.settle();
            tier.forget();
            RandomGenerator random = Chance.seeded(3).random();
            for (int i = 0; i < 50 && tier.count(DiskStats.ERRORS, "checksum") == 0; i++) {
                folder.flip(random);
                tier.forget();
                tier.get("/a");
            }
            assertThat(tier.count(DiskStats.ERRORS, "checksum")).isPositive();
            assertThat(tier.get("/a")).isNull();
            tier.put("/b", TestTier.body("/b", 1, 1000));
            tier.settle();
            tier.forget();
            assertThat(tier.count(DiskStats.DROPPED)).isEqualTo(1);
            assertThat(tier.get("/b")).isEqualTo(TestTier.body("/b", 1, 1000));
        }
    }

    @Test
    void aFullDiskMakesTheTierSmaller() throws IOException {
        SimulatedFolder folder = new SimulatedFolder(3_500_000);
        try (TestTier tier = new TestTier(folder, MEMORY, "disk.size=8MiB", "disk.min-space=0")) {
            for (int i = 0; i < 300; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 100_000));
                tier.settle();
                tier.forget();
            }
            assertThat(tier.count(DiskStats.RECLAIMED)).isPositive();
            assertThat(tier.count(DiskStats.ERRORS, "write"))
                    .as("it keeps below")
                    .isZero();
            // others take what is left, in the middle of a segment
            SegmentFile others = folder.create("others");
            others.write(java.nio.ByteBuffer.allocate((int) folder.usableBytes()), 0);
            for (int i = 300; i < 330; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 100_000));
                tier.settle();
                tier.forget();
            }
            assertThat(tier.count(DiskStats.ERRORS, "write")).isPositive();
            int found = 0;
            for (int i = 0; i < 330; i++) {
                byte[] body = tier.get("/" + i);
                tier.forget();
                found += body == null ? 0 : 1;
                assertThat(body == null || java.util.Arrays.equals(body, TestTier.body("/" + i, 1, 100_000)))
                        .isTrue();
            }
            assertThat(found).isGreaterThan(2);
        }
    }

    @Test
    void aDiskThatFailsCostsHitsAndKeepsPurges() throws IOException {
        SteppedClock clock = new SteppedClock(1_000_000);
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, clock, MEMORY)) {
            tier.put("/old", TestTier.body("/old", 1, 100));
            tier.put("/purged", TestTier.body("/purged", 1, 100));
            tier.settle();
            folder.failsWrites = true;
            tier.put("/lost", TestTier.body("/lost", 1, 100));
            tier.settle();
            tier.purge("/purged");
            tier.settle();
            tier.forget();
            assertThat(tier.tier.failing()).isNotEmpty();
            assertThat(tier.get("/lost")).isNull();
            assertThat(tier.get("/purged")).isNull();
            assertThat(tier.get("/old")).isEqualTo(TestTier.body("/old", 1, 100));
            folder.failsWrites = false;
            clock.step(java.time.Duration.ofSeconds(11));
            tier.put("/new", TestTier.body("/new", 1, 100));
            tier.settle();
            assertThat(tier.tier.failing()).isEmpty();
        }
        try (TestTier tier = new TestTier(folder.afterKill(), clock, MEMORY)) {
            assertThat(tier.get("/purged"))
                    .as("the purge was owed, and written later")
                    .isNull();
            assertThat(tier.get("/old")).isEqualTo(TestTier.body("/old", 1, 100));
            assertThat(tier.get("/new")).isEqualTo(TestTier.body("/new", 1, 100));
        }
    }

    @Test
    void aDiskThatCannotBeReadCostsHits() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            tier.put("/a", TestTier.body("/a", 1, 100));
            tier.settle();
            tier.forget();
            folder.failsReads = true;
            assertThat(tier.get("/a")).isNull();
            assertThat(tier.count(DiskStats.ERRORS, "read")).isEqualTo(1);
        }
    }

    @Test
    void whatIsPurgedDuringTheStartDoesNotComeBack() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY, "disk.size=8MiB")) {
            for (int i = 0; i < 60; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 50_000));
                tier.settle();
            }
            tier.settle();
            folder.kill();
        }
        for (boolean everything : new boolean[] {false, true}) {
            SimulatedFolder again = folder.afterKill();
            CountDownLatch reads = new CountDownLatch(1);
            again.slow = reads;
            // closed although the start may not have read anything
            try (TestTier tier = new TestTier(again, new SteppedClock(1), false, MEMORY, "disk.size=8MiB")) {
                if (everything) {
                    tier.clear();
                } else {
                    tier.purge("/7");
                    tier.purge("/33");
                }
                reads.countDown();
                TestTier.await("it is read", () -> tier.tier.ready());
                tier.settle();
                assertThat(tier.get("/7")).isNull();
                assertThat(tier.get("/33")).isNull();
                assertThat(tier.get("/8")).isEqualTo(everything ? null : TestTier.body("/8", 1, 50_000));
            }
        }
    }

    @Test
    void oneFileThatCannotBeReadCostsWhatIsInIt(@TempDir Path path) throws IOException {
        try (TestTier tier = new TestTier(RealFolder.open(path), MEMORY, "disk.size=8MiB")) {
            for (int i = 0; i < 60; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 50_000));
                tier.settle();
            }
            tier.settle();
        }
        Path away = path.resolveSibling("away");
        Files.move(path.resolve("segment-2"), away);
        Files.createDirectory(path.resolve("segment-2"));
        Files.createDirectory(path.resolve("segment-abc"));
        Files.writeString(path.resolve("segment-nonsense"), "nonsense");
        try (TestTier tier = new TestTier(RealFolder.open(path), MEMORY, "disk.size=8MiB")) {
            assertThat(tier.count(DiskStats.OBJECTS)).isBetween(30L, 50L);
            assertThat(tier.count(DiskStats.ERRORS, "read")).isEqualTo(2);
            assertThat(path.resolve("segment-nonsense")).as("not its own").exists();
            assertThat(tier.purge("/0")).isTrue();
            tier.put("/new", TestTier.body("/new", 1, 50_000));
            tier.settle();
        }
        Files.delete(path.resolve("segment-2"));
        Files.move(away, path.resolve("segment-2"));
        try (TestTier tier = new TestTier(RealFolder.open(path), MEMORY, "disk.size=8MiB")) {
            assertThat(tier.get("/0")).as("purged while a file was away").isNull();
            assertThat(tier.get("/new")).isEqualTo(TestTier.body("/new", 1, 50_000));
            assertThat(tier.count(DiskStats.OBJECTS)).isEqualTo(60);
        }
    }

    @Test
    void whileThePurgesCannotBeWrittenAKillDoesNotUndoThem() throws IOException {
        SteppedClock clock = new SteppedClock(1_000_000);
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, clock, MEMORY)) {
            tier.put("/purged", TestTier.body("/purged", 1, 100));
            tier.put("/changed", TestTier.body("/changed", 1, 100));
            tier.settle();
            folder.failsWrites = true;
            tier.purge("/purged");
            tier.put("/changed", TestTier.body("/changed", 2, 100));
            tier.settle();
            SimulatedFolder killed = folder.afterKill();
            killed.failsWrites = false;
            try (TestTier after = new TestTier(killed, clock, MEMORY)) {
                assertThat(after.get("/purged")).isNull();
                assertThat(after.get("/changed")).isNull();
            }
        }
    }

    @Test
    void aFolderInWhichNothingCanBeRemovedIsMarked() throws IOException {
        SteppedClock clock = new SteppedClock(1_000_000);
        SimulatedFolder folder = new SimulatedFolder();
        SimulatedFolder killed;
        try (TestTier tier = new TestTier(folder, clock, MEMORY)) {
            tier.put("/purged", TestTier.body("/purged", 1, 100));
            tier.settle();
            folder.failsWrites = true;
            folder.failsDeletes = true;
            tier.purge("/purged");
            tier.settle();
            killed = folder.afterKill();
        }
        try (TestTier after = new TestTier(killed, clock, MEMORY)) {
            assertThat(after.get("/purged")).isNull();
            after.put("/next", TestTier.body("/next", 1, 100));
            after.settle();
        }
        try (TestTier last = new TestTier(killed, clock, MEMORY)) {
            assertThat(last.get("/next")).as("the mark is gone").isEqualTo(TestTier.body("/next", 1, 100));
        }
    }

    @Test
    void tooManyPurgesToBeKeptBecomeOneOfEverything() throws IOException {
        SteppedClock clock = new SteppedClock(1_000_000);
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, clock, MEMORY)) {
            for (int i = 0; i < 5000; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 10));
                if (i % 250 == 0) {
                    tier.settle();
                    tier.forget();
                }
            }
            tier.put("/other", TestTier.body("/other", 1, 100));
            tier.settle();
            tier.forget();
            assertThat(tier.tier.load(tier.key("/4999"), Fields::new)).isNotNull();
            folder.failsWrites = true;
            for (int i = 0; i < 5000; i++) {
                tier.purge("/" + i);
                if (i % 250 == 0) {
                    tier.settle();
                }
            }
            tier.settle();
            assertThat(tier.get("/other")).isNull();
            SimulatedFolder killed = folder.afterKill();
            killed.failsWrites = false;
            try (TestTier after = new TestTier(killed, clock, MEMORY)) {
                assertThat(after.get("/4999")).isNull();
            }
        }
    }

    @Test
    void aDiskThatHangsHoldsUpNobody() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY, "disk.read-threads=1")) {
            for (int i = 0; i < 1500; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 100));
                if (i % 100 == 0) {
                    tier.settle();
                }
            }
            tier.settle();
            tier.forget();
            CountDownLatch hangs = new CountDownLatch(1);
            folder.slow = hangs;
            List<DiskLoad> begun = new ArrayList<>();
            for (int i = 0; i < 1500; i++) {
                // returns at once, though no read does
                DiskLoad load = tier.tier.load(tier.key("/" + i), Fields::new);
                if (load != null) {
                    begun.add(load);
                }
            }
            assertThat(begun).as("one is read, a thousand wait").hasSize(1001);
            assertThat(tier.count(DiskStats.REFUSALS, "reads")).isEqualTo(499);
            assertThat(tier.tier.load(tier.key("/0"), Fields::new))
                    .as("waits for the same")
                    .isSameAs(begun.get(0));
            tier.put("/new", TestTier.body("/new", 1, 100));
            assertThat(tier.purge("/3")).isTrue();
            tier.settle();
            hangs.countDown();
            AtomicInteger over = new AtomicInteger();
            begun.forEach(load -> waiting(load, over));
            TestTier.await("all are loaded", () -> over.get() == 1001);
            assertThat(tier.inMemory("/3", "")).as("purged while it waited").isNull();
            assertThat(tier.get("/4")).isEqualTo(TestTier.body("/4", 1, 100));
        }
    }

    private static void waiting(DiskLoad load, AtomicInteger over) {
        boolean waits = load.await(new DiskLoad.Waiter() {
            @Override
            public Executor executor() {
                return Runnable::run;
            }

            @Override
            public void loaded(DiskLoad which) {
                over.incrementAndGet();
            }
        });
        if (!waits) {
            over.incrementAndGet();
        }
    }
}
