package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SystemClock;
import io.weir.proxy.cache.config.DiskStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many objects: what the index takes, and what a start reads. The large ones print the figures of docs/disk-cache.md. */
class DiskScaleTest {
    private static final int MOST_A_RECORD = 32;

    @TempDir
    private Path folder = Path.of("");

    private static long resident() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        return 0;
    }

    private static void index(int objects) throws IOException {
        RandomGenerator random = Chance.seeded(9).random();
        long before = resident();
        DiskIndex index = new DiskIndex();
        for (int i = 0; i < objects; i++) {
            index.put(random.nextLong(), Location.of(i % 100, (long) i * Location.UNIT % (1 << 26), 128, false));
            if (i > 10_000 && i % 4096 == 0) {
                assertThat((double) index.heapBytes() / i)
                        .as("with %d objects", i)
                        .isLessThan(MOST_A_RECORD);
            }
        }
        assertThat(index.size()).isEqualTo(objects);
        System.out.printf(
                Locale.ROOT,
                "index of %d objects: %.1f bytes an object, resident set %d MiB more%n",
                objects,
                (double) index.heapBytes() / objects,
                (resident() - before) >> 20);
        // as random as before: each is found
        RandomGenerator again = Chance.seeded(9).random();
        for (int i = 0; i < objects; i++) {
            assertThat(index.find(again.nextLong())).isNotEqualTo(Location.NONE);
        }
    }

    @Test
    void anIndexOfTwoHundredThousandObjectsTakesLessThan32BytesForEach() throws IOException {
        index(200_000);
    }

    @Test
    @Tag("nightly")
    void anIndexOfTenMillionObjectsTakesLessThan32BytesForEach() throws IOException {
        index(10_000_000);
    }

    private TestTier tier(WatchedDisk disk, int objects, boolean waits) throws IOException {
        return new TestTier(
                List.of(new DiskFolders.Opened("part1", 4L << 30, disk)),
                SystemClock.INSTANCE,
                waits,
                "memory-budget=64MiB",
                "disk.size=4GiB",
                "disk.max-objects=" + 2 * Math.max(1000, objects));
    }

    /** Stores so many, ends, and begins again: only the tables of contents are read. */
    private void start(int objects) throws IOException {
        byte[] body = new byte[100];
        try (TestTier tier = tier(WatchedDisk.open(folder), objects, true)) {
            for (int i = 0; i < objects; i++) {
                tier.put("/" + i, body);
                if (i % 5000 == 4999) {
                    tier.settle();
                    tier.forget();
                }
            }
            tier.settle();
            assertThat(tier.count(DiskStats.OBJECTS)).isEqualTo(objects);
        }
        WatchedDisk disk = WatchedDisk.open(folder);
        long begin = SystemClock.INSTANCE.nanos();
        try (TestTier tier = tier(disk, objects, true)) {
            long millis = (SystemClock.INSTANCE.nanos() - begin) / 1_000_000;
            long bytes = disk.bytesRead();
            System.out.printf(
                    Locale.ROOT,
                    "start with %d objects: %d ms, %.1f bytes read for each%n",
                    objects,
                    millis,
                    (double) bytes / objects);
            assertThat(tier.count(DiskStats.AT_START)).isEqualTo(objects);
            assertThat((double) bytes / objects).isLessThan(MOST_A_RECORD);
            assertThat((double) tier.count(DiskStats.INDEX_BYTES) / objects)
                    .as("made as large as it has to be")
                    .isLessThan(23);
            assertThat(tier.get("/" + objects / 2)).isEqualTo(body);
        }
    }

    @Test
    void aStartReadsTheTablesOfContentsAlone() throws IOException {
        start(30_000);
    }

    @Test
    @Tag("nightly")
    void aStartWithAMillionObjects() throws IOException {
        start(1_000_000);
    }
}
