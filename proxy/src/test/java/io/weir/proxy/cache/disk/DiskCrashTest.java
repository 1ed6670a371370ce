package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SystemClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills, and power failures, at any byte: what is found afterwards is a version that was stored, whole, and not older
 * than the last one of which it was certain that it was written; what was purged for certain stays purged.
 */
class DiskCrashTest {
    private static final int KEYS = 40;
    private static final int ROUNDS = 12;
    private static final int STEPS = 400;

    /** What may be found of a key: versions from {@code least} to {@code newest}, or none. */
    private static final class Known {
        private final String path;
        private final int size;
        private int least = 1;
        private int newest;

        Known(String path, int size) {
            this.path = path;
            this.size = size;
        }

        byte[] body(int version) {
            return TestTier.body(path, version, size);
        }

        void check(byte[] body, String when) {
            boolean found = false;
            for (int version = newest; version >= least && !found; version--) {
                found = Arrays.equals(body, body(version));
            }
            assertThat(found)
                    .as(
                            "%s: %s has %d bytes that are none of versions %d to %d",
                            when, path, body.length, least, newest)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nothingIsTornAndNothingComesBack(long seed) throws IOException {
        crash(seed, 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24, 25, 26})
    void norWithTwoDisksOfWhichOneIsSometimesAway(long seed) throws IOException {
        crash(seed, 2);
    }

    @Test
    @Tag("nightly")
    void norWithFiveHundredSeeds() throws IOException {
        for (long seed = 1000; seed < 1500; seed++) {
            crash(seed, (int) (1 + seed % 3));
        }
    }

    private static void crash(long seed, int disks) throws IOException {
        RandomGenerator random = Chance.seeded(seed).random();
        List<Known> keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            keys.add(new Known("/" + i, random.nextInt(4) == 0 ? random.nextInt(400_000) : random.nextInt(3000)));
        }
        List<SimulatedFolder> all = new ArrayList<>();
        for (int i = 0; i < disks; i++) {
            all.add(new SimulatedFolder());
        }
        int away = -1;
        for (int round = 0; round < ROUNDS; round++) {
            boolean power = random.nextInt(3) == 0;
            // one after the other, without a start that has both, would be more than the tier can know
            away = disks > 1 && away < 0 && random.nextInt(2) == 0 ? random.nextInt(disks) : -1;
            boolean removed = random.nextBoolean();
            List<SimulatedFolder> used = new ArrayList<>();
            List<DiskFolders.Opened> partitions = new ArrayList<>();
            for (int i = 0; i < disks; i++) {
                if (i != away) {
                    used.add(all.get(i));
                    partitions.add(new DiskFolders.Opened("disk" + i, 8 << 20, all.get(i)));
                } else if (!removed) {
                    partitions.add(new DiskFolders.Opened("disk" + i, 8 << 20, null));
                }
            }
            String gc = "disk.gc.mode=" + (random.nextBoolean() ? "automatic" : "off");
            try (TestTier tier = new TestTier(
                    partitions,
                    SystemClock.INSTANCE,
                    true,
                    "memory-budget=8MiB",
                    gc,
                    "disk.gc.high-margin=50",
                    "disk.gc.low-margin=30")) {
                verify(tier, keys, "seed " + seed + ", round " + round);
                used.get(random.nextInt(used.size())).killAfter(1 + random.nextInt(6_000_000));
                run(tier, used, random, keys, power);
                used.forEach(SimulatedFolder::kill);
            }
            for (int i = 0; i < disks; i++) {
                SimulatedFolder folder = all.get(i);
                all.set(i, power && i != away ? folder.afterPowerFailure(random) : folder.afterKill());
            }
        }
    }

    private static boolean dead(List<SimulatedFolder> folders) {
        return folders.stream().anyMatch(SimulatedFolder::dead);
    }

    private static void run(
            TestTier tier, List<SimulatedFolder> folders, RandomGenerator random, List<Known> keys, boolean power) {
        Map<Known, Integer> queued = new HashMap<>();
        for (int i = 0; i < STEPS && !dead(folders); i++) {
            Known key = keys.get(random.nextInt(KEYS));
            switch (random.nextInt(10)) {
                case 0 -> {
                    tier.purge(key.path);
                    queued.put(key, key.newest + 1);
                }
                case 1 -> {
                    if (random.nextInt(30) == 0) {
                        tier.clear();
                        keys.forEach(k -> queued.put(k, k.newest + 1));
                    }
                }
                case 2, 3 -> {
                    if (random.nextInt(8) == 0) {
                        tier.tier.collect(random.nextInt(60));
                    }
                    tier.settle();
                    // a power failure may take what was not forced
                    if (!dead(folders) && !power) {
                        queued.forEach((k, least) -> k.least = least);
                    }
                    queued.clear();
                    tier.forget();
                }
                case 4 -> {
                    byte[] body = tier.get(key.path);
                    tier.forget();
                    if (body != null) {
                        key.check(body, "before the crash");
                    }
                }
                default -> {
                    key.newest++;
                    tier.put(key.path, key.body(key.newest));
                    queued.put(key, key.newest);
                }
            }
        }
    }

    private static void verify(TestTier tier, List<Known> keys, String when) {
        for (Known key : keys) {
            byte[] body = tier.get(key.path);
            if (body != null) {
                key.check(body, when);
            }
        }
        tier.forget();
    }
}
