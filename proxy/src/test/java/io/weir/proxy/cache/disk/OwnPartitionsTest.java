package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SystemClock;
import io.weir.proxy.cache.disk.files.Folder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Folders that are another server's, or that missed starts of their own, begin empty. */
class OwnPartitionsTest {
    private static final int KEYS = 60;

    /** What one server knows; as the data directory does. */
    private static final class Known implements DiskFolders.Own {
        private String tier = "";
        private boolean took = true;

        @Override
        public boolean is(String name) {
            return tier.isEmpty() || tier.equals(name);
        }

        @Override
        public boolean tookPart(long run) {
            return took;
        }

        @Override
        public void uses(String name, long run) {
            tier = name;
            took = true;
        }
    }

    private static DiskFolders.Opened part(String name, Folder folder) {
        return new DiskFolders.Opened(name, 16 << 20, folder);
    }

    private static TestTier tier(Known known, DiskFolders.Opened... partitions) throws IOException {
        return new TestTier(List.of(partitions), known, SystemClock.INSTANCE, true, "memory-budget=16MiB");
    }

    private static void put(TestTier tier, int version) {
        for (int i = 0; i < KEYS; i++) {
            tier.put("/" + i, TestTier.body("/" + i, version, 500));
        }
        tier.settle();
        tier.forget();
    }

    /** How many keys are found of each version. */
    private static List<Integer> found(TestTier tier) {
        List<Integer> found = new ArrayList<>(List.of(0, 0, 0));
        for (int i = 0; i < KEYS; i++) {
            byte[] body = tier.get("/" + i);
            for (int version = 1; version <= 2 && body != null; version++) {
                if (Arrays.equals(body, TestTier.body("/" + i, version, 500))) {
                    found.set(version, found.get(version) + 1);
                }
            }
        }
        tier.forget();
        return found;
    }

    @Test
    void thatOfAnotherServerBeginsEmptyHoweverOftenItWasStarted() throws IOException {
        SimulatedFolder theirs = new SimulatedFolder();
        SimulatedFolder ours = new SimulatedFolder();
        Known other = new Known();
        for (int start = 0; start < 4; start++) {
            try (TestTier tier = tier(other, part("p", theirs))) {
                put(tier, 1);
            }
            theirs = theirs.afterKill();
        }
        Known own = new Known();
        try (TestTier tier = tier(own, part("good", ours))) {
            put(tier, 2);
        }
        try (TestTier tier = tier(own, part("good", ours.afterKill()), part("p", theirs))) {
            List<Integer> found = found(tier);
            assertThat(found.get(1)).as("of the other server").isZero();
            assertThat(found.get(2)).as("those whose place it stayed").isPositive();
        }
    }

    @Test
    void whoHasNoneOfItsOwnTakesWhatIsThereAndKeepsIt() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = tier(new Known(), part("p", folder))) {
            put(tier, 1);
        }
        Known moved = new Known();
        for (int start = 0; start < 2; start++) {
            folder = folder.afterKill();
            try (TestTier tier = tier(moved, part("p", folder))) {
                assertThat(found(tier).get(1)).isEqualTo(KEYS);
            }
        }
    }

    @Test
    void whatMissedAStartBeginsEmptyAlsoIfThatIsInterrupted() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        Known own = new Known();
        try (TestTier tier = tier(own, part("p", folder))) {
            put(tier, 1);
        }
        folder = folder.afterKill();
        own.took = false;
        // killed before anything of it is used
        new DiskFolders(List.of(part("p", folder)), own, Chance.unseeded().random());
        assertThat(own.took).isTrue();
        try (TestTier tier = tier(own, part("p", folder))) {
            assertThat(found(tier).get(1)).isZero();
            put(tier, 2);
        }
        folder = folder.afterKill();
        try (TestTier tier = tier(own, part("p", folder))) {
            assertThat(found(tier).get(2)).isEqualTo(KEYS);
        }
    }
}
