package io.weir.proxy.cache.disk;

import static io.weir.proxy.cache.disk.TestAnswers.LARGE;
import static io.weir.proxy.cache.disk.TestAnswers.SMALL;
import static io.weir.proxy.cache.disk.TestAnswers.store;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.TestAnswers.Answer;
import io.weir.proxy.cache.disk.TestAnswers.Client;
import io.weir.proxy.cache.disk.TestAnswers.Request;
import io.weir.proxy.cache.fill.Signal;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.StoredObject;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Bodies too large for memory: written below while they arrive, and read by others meanwhile. */
class ArrivingBodiesTest {
    @Test
    void aBodyLargerThanMemoryIsStoredAndFoundAfterARestart() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        byte[] known;
        byte[] unknown;
        try (TestTier tier = new TestTier(folder, SMALL)) {
            known = store(tier, "/known", LARGE, true);
            unknown = store(tier, "/unknown", LARGE + 1, false);
            assertThat(tier.store.budget().used()).isLessThan(4 << 20);
            for (int i = 0; i < 2; i++) {
                assertThat(tier.get("/known")).isEqualTo(known);
                assertThat(tier.get("/unknown")).isEqualTo(unknown);
                tier.forget();
            }
            assertThat(tier.count(DiskStats.FILES)).isEqualTo(2);
            assertThat(tier.count(DiskStats.FILE_BYTES)).isEqualTo(2L * LARGE + 1);
            assertThat(tier.count(DiskStats.ARRIVED, "whole")).isEqualTo(2);
        }
        for (int i = 0; i < 2; i++) {
            try (TestTier tier = new TestTier(folder, SMALL)) {
                assertThat(tier.get("/known")).isEqualTo(known);
                assertThat(tier.get("/unknown")).isEqualTo(unknown);
                assertThat(tier.count(DiskStats.FILES)).isEqualTo(2);
            }
        }
    }

    /** {@code ./weir check} warns of what is larger. */
    @Test
    void theLargestBodyOfASizeIsWhatItsPartitionTakes() throws IOException {
        for (String size : List.of("8MiB", "100MiB", "1280MiB", "2GiB", "4GiB", "10GiB")) {
            try (TestTier tier = new TestTier(new SimulatedFolder(), "disk.size=" + size)) {
                assertThat(DiskTier.largestBody(tier.config.get().disk().size().bytes()))
                        .as(size)
                        .isEqualTo(tier.tier.sinksTo());
            }
        }
        assertThat(DiskTier.largestBody(2L << 30)).isEqualTo(960L << 20);
        assertThat(DiskTier.largestBody(1)).as("four segments").isBetween(800L << 10, 1L << 20);
    }

    @Test
    void withoutItTheAnswerIsRefused() throws IOException {
        try (TestTier tier = new TestTier(
                new SimulatedFolder(), "memory-budget=4MiB", "max-object-size=1MiB", "disk.max-object-size=0")) {
            assertThat(TestAnswers.refusal(tier, LARGE, CacheTerms.DEFAULT)).isEqualTo("too-large");
        }
    }

    @Test
    void othersReadItWhileItArrives() throws IOException {
        for (boolean cached : new boolean[] {true, false}) {
            SimulatedFolder folder = new SimulatedFolder();
            folder.cached = cached;
            try (TestTier tier = new TestTier(folder, SMALL);
                    Answer answer = new Answer(tier, "/a", LARGE)) {
                byte[] body = TestTier.body("/a", 1, LARGE);
                answer.send(body, 0, LARGE / 2);
                Client late = answer.join(new Request());
                TestTier.await("it has the first half", () -> {
                    answer.loop.run();
                    return late.bytes.size() >= LARGE / 2;
                });
                answer.send(body, LARGE / 2, LARGE);
                Client last = answer.join(new Request());
                answer.end();
                for (Client client : new Client[] {answer.first, late, last}) {
                    answer.await(client);
                    assertThat(client.last).isEqualTo(Signal.END);
                    assertThat(client.bytes.toByteArray()).isEqualTo(body);
                }
                answer.stored();
                late.cursor().close();
                last.cursor().close();
            }
        }
    }

    @Test
    void aSlowClientHoldsUpNobodyAndTakesNoMemory() throws IOException {
        try (TestTier tier = new TestTier(new SimulatedFolder(), SMALL);
                Answer answer = new Answer(tier, "/a", LARGE)) {
            byte[] body = TestTier.body("/a", 1, LARGE);
            answer.first.may = 1;
            Client fast = answer.join(new Request());
            answer.send(body, 0, LARGE);
            answer.end();
            answer.await(fast);
            answer.stored();
            assertThat(tier.count(CacheStats.WINDOW_BYTES)).isLessThan(2 << 20);
            assertThat(tier.store.budget().used()).isLessThan(4 << 20);
            answer.first.may = Long.MAX_VALUE;
            answer.first.pump();
            answer.await(answer.first);
            assertThat(answer.first.bytes.toByteArray()).isEqualTo(body);
            fast.cursor().close();
        }
    }

    @Test
    void aPurgeMeanwhileIsFinal() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            byte[] body = TestTier.body("/a", 1, LARGE);
            try (Answer answer = new Answer(tier, "/a", LARGE)) {
                answer.send(body, 0, LARGE / 2);
                tier.purge("/a");
                answer.send(body, LARGE / 2, LARGE);
                answer.end();
                answer.await(answer.first);
                assertThat(answer.first.bytes.toByteArray()).isEqualTo(body);
                answer.stored();
                assertThat(answer.fill.storing()).isFalse();
            }
            assertThat(tier.get("/a")).isNull();
            TestTier.await("its file is removed", () -> folder.bodies() == 0);
        }
    }

    @Test
    void aPurgeAfterItRemovesTheFileAndWhatIsBeingSentIsSent() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            byte[] body = store(tier, "/a", LARGE, true);
            StoredObject object = Objects.requireNonNull(tier.inMemory("/a", ""));
            object.retain();
            assertThat(tier.purge("/a")).isTrue();
            TestTier.await("its file is removed", () -> folder.bodies() == 0);
            assertThat(tier.get("/a")).isNull();
            assertThat(TestTier.sent(Objects.requireNonNull(object.below()), 0, LARGE))
                    .isEqualTo(body);
            object.release();
            store(tier, "/b", LARGE, true);
            tier.clear();
            TestTier.await("all files are removed", () -> folder.bodies() == 0);
        }
        try (TestTier tier = new TestTier(folder, SMALL)) {
            assertThat(tier.get("/a")).isNull();
            assertThat(tier.get("/b")).isNull();
        }
    }

    /** The writer tells memory that a file goes while memory lets the file go. */
    @Test
    void aPurgeAndAnEvictionDoNotWaitForEachOther() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            for (int i = 0; i < 100; i++) {
                String path = "/" + i % 3;
                store(tier, path, 1_100_000, true);
                assertThat(tier.get(path)).isNotNull();
                tier.tier.removed(tier.key(path).hash());
                tier.forget();
            }
            TestTier.await("all files are removed", () -> folder.bodies() == 0);
        }
    }

    @Test
    void aNewHeadNamesTheSameFile() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        byte[] body;
        try (TestTier tier = new TestTier(folder, SMALL)) {
            body = store(tier, "/a", LARGE, true);
            long written = tier.count(DiskStats.BYTES_WRITTEN);
            // as after a 304
            tier.tier.stored(Objects.requireNonNull(tier.inMemory("/a", "")));
            tier.settle();
            assertThat(tier.count(DiskStats.WRITTEN)).isEqualTo(2);
            assertThat(tier.count(DiskStats.BYTES_WRITTEN) - written).isLessThan(10_000);
            assertThat(folder.bodies()).isEqualTo(1);
            tier.forget();
            assertThat(tier.get("/a")).isEqualTo(body);
        }
        try (TestTier tier = new TestTier(folder, SMALL)) {
            assertThat(tier.get("/a")).isEqualTo(body);
        }
    }

    @Test
    void theOldestMakeRoomAndWhatWasUsedStays() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            byte[] used = store(tier, "/used", LARGE, true);
            for (int i = 0; i < 30; i++) {
                store(tier, "/" + i, LARGE, i % 2 == 0);
                if (i < 20) {
                    assertThat(tier.get("/used")).as("after " + i).isEqualTo(used);
                }
                assertThat(folder.used()).isLessThan(64 << 20);
            }
            tier.forget();
            assertThat(tier.get("/0")).isNull();
            assertThat(tier.get("/used")).as("not used for long").isNull();
            assertThat(tier.get("/29")).isEqualTo(TestTier.body("/29", 1, LARGE));
            assertThat(tier.count(DiskStats.FILES)).isBetween(2L, 4L);
            assertThat(folder.bodies()).isEqualTo((int) tier.count(DiskStats.FILES));
        }
    }

    /** Only what has a record is freed when there is no room: what gets none must go at once. */
    @Test
    void whatGetsNoRecordLeavesNoFile() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            for (int i = 0; i < 10; i++) {
                SourceConnection connection = new SourceConnection();
                byte[] body = TestTier.body("/" + i, 1, LARGE);
                try (Answer answer = new Answer(tier, "/" + i, LARGE, connection)) {
                    answer.send(body, 0, LARGE);
                    connection.doubt();
                    answer.end();
                    answer.await(answer.first);
                    answer.stored();
                }
                TestTier.await("its file is removed", () -> folder.bodies() == 0);
            }
            tier.store.lowerKeys(_ -> true);
            try (Answer answer = new Answer(tier, "/moved", LARGE)) {
                answer.send(TestTier.body("/moved", 1, LARGE), 0, LARGE);
                // another member has become the owner
                tier.store.lowerKeys(_ -> false);
                answer.end();
                answer.await(answer.first);
                answer.stored();
            }
            TestTier.await("its file is removed", () -> folder.bodies() == 0);
            assertThat(tier.count(DiskStats.FILE_BYTES)).isZero();
            tier.store.lowerKeys(_ -> true);
            store(tier, "/last", LARGE, true);
            assertThat(folder.bodies()).isEqualTo(1);
        }
    }

    @Test
    void clientsThatStillReadWhatWasRemovedAreNotCut() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            byte[][] bodies = new byte[3][];
            StoredObject[] read = new StoredObject[bodies.length];
            for (int i = 0; i < bodies.length; i++) {
                bodies[i] = store(tier, "/r" + i, LARGE, true);
                read[i] = Objects.requireNonNull(tier.inMemory("/r" + i, ""));
                read[i].retain();
                tier.purge("/r" + i);
            }
            TestTier.await("they are removed", () -> folder.bodies() == 0);
            assertThat(tier.count(DiskStats.HELD_BYTES)).isEqualTo(3L * LARGE);
            assertThat(tier.count(DiskStats.FILE_BYTES)).isEqualTo(3L * LARGE);
            for (int i = 0; i < 3; i++) {
                try (Answer answer = new Answer(tier, "/" + i, -1)) {
                    answer.send(TestTier.body("/" + i, 1, LARGE), 0, LARGE);
                    answer.end();
                    answer.await(answer.first);
                    assertThat(answer.first.last).isEqualTo(Signal.END);
                }
            }
            for (int i = 0; i < bodies.length; i++) {
                assertThat(TestTier.sent(Objects.requireNonNull(read[i].below()), 0, LARGE))
                        .isEqualTo(bodies[i]);
                read[i].release();
            }
            TestTier.await("their space is free", () -> tier.count(DiskStats.HELD_BYTES) == 0);
            store(tier, "/last", LARGE, true);
            assertThat(tier.get("/last")).isNotNull();
        }
    }

    @Test
    void aSmallerSizeIsAppliedAtTheStart() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            for (int i = 0; i < 3; i++) {
                store(tier, "/" + i, LARGE, true);
            }
        }
        try (TestTier tier = new TestTier(folder, "memory-budget=4MiB", "max-object-size=1MiB", "disk.size=24MiB")) {
            assertThat(tier.count(DiskStats.BYTES)).isLessThanOrEqualTo(24 << 20);
            assertThat(folder.used()).isLessThanOrEqualTo(24 << 20);
        }
    }

    @Test
    void readersThatHangDelayNobodyElse() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL);
                Answer answer = new Answer(tier, "/a", LARGE)) {
            byte[] body = TestTier.body("/a", 1, LARGE);
            CountDownLatch hangs = new CountDownLatch(1);
            answer.send(body, 0, LARGE / 2);
            folder.slow = hangs;
            Client late = answer.join(new Request());
            answer.send(body, LARGE / 2, LARGE);
            answer.end();
            answer.await(answer.first);
            answer.stored();
            assertThat(late.cursor().waitsBelow()).isTrue();
            hangs.countDown();
            answer.await(late);
            assertThat(late.bytes.toByteArray()).isEqualTo(body);
            late.cursor().close();
        }
    }

    @Test
    void tooManyAtOnceAreRefusedAndTheirClientsGetThem() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            Answer[] all = new Answer[8];
            byte[][] bodies = new byte[all.length][];
            for (int i = 0; i < all.length; i++) {
                all[i] = new Answer(tier, "/" + i, -1);
                bodies[i] = TestTier.body("/" + i, 1, LARGE);
                all[i].send(bodies[i], 0, LARGE / 2);
            }
            int kept = 0;
            for (int i = 0; i < all.length; i++) {
                all[i].send(bodies[i], LARGE / 2, LARGE);
                all[i].end();
                all[i].await(all[i].first);
                assertThat(all[i].first.bytes.toByteArray()).isEqualTo(bodies[i]);
                all[i].stored();
                kept += all[i].fill.storing() ? 1 : 0;
                assertThat(all[i].fill.passReason()).isEqualTo(all[i].fill.storing() ? "" : "disk");
                all[i].close();
            }
            assertThat(kept).isBetween(1, 2);
            assertThat(folder.used()).isLessThan(64 << 20);
            CacheEntry none = tier.store.table().find(tier.key("/none"));
            assertThat(none).isNull();
            assertThat(Arrays.stream(all).noneMatch(a -> a.abandoned)).isTrue();
        }
    }
}
