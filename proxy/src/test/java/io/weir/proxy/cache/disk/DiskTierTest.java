package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SteppedClock;
import io.weir.http.Fields;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.PageCache;
import io.weir.proxy.cache.disk.files.RealFolder;
import io.weir.proxy.cache.disk.files.SegmentFile;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.StoredObject;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskTierTest {
    private static final String MEMORY = "memory-budget=8MiB";

    private static Fields language(String value) {
        Fields fields = new Fields();
        fields.add("Accept-Language", value);
        return fields;
    }

    private static String variant(String value) {
        return io.weir.http.caching.Vary.parse("Accept-Language").key(language(value));
    }

    @Test
    void whatMemoryForgetsComesBack() throws IOException {
        try (TestTier tier = new TestTier(new SimulatedFolder(), MEMORY)) {
            for (int size : new int[] {0, 1, 63, 4096, 65_536, 65_537, 300_000, 1_500_000}) {
                String path = "/size/" + size;
                byte[] body = TestTier.body(path, 1, size);
                tier.put(path, body);
                tier.settle();
                tier.forget();
                assertThat(tier.get(path)).as(path).isEqualTo(body);
                StoredObject back = Objects.requireNonNull(tier.inMemory(path, ""));
                byte[] head = new byte[back.headLength()];
                back.headBuffer().getBytes(0, head);
                assertThat(head).isEqualTo(TestTier.HEAD);
                assertThat(back.freshness().staleWhileRevalidate()).isEqualTo(4);
                assertThat(back.freshness().staleForbidden()).isTrue();
                assertThat(back.fields().combined("content-type")).isEqualTo("text/plain");
            }
            assertThat(tier.count(DiskStats.HITS)).isEqualTo(8);
            assertThat(tier.get("/other")).isNull();
        }
    }

    @Test
    void whatThePageCacheHasIsReadWithoutAThread() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            byte[] small = TestTier.body("/small", 1, 13_000);
            byte[] large = TestTier.body("/large", 1, 300_000);
            byte[] varies = TestTier.body("/varies", 1, 5000);
            tier.put("/small", small);
            tier.put("/large", large);
            tier.put("/varies", varies, "Accept-Language", language("de"), null);
            tier.settle();
            tier.forget();
            // a thread would wait for ever
            folder.slow = new CountDownLatch(1);
            folder.cached = true;
            assertThat(tier.get("/small")).isEqualTo(small);
            assertThat(tier.get("/large")).isEqualTo(large);
            assertThat(tier.get("/varies", language("de"), variant("de"))).isEqualTo(varies);
            assertThat(tier.count(DiskStats.READS, "muxer")).isEqualTo(3);
            assertThat(tier.count(DiskStats.READS, "thread")).isZero();
            tier.forget();
            folder.cached = false;
            DiskLoad waits = Objects.requireNonNull(tier.tier.load(tier.key("/small"), Fields::new));
            assertThat(waits.over()).isFalse();
            folder.slow.countDown();
            assertThat(tier.get("/small")).isEqualTo(small);
            assertThat(tier.count(DiskStats.READS, "thread")).isEqualTo(1);
        }
    }

    @Test
    void aDiskTellsWhatItsPageCacheHas(@TempDir Path path) throws IOException {
        try (TestTier tier = new TestTier(RealFolder.open(path), MEMORY)) {
            byte[] body = TestTier.body("/a", 1, 200_000);
            tier.put("/a", body);
            tier.settle();
            tier.forget();
            assertThat(tier.get("/a")).isEqualTo(body);
            boolean tells = PageCache.of(path.resolve("lock"), false) != null || PageCache.isMemory(path);
            assertThat(tier.count(DiskStats.READS, "muxer")).isEqualTo(tells ? 1 : 0);
        }
    }

    @Test
    void aRestartFindsAllOfIt(@TempDir Path path) throws IOException {
        for (int round = 0; round < 3; round++) {
            try (TestTier tier = new TestTier(RealFolder.open(path), MEMORY)) {
                for (int i = 0; i < round * 50; i++) {
                    assertThat(tier.get("/" + i)).isEqualTo(TestTier.body("/" + i, 1, 10 * i));
                }
                for (int i = round * 50; i < round * 50 + 50; i++) {
                    tier.put("/" + i, TestTier.body("/" + i, 1, 10 * i));
                }
                tier.settle();
            }
        }
        try (var files = Files.list(path)) {
            assertThat(files.filter(file -> Segment.isName(file.getFileName().toString())))
                    .hasSize(3)
                    .allMatch(file -> !Files.isExecutable(file));
        }
    }

    @Test
    void aSecondServerOnTheFolderIsRefused(@TempDir Path path) throws IOException {
        try (Folder _ = RealFolder.open(path)) {
            assertThatThrownBy(() -> RealFolder.open(path)).hasMessageContaining("another server uses");
        }
        RealFolder.open(path).close();
    }

    @Test
    void aSuccessorFindsWhatItsPredecessorWroteOnceThatHasEnded(@TempDir Path path) throws IOException {
        TestTier successor;
        try (TestTier tier = new TestTier(RealFolder.open(path), MEMORY)) {
            tier.put("/before", TestTier.body("/before", 1, 100));
            tier.put("/purged", TestTier.body("/purged", 1, 100));
            tier.settle();
            successor = new TestTier(RealFolder.unclaimed(path), new SteppedClock(1), false, MEMORY);
            assertThat(successor.get("/before")).as("not yet").isNull();
            assertThat(successor.tier.ready()).isFalse();
            tier.put("/meanwhile", TestTier.body("/meanwhile", 1, 100));
            tier.settle();
            successor.purge("/purged");
        }
        try (successor) {
            TestTier.await("it has read what was there", () -> successor.tier.ready());
            assertThat(successor.get("/before")).isEqualTo(TestTier.body("/before", 1, 100));
            assertThat(successor.get("/meanwhile")).isEqualTo(TestTier.body("/meanwhile", 1, 100));
            assertThat(successor.get("/purged")).isNull();
        }
    }

    @Test
    void variantsAreFoundByTheFieldsOfTheRequest() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            for (String language : new String[] {"de", "en"}) {
                tier.put("/v", TestTier.body(language, 1, 100), "Accept-Language", language(language), null);
            }
            tier.settle();
            tier.forget();
            assertThat(tier.get("/v", language("de"), variant("de"))).isEqualTo(TestTier.body("de", 1, 100));
            assertThat(tier.get("/v", language("en"), variant("en"))).isEqualTo(TestTier.body("en", 1, 100));
            assertThat(tier.get("/v", language("fr"), variant("fr"))).isNull();
        }
        try (TestTier tier = new TestTier(folder.afterKill(), MEMORY)) {
            assertThat(tier.get("/v", language("en"), variant("en"))).isEqualTo(TestTier.body("en", 1, 100));
            // a third one joins those of the last run
            tier.put("/v", TestTier.body("fr", 1, 100), "Accept-Language", language("fr"), null);
            tier.settle();
            tier.forget();
            assertThat(tier.get("/v", language("de"), variant("de"))).isEqualTo(TestTier.body("de", 1, 100));
        }
    }

    @Test
    void aPurgeReachesAllVariantsForGood() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            tier.put("/v", TestTier.body("de", 1, 100), "Accept-Language", language("de"), null);
            tier.put("/v", TestTier.body("en", 1, 100), "Accept-Language", language("en"), null);
            tier.settle();
            assertThat(tier.purge("/v")).isTrue();
            assertThat(tier.purge("/v")).isFalse();
            // one variant is stored again: it must not bring back the other
            tier.put("/v", TestTier.body("de", 2, 100), "Accept-Language", language("de"), null);
            tier.settle();
            tier.forget();
            assertThat(tier.get("/v", language("en"), variant("en"))).isNull();
            assertThat(tier.get("/v", language("de"), variant("de"))).isEqualTo(TestTier.body("de", 2, 100));
        }
        try (TestTier tier = new TestTier(folder.afterKill(), MEMORY)) {
            assertThat(tier.get("/v", language("en"), variant("en"))).isNull();
            assertThat(tier.get("/v", language("de"), variant("de"))).isEqualTo(TestTier.body("de", 2, 100));
        }
    }

    @Test
    void whatIsPurgedWhileItWaitsIsNotFound() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            for (int i = 0; i < 200; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 5000));
                assertThat(tier.purge("/" + i)).as("known at once").isTrue();
                if (i % 2 == 0) {
                    tier.put("/" + i, TestTier.body("/" + i, 2, 50));
                }
            }
            tier.settle();
            tier.forget();
            for (int i = 0; i < 200; i++) {
                assertThat(tier.get("/" + i)).isEqualTo(i % 2 == 0 ? TestTier.body("/" + i, 2, 50) : null);
            }
        }
        try (TestTier tier = new TestTier(folder.afterKill(), MEMORY)) {
            for (int i = 0; i < 200; i++) {
                assertThat(tier.get("/" + i)).isEqualTo(i % 2 == 0 ? TestTier.body("/" + i, 2, 50) : null);
            }
        }
    }

    @Test
    void aPurgeOfEverythingIsForGood() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            tier.put("/a", TestTier.body("/a", 1, 100));
            tier.settle();
            tier.put("/b", TestTier.body("/b", 1, 100));
            tier.clear();
            tier.put("/c", TestTier.body("/c", 1, 100));
            tier.settle();
        }
        try (TestTier tier = new TestTier(folder.afterKill(), MEMORY)) {
            assertThat(tier.get("/a")).isNull();
            assertThat(tier.get("/b")).isNull();
            assertThat(tier.get("/c")).isEqualTo(TestTier.body("/c", 1, 100));
        }
    }

    @Test
    void theOldestSegmentGoesAndWhatWasUsedStays() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY, "disk.size=8MiB")) {
            tier.put("/hot", TestTier.body("/hot", 1, 10_000));
            tier.put("/cold", TestTier.body("/cold", 1, 10_000));
            for (int i = 0; i < 400; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 100_000));
                tier.settle();
                tier.forget();
                if (i % 20 == 0) {
                    assertThat(tier.get("/hot")).as("round " + i).isEqualTo(TestTier.body("/hot", 1, 10_000));
                    tier.forget();
                }
            }
            assertThat(tier.get("/cold")).isNull();
            assertThat(tier.get("/399")).isEqualTo(TestTier.body("/399", 1, 100_000));
            assertThat(folder.segments()).isLessThanOrEqualTo(8);
            assertThat(tier.count(DiskStats.RECLAIMED)).isGreaterThan(20);
            assertThat(tier.count(DiskStats.CARRIED)).isPositive();
            assertThat(tier.count(DiskStats.EVICTIONS)).isGreaterThan(200);
        }
    }

    @Test
    void theNumberOfObjectsIsBounded() throws IOException {
        try (TestTier tier = new TestTier(new SimulatedFolder(), MEMORY, "disk.size=64MiB", "disk.max-objects=1000")) {
            for (int i = 0; i < 5000; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 2000));
                if (i % 10 == 9) {
                    tier.settle();
                    tier.forget();
                }
            }
            tier.settle();
            tier.forget();
            assertThat(tier.count(DiskStats.OBJECTS)).isBetween(500L, 1000L);
            assertThat(tier.get("/4999")).isEqualTo(TestTier.body("/4999", 1, 2000));
        }
    }

    @Test
    void oneAnswerThatIsLargerThanTheQueueIsWritten() throws IOException {
        try (TestTier tier = new TestTier(new SimulatedFolder(), "memory-budget=8MiB", "disk.size=64MiB")) {
            tier.put("/large", TestTier.body("/large", 1, 3_000_000));
            tier.settle();
            tier.forget();
            assertThat(tier.get("/large")).isEqualTo(TestTier.body("/large", 1, 3_000_000));
        }
    }

    @Test
    void theGaugeOfItsBytesIncludesTheLastLargeAnswer() throws IOException {
        try (TestTier tier = new TestTier(new SimulatedFolder(), "memory-budget=32MiB", "disk.size=64MiB")) {
            long before = 0;
            for (int bytes : new int[] {1_000, 600_000, 3_000_000, 5_000_000}) {
                tier.put("/" + bytes, TestTier.body("/" + bytes, 1, bytes));
                tier.settle();
                long now = tier.count(DiskStats.BYTES);
                assertThat(now - before).as("after " + bytes).isGreaterThan(bytes);
                before = now;
            }
            assertThat(before).isLessThan(2 * tier.count(DiskStats.BYTES_WRITTEN));
        }
    }

    @Test
    void answersOfADoubtfulConnectionAreNotUsedAfterARestartEither() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        long number;
        try (TestTier tier = new TestTier(folder, MEMORY, "disk.size=8MiB")) {
            SourceConnection connection = new SourceConnection();
            number = connection.numbers(tier.tier).body();
            assertThat(number).isPositive();
            assertThat(connection.numbers(tier.tier).body()).isEqualTo(number);
            SourceConnection back = SourceConnection.restored(new SourceConnection.Numbers(number, 0), tier.tier);
            assertThat(back.doubtful()).isFalse();
            connection.doubt();
            assertThat(back.doubtful()).isTrue();
            assertThat(back.numbers(tier.tier)).isEqualTo(new SourceConnection.Numbers(number, 0));
            tier.settle();
            // the segment that says so is reclaimed
            for (int i = 0; i < 200; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 100_000));
                tier.settle();
            }
            assertThat(tier.count(DiskStats.RECLAIMED)).isGreaterThan(8);
        }
        try (TestTier tier = new TestTier(folder.afterKill(), MEMORY, "disk.size=8MiB")) {
            assertThat(tier.tier.doubtful(number)).isTrue();
            assertThat(tier.tier.doubtful(number + 1)).isFalse();
        }
    }

    @Test
    void aSegmentOfHotAnswersIsNotCarriedOverWhole() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY, "disk.size=64MiB", "disk.max-objects=1000")) {
            // all of them stay in memory, so each would be worth it
            for (int i = 0; i < 3000; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 100));
                if (i % 10 == 9) {
                    tier.settle();
                }
            }
            assertThat(tier.count(DiskStats.CARRIED)).isPositive();
            assertThat(tier.count(DiskStats.ERRORS, "read")).isZero();
            assertThat(tier.count(DiskStats.OBJECTS)).isBetween(500L, 1000L);
            assertThat(folder.segments()).isLessThanOrEqualTo(8);
        }
    }

    @Test
    void manyDoubtfulConnectionsAndFewObjects() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY, "disk.size=8MiB", "disk.max-objects=1000")) {
            for (int i = 1; i <= 2500; i++) {
                tier.tier.doubted(i);
            }
            for (int i = 0; i < 30; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, 100_000));
                tier.settle();
            }
            tier.forget();
            assertThat(tier.get("/29")).isEqualTo(TestTier.body("/29", 1, 100_000));
            assertThat(tier.tier.doubtful(2500)).isTrue();
            assertThat(tier.tier.doubtful(1))
                    .as("everything was purged meanwhile, and with it all of that")
                    .isFalse();
        }
    }

    @Test
    void addressesOfTheOriginComeBack() throws IOException {
        FetchedFrom from = FetchedFrom.of(InetAddress.getByName("10.1.2.3"));
        FetchedFrom both = FetchedFrom.both(from, FetchedFrom.of(InetAddress.getByName("2001:db8::7")));
        try (TestTier tier = new TestTier(new SimulatedFolder(), MEMORY)) {
            tier.put("/one", new byte[3], "", new Fields(), both);
            tier.put("/parent", new byte[3], "", new Fields(), FetchedFrom.PARENT);
            tier.settle();
            tier.forget();
            tier.get("/one");
            tier.get("/parent");
            assertThat(Objects.requireNonNull(Objects.requireNonNull(tier.inMemory("/one", ""))
                                    .from())
                            .addresses())
                    .containsExactly(InetAddress.getByName("10.1.2.3"), InetAddress.getByName("2001:db8::7"));
            assertThat(Objects.requireNonNull(tier.inMemory("/parent", "")).from())
                    .isSameAs(FetchedFrom.PARENT);
        }
    }

    @Test
    void anotherIdentityEmptiesTheFolder() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            tier.put("/a", TestTier.body("/a", 1, 100));
            tier.settle();
        }
        SimulatedFolder after = folder.afterKill();
        after.delete("identity");
        SegmentFile file = after.create("identity");
        file.write(java.nio.ByteBuffer.wrap("damaged".getBytes(StandardCharsets.UTF_8)), 0);
        try (TestTier tier = new TestTier(after, MEMORY)) {
            assertThat(tier.get("/a")).isNull();
            assertThat(after.segments()).isZero();
        }
    }
}
