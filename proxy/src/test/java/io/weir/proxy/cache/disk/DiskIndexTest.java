package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskIndexTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void behavesAsAMap(long seed) {
        RandomGenerator random = Chance.seeded(seed).random();
        DiskIndex index = new DiskIndex();
        Map<Long, Long> model = new HashMap<>();
        // few parts and near places, so that runs get long and are cut in all ways
        long[] hashes = random.longs(3000)
                .map(h -> seed % 2 == 0 ? h : h & 0xF800_0000_0000_0FFFL)
                .toArray();
        hashes[0] = 0;
        for (int i = 0; i < 200_000; i++) {
            long hash = hashes[random.nextInt(hashes.length)];
            long location = Location.of(random.nextInt(4096), 64L * random.nextInt(1 << 20), 64, random.nextBoolean());
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    index.put(hash, location);
                    model.put(hash, location);
                }
                case 2 -> assertThat(index.remove(hash)).isEqualTo(model.remove(hash) != null);
                case 3 -> {
                    long known = model.getOrDefault(hash, Location.NONE);
                    assertThat(index.replace(hash, known, location)).isEqualTo(known != Location.NONE);
                    model.computeIfPresent(hash, (_, _) -> location);
                }
                case 4 -> assertThat(index.remove(hash, location)).isFalse();
                default -> assertThat(index.find(hash)).isEqualTo(model.getOrDefault(hash, Location.NONE));
            }
        }
        assertThat(index.size()).isEqualTo(model.size());
        Map<Long, Long> all = new HashMap<>();
        index.forEach(_ -> true, all::put);
        Long zero = model.remove(0L);
        if (zero != null) {
            model.put(1L, zero);
        }
        assertThat(all).isEqualTo(model);
        index.clear();
        assertThat(index.size()).isZero();
        assertThat(index.find(hashes[1])).isZero();
    }

    @Test
    void anObjectTakesAtMost32Bytes() {
        DiskIndex index = new DiskIndex();
        RandomGenerator random = Chance.seeded(7).random();
        List<Double> each = new ArrayList<>();
        for (int i = 1; i <= 1_000_000; i++) {
            index.put(random.nextLong(), Location.of(i & 4095, 64L * (i >> 12), 64, false));
            if (i >= 100_000 && i % 10_000 == 0) {
                each.add(index.heapBytes() / (double) i);
            }
        }
        assertThat(each).allMatch(bytes -> bytes <= 32 && bytes >= 16);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void anIntakeIsALogReadInItsOrder(long seed) {
        RandomGenerator random = Chance.seeded(seed).random();
        DiskIndex index = new DiskIndex();
        DiskIndex.Intake intake = index.new Intake();
        Map<Long, Long> model = new HashMap<>();
        long[] hashes = random.longs(3000)
                .map(h -> seed % 2 == 0 ? h : h & 0xF800_0000_0000_0FFFL)
                .toArray();
        hashes[0] = 0;
        for (int i = 0; i < 200_000; i++) {
            long hash = hashes[random.nextInt(hashes.length)];
            if (random.nextInt(3) == 0) {
                intake.put(hash, Location.NONE);
                model.remove(hash);
            } else {
                long location = Location.of(random.nextInt(4096), 64L * random.nextInt(1 << 20), 64, false);
                intake.put(hash, location);
                model.put(hash, location);
            }
        }
        intake.flush();
        assertThat(index.size()).isEqualTo(model.size());
        for (long hash : hashes) {
            assertThat(index.find(hash)).isEqualTo(model.getOrDefault(hash, Location.NONE));
        }
    }

    @Test
    void whatIsExpectedHasRoomAtOnceAndWhatDoesNotComeGivesItBack() {
        DiskIndex index = new DiskIndex();
        index.expect(1_000_000);
        long expected = index.heapBytes();
        assertThat(expected).isBetween(18_800_000L, 20_000_000L);
        long[] hashes =
                Chance.seeded(7).random().longs().limit(1_000_000).distinct().toArray();
        for (int i = 0; i < hashes.length; i++) {
            index.put(hashes[i], Location.of(i & 4095, 64, 64, false));
        }
        index.fit();
        assertThat(index.heapBytes()).as("it has not grown").isEqualTo(expected);
        for (int i = 100_000; i < hashes.length; i++) {
            index.remove(hashes[i]);
        }
        index.fit();
        assertThat(index.heapBytes() / 100_000.0).isBetween(18.8, 28.2);
        for (int i = 0; i < 100_000; i++) {
            assertThat(index.find(hashes[i])).isEqualTo(Location.of(i & 4095, 64, 64, false));
        }
        assertThat(index.find(hashes[100_000])).isEqualTo(Location.NONE);
        index.clear();
        index.fit();
        assertThat(index.heapBytes()).as("as new").isEqualTo(new DiskIndex().heapBytes());
    }

    @Test
    void aUseIsCountedUpToThreeAndIsNoOtherRecord() {
        DiskIndex index = new DiskIndex();
        long location = Location.of(4095, 64L * 4_000_000, 64L * 4_000_001, true);
        index.put(5, location);
        for (int i = 0; i < 10; i++) {
            index.use(5);
        }
        long used = index.find(5);
        assertThat(Location.uses(used)).isEqualTo(3);
        assertThat(Location.same(used, location)).isTrue();
        assertThat(Location.slot(used)).isEqualTo(4095);
        assertThat(Location.offset(used)).isEqualTo(64L * 4_000_000);
        assertThat(Location.length(used)).isEqualTo(64L * 4_000_001);
        assertThat(Location.marker(used)).isTrue();
        assertThat(index.remove(5, location)).isTrue();
    }
}
