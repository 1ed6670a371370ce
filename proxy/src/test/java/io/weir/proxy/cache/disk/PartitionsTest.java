package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.base.LogMessage;
import io.weir.base.SystemClock;
import io.weir.http.Fields;
import io.weir.http.caching.Vary;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.RealFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several disks: each key lies on one of them, and they have nothing else in common. */
class PartitionsTest {
    private static final String MEMORY = "memory-budget=16MiB";
    private static final int KEYS = 300;

    private static DiskFolders.Opened part(String name, @Nullable Folder folder) {
        return new DiskFolders.Opened(name, 16 << 20, folder);
    }

    private static TestTier tier(DiskFolders.Opened... partitions) throws IOException {
        return new TestTier(List.of(partitions), SystemClock.INSTANCE, true, MEMORY);
    }

    private static void put(TestTier tier, int version) {
        for (int i = 0; i < KEYS; i++) {
            tier.put("/" + i, TestTier.body("/" + i, version, 500));
        }
        tier.settle();
        tier.forget();
    }

    /** The keys that are found, whole and of this version. */
    private static List<Integer> found(TestTier tier, int version) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            byte[] body = tier.get("/" + i);
            if (body != null) {
                assertThat(body).as("/" + i).isEqualTo(TestTier.body("/" + i, version, 500));
                found.add(i);
            }
        }
        tier.forget();
        return found;
    }

    @Test
    void eachHasItsShareAndIsCounted() throws IOException {
        SimulatedFolder a = new SimulatedFolder();
        SimulatedFolder b = new SimulatedFolder();
        try (TestTier tier = tier(part("a", a), part("b", b))) {
            put(tier, 1);
            assertThat(tier.count(DiskStats.PARTITION_OBJECTS, "a")).isBetween(100L, 200L);
            assertThat(tier.count(DiskStats.PARTITION_OBJECTS, "b")).isBetween(100L, 200L);
            assertThat(tier.count(DiskStats.OBJECTS)).isEqualTo(KEYS);
            assertThat(found(tier, 1)).hasSize(KEYS);
            assertThat(tier.count(DiskStats.PARTITION_HITS, "a") + tier.count(DiskStats.PARTITION_HITS, "b"))
                    .isEqualTo(tier.count(DiskStats.HITS))
                    .isEqualTo(KEYS);
        }
        // given in another order, with a restart
        try (TestTier tier = tier(part("b", b.afterKill()), part("a", a.afterKill()))) {
            assertThat(found(tier, 1)).hasSize(KEYS);
        }
    }

    @Test
    void variantsFollowTheirKey() throws IOException {
        SimulatedFolder a = new SimulatedFolder();
        SimulatedFolder b = new SimulatedFolder();
        SimulatedFolder c = new SimulatedFolder();
        try (TestTier tier = tier(part("a", a), part("b", b))) {
            for (int i = 0; i < 60; i++) {
                variant(tier, "/" + i, "de");
                variant(tier, "/" + i, "en");
            }
            tier.settle();
        }
        try (TestTier tier = tier(part("a", a.afterKill()), part("b", b.afterKill()), part("c", c))) {
            int whole = 0;
            for (int i = 0; i < 60; i++) {
                byte[] de = tier.get("/" + i, language("de"), variantKey("de"));
                byte[] en = tier.get("/" + i, language("en"), variantKey("en"));
                assertThat(de == null).as("both moved, or none").isEqualTo(en == null);
                whole += de == null ? 0 : 1;
            }
            assertThat(whole).as("a third moved").isBetween(25, 55);
        }
    }

    private static Fields language(String value) {
        Fields fields = new Fields();
        fields.add("Accept-Language", value);
        return fields;
    }

    private static String variantKey(String value) {
        return Vary.parse("Accept-Language").key(language(value));
    }

    private static void variant(TestTier tier, String path, String value) {
        tier.put(path, TestTier.body(path + value, 1, 100), "Accept-Language", language(value), null);
    }

    @Test
    void anAddedOneTakesItsShareAndNoPurgeIsUndoneWhenItGoesAgain() throws IOException {
        SimulatedFolder a = new SimulatedFolder();
        SimulatedFolder b = new SimulatedFolder();
        try (TestTier tier = tier(part("a", a))) {
            put(tier, 1);
        }
        a = a.afterKill();
        List<Integer> stayed;
        try (TestTier tier = tier(part("a", a), part("b", b))) {
            stayed = found(tier, 1);
            assertThat(stayed.size()).as("half of the keys stayed").isBetween(100, 200);
            for (int i = 0; i < KEYS; i++) {
                // those that moved are unknown to both, but the client who stored them may have purged them
                tier.purge("/" + i);
            }
            put(tier, 2);
            for (int i = 0; i < KEYS; i++) {
                if (!stayed.contains(i)) {
                    tier.purge("/" + i);
                }
            }
            tier.settle();
        }
        a = a.afterKill();
        try (TestTier tier = tier(part("a", a))) {
            // found() asserts that nothing of version 1 is back
            assertThat(found(tier, 2)).isEqualTo(stayed);
        }
        // and once more, with the folder that was away meanwhile: it has missed a run
        a = a.afterKill();
        try (TestTier tier = tier(part("a", a), part("b", b.afterKill()))) {
            assertThat(found(tier, 2)).isEqualTo(stayed);
            put(tier, 3);
            assertThat(found(tier, 3)).hasSize(KEYS);
        }
    }

    @Test
    void oneThatWasAwayHasMissedPurgesAndBeginsEmpty() throws IOException {
        SimulatedFolder a = new SimulatedFolder();
        SimulatedFolder b = new SimulatedFolder();
        try (TestTier tier = tier(part("a", a), part("b", b))) {
            put(tier, 1);
        }
        a = a.afterKill();
        List<Integer> there;
        try (TestTier tier = tier(part("a", a), part("b", null))) {
            there = found(tier, 1);
            assertThat(there.size()).isBetween(100, 200);
            assertThat(tier.tier.failing()).isNotEmpty();
            assertThat(tier.count(DiskStats.PARTITION_FAILING, "a")).isZero();
            assertThat(tier.count(DiskStats.PARTITION_FAILING, "b")).isEqualTo(1);
            for (int i = 0; i < KEYS; i++) {
                assertThat(tier.purge("/" + i)).isEqualTo(there.contains(i));
            }
            tier.put("/0", TestTier.body("/0", 2, 500));
            tier.settle();
        }
        try (TestTier tier = tier(part("a", a.afterKill()), part("b", b.afterKill()))) {
            tier.purge("/0");
            assertThat(found(tier, 1)).as("purged while b was away").isEmpty();
            assertThat(tier.tier.failing()).isEmpty();
            put(tier, 2);
            assertThat(found(tier, 2)).hasSize(KEYS);
        }
    }

    @Test
    void oneThatIsReplacedOrSwappedBeginsEmptyAndTheOthersKeepTheirs() throws IOException {
        SimulatedFolder a = new SimulatedFolder();
        SimulatedFolder b = new SimulatedFolder();
        try (TestTier tier = tier(part("a", a), part("b", b))) {
            put(tier, 1);
        }
        a = a.afterKill();
        try (TestTier tier = tier(part("a", a), part("b", new SimulatedFolder()))) {
            assertThat(found(tier, 1).size()).isBetween(100, 200);
        }
        SimulatedFolder foreign = new SimulatedFolder();
        try (TestTier tier = tier(part("other", foreign))) {
            put(tier, 9);
        }
        a = a.afterKill();
        foreign = foreign.afterKill();
        try (TestTier tier = tier(part("a", a), part("b", foreign))) {
            assertThat(found(tier, 1).size()).as("nothing of another server").isBetween(100, 200);
        }
        SimulatedFolder swapped = a.afterKill();
        try (TestTier tier = tier(part("a", foreign.afterKill()), part("b", swapped))) {
            assertThat(found(tier, 1)).as("each has keys that are the other's").isEmpty();
            put(tier, 2);
            assertThat(found(tier, 2)).hasSize(KEYS);
        }
    }

    @Test
    void oneThatFailsOrHangsHoldsUpNoOther() throws IOException {
        SimulatedFolder a = new SimulatedFolder();
        SimulatedFolder b = new SimulatedFolder();
        CountDownLatch hangs = new CountDownLatch(1);
        try (TestTier tier = tier(part("a", a), part("b", b))) {
            put(tier, 1);
            List<Integer> ofA = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                long before = tier.count(DiskStats.PARTITION_HITS, "a");
                tier.get("/" + i);
                if (tier.count(DiskStats.PARTITION_HITS, "a") > before) {
                    ofA.add(i);
                }
            }
            tier.forget();
            b.slow = hangs;
            List<DiskLoad> waiting = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                if (!ofA.contains(i)) {
                    DiskLoad load = tier.tier.load(tier.key("/" + i), Fields::new);
                    if (load != null) {
                        waiting.add(load);
                    }
                }
            }
            assertThat(waiting).hasSize(KEYS - ofA.size());
            for (int i : ofA) {
                assertThat(tier.get("/" + i)).isEqualTo(TestTier.body("/" + i, 1, 500));
            }
            hangs.countDown();
            tier.forget();
            b.failsWrites = true;
            put(tier, 2);
            assertThat(tier.tier.failing()).isNotEmpty();
            assertThat(tier.count(DiskStats.PARTITION_FAILING, "a")).isZero();
            assertThat(tier.count(DiskStats.PARTITION_FAILING, "b")).isEqualTo(1);
            assertThat(tier.count(DiskStats.PARTITION_ERRORS, "b", "write")).isPositive();
            assertThat(found(tier, 2)).isEqualTo(ofA);
        }
        // its purges could not be written: it begins empty, and the other does not
        SimulatedFolder after = b.afterKill();
        after.failsWrites = false;
        try (TestTier tier = tier(part("a", a.afterKill()), part("b", after))) {
            assertThat(found(tier, 2).size()).isBetween(100, 200);
        }
    }

    @Test
    void aPurgeOfEverythingAndADoubtfulConnectionReachAll() throws IOException {
        SimulatedFolder a = new SimulatedFolder();
        SimulatedFolder b = new SimulatedFolder();
        try (TestTier tier = tier(part("a", a), part("b", b))) {
            put(tier, 1);
            tier.tier.doubted(77);
            tier.clear();
            tier.settle();
            assertThat(found(tier, 1)).isEmpty();
        }
        a = a.afterKill();
        b = b.afterKill();
        try (TestTier tier = tier(part("a", a), part("b", b))) {
            assertThat(found(tier, 1)).isEmpty();
        }
        for (Folder one : List.of(a.afterKill(), b.afterKill())) {
            try (TestTier tier = tier(part("a", one))) {
                assertThat(tier.tier.doubtful(77)).isTrue();
            }
        }
    }

    @Test
    void withoutAnyPartitionAllAreNamed(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        List<DiskFolders.Wanted> wanted = List.of(
                new DiskFolders.Wanted("a", "cache.disk.partitions.a.path", file, null, 1 << 20),
                new DiskFolders.Wanted("b", "cache.disk.partitions.b.path", file.resolve("below"), null, 1 << 20));
        RandomGenerator random = Chance.seeded(1).random();
        assertThatThrownBy(() -> DiskFolders.open(wanted, false, DiskFolders.Own.UNKNOWN, random, Log.NONE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cache.disk.partitions.a.path: " + file + " cannot be used: ")
                .hasMessageContaining("; cache.disk.partitions.b.path: " + file + "/below cannot be used: ");
    }

    private static DiskFolders opened(Path folder, @Nullable Path above, Log log) throws IOException {
        DiskFolders.Wanted wanted = new DiskFolders.Wanted("a", "cache.disk.path", folder, above, 8 << 20);
        return DiskFolders.open(
                List.of(wanted),
                false,
                DiskFolders.Own.UNKNOWN,
                Chance.seeded(1).random(),
                log);
    }

    @Test
    void aFolderOfSomebodyElseIsRefusedAndNothingIsPutThere(@TempDir Path folder) throws IOException {
        for (String name : List.of("a.iso", "b.iso", "body-shop", "segment-", "data")) {
            Files.writeString(folder.resolve(name), "x");
        }
        assertThatThrownBy(() -> opened(folder, null, Log.NONE))
                .hasMessage("cache.disk.path: " + folder + " cannot be used: " + folder
                        + " has what is not the disk tier's (a.iso, b.iso, body-shop and 2 more): name a folder of its own,"
                        + " such as " + folder.resolve("weir-cache") + ", which is made if it is not there");
        Path process = folder.resolve("process-2");
        assertThatThrownBy(() -> opened(process, folder, Log.NONE))
                .hasMessageContaining("(a.iso, b.iso, body-shop and");
        assertThat(folder).isDirectoryNotContaining("glob:**{lock,identity,process-2}");
    }

    @Test
    void theTiersOwnFoldersAreTakenAlsoWhatAKillLeft(@TempDir Path folder) throws IOException {
        opened(folder, null, Log.NONE).close();
        assertThat(Files.getPosixFilePermissions(folder)).as("it was empty").hasSize(3);
        for (String name : List.of("segment-2", "body-1f", "identity.new", "moved", "moved.new", "purges")) {
            Files.writeString(folder.resolve(name), "x");
        }
        for (String name : List.of("lost+found", "process-1", "process-12")) {
            Files.createDirectory(folder.resolve(name));
        }
        opened(folder, null, Log.NONE).close();
        assertThat(Files.getPosixFilePermissions(folder.resolve("lock")))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }

    /** A file that somebody left in it must not cost a start; nor is it touched. */
    @Test
    void aFolderThatWasTheTiersStaysItsWithAWarning(@TempDir Path folder) throws IOException {
        try (TestTier tier = new TestTier(RealFolder.open(folder), MEMORY)) {
            tier.put("/a", TestTier.body("/a", 1, 100));
            tier.settle();
        }
        Path left = Files.writeString(folder.resolve("body-shop"), "x");
        List<String> logged = new ArrayList<>();
        Log log = new Log() {
            @Override
            public boolean wants(LogMessage message) {
                return true;
            }

            @Override
            public void log(LogMessage message, Object... arguments) {
                logged.add(message + " " + List.of(arguments));
            }
        };
        opened(folder, null, log).close();
        assertThat(logged).singleElement().asString().contains("NOT_ALONE", "(body-shop)", "was the tier's before");
        try (TestTier tier = new TestTier(RealFolder.open(folder), MEMORY)) {
            assertThat(tier.get("/a")).isEqualTo(TestTier.body("/a", 1, 100));
        }
        assertThat(left).exists();
    }
}
