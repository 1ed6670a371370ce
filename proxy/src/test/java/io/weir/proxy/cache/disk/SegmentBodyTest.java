package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.http.Fields;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.store.LowerBody;
import io.weir.proxy.cache.store.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Large answers, whose bodies stay on the disk. */
class SegmentBodyTest {
    private static final String MEMORY = "memory-budget=1MiB";
    private static final int LARGE = 3_000_000;

    /** Puts an answer that is larger than memory onto the disk: as a memory that is larger does. */
    private static byte[] written(SimulatedFolder folder, String path) throws IOException {
        byte[] body = TestTier.body(path, 1, LARGE);
        try (TestTier tier = new TestTier(folder, "memory-budget=32MiB")) {
            tier.put(path, body);
            tier.settle();
        }
        return body;
    }

    private static LowerBody below(TestTier tier, String path) {
        assertThat(tier.load(path, new Fields())).isTrue();
        StoredObject object = Objects.requireNonNull(tier.inMemory(path, ""));
        return Objects.requireNonNull(object.below());
    }

    @Test
    void aBodyLargerThanMemoryIsSentFromTheDisk() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        byte[] body = written(folder, "/large");
        for (boolean cached : new boolean[] {true, false}) {
            folder.cached = cached;
            try (TestTier tier = new TestTier(folder, MEMORY)) {
                assertThat(tier.get("/large")).isEqualTo(body);
                assertThat(tier.store.budget().used()).isLessThan(1 << 20);
                LowerBody below = below(tier, "/large");
                RandomGenerator chance = Chance.seeded(7).random();
                for (int i = 0; i < 50; i++) {
                    int from = chance.nextInt(LARGE);
                    int to = chance.nextInt(from, LARGE) + 1;
                    assertThat(TestTier.sent(below, from, to)).isEqualTo(Arrays.copyOfRange(body, from, to));
                }
                assertThat(tier.count(DiskStats.STREAMED)).isEqualTo(51);
                assertThat(tier.count(DiskStats.READS, cached ? "thread" : "muxer"))
                        .isZero();
            }
        }
    }

    @Test
    void aSmallOneIsBroughtIntoMemory() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, "memory-budget=8MiB", "disk.max-memory-object-size=100KiB")) {
            tier.put("/fits", TestTier.body("/fits", 1, 100 << 10));
            tier.put("/stays", TestTier.body("/stays", 1, (100 << 10) + 1));
            tier.settle();
            tier.forget();
            tier.load("/fits", new Fields());
            tier.load("/stays", new Fields());
            assertThat(Objects.requireNonNull(tier.inMemory("/fits", "")).below())
                    .isNull();
            assertThat(Objects.requireNonNull(tier.inMemory("/stays", "")).below())
                    .isNotNull();
            assertThat(tier.get("/stays")).isEqualTo(TestTier.body("/stays", 1, (100 << 10) + 1));
        }
    }

    @Test
    void aFlippedBitEndsTheAnswerAndIsNotServedAgain() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        byte[] body = written(folder, "/large");
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            LowerBody below = below(tier, "/large");
            assertThat(TestTier.sent(below, 0, LARGE)).isEqualTo(body);
            assertThat(((SegmentBody) below).confirmed(0, LARGE)).isEqualTo(LARGE);
            below.retain();
            folder.flip(LARGE / 2);
            assertThat(TestTier.sent(below, 0, LARGE)).isNull();
            assertThat(((SegmentBody) below).confirmed(0, LARGE))
                    .as("all of the file is doubtful")
                    .isZero();
            below.release();
            assertThat(tier.inMemory("/large", "")).isNull();
            TestTier.await("its segment is dropped", () -> tier.count(DiskStats.DROPPED) == 1);
            assertThat(tier.count(DiskStats.ERRORS, "checksum")).isEqualTo(1);
            assertThat(tier.get("/large")).isNull();
        }
    }

    @Test
    void aDiskThatFailsEndsTheAnswer() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        written(folder, "/large");
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            LowerBody below = below(tier, "/large");
            folder.failsReads = true;
            assertThat(TestTier.sent(below, 0, LARGE)).isNull();
            assertThat(tier.inMemory("/large", "")).isNull();
            assertThat(tier.count(DiskStats.ERRORS, "read")).isEqualTo(1);
        }
    }

    @Test
    void aPurgeIsFinalAndWhatIsBeingSentIsSent() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        byte[] body = written(folder, "/large");
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            LowerBody below = below(tier, "/large");
            below.retain();
            assertThat(tier.purge("/large")).isTrue();
            assertThat(tier.get("/large")).isNull();
            assertThat(TestTier.sent(below, 0, LARGE)).isEqualTo(body);
            below.release();
        }
    }

    @Test
    void aRemovedSegmentIsNotHeldByMemory() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, "memory-budget=32MiB", "disk.size=8MiB")) {
            // larger than what is carried over of one segment
            int most = 900_000;
            tier.put("/first", TestTier.body("/first", 1, most));
            tier.settle();
            tier.forget();
            LowerBody below = below(tier, "/first");
            SegmentBody held = (SegmentBody) below;
            for (int i = 0; i < 20; i++) {
                tier.put("/" + i, TestTier.body("/" + i, 1, most));
                tier.settle();
            }
            StoredObject now = tier.inMemory("/first", "");
            assertThat(now == null ? null : now.below()).isNotEqualTo(held);
        }
    }

    @Test
    void clientsThatDoNotReadKeepSoMuchOfTheDiskAndNoMore() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, "memory-budget=32MiB", "disk.size=8MiB")) {
            int size = 900_000;
            List<LowerBody> stalled = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                String path = "/" + i;
                tier.put(path, TestTier.body(path, 1, size));
                tier.settle();
                tier.forget();
                LowerBody below = below(tier, path);
                below.retain();
                stalled.add(below);
            }
            assertThat(tier.count(DiskStats.HELD_BYTES)).isBetween(1L, 2L << 20);
            assertThat(tier.count(DiskStats.REFUSALS, "slow")).isGreaterThan(10);
            assertThat(TestTier.sent(stalled.getFirst(), 0, size)).as("cut").isNull();
            assertThat(TestTier.sent(stalled.getLast(), 0, size)).isEqualTo(TestTier.body("/29", 1, size));
            stalled.forEach(LowerBody::release);
            tier.put("/last", TestTier.body("/last", 1, 100));
            tier.settle();
            assertThat(tier.count(DiskStats.HELD_BYTES)).isZero();
        }
    }

    @Test
    void aNewHeadGetsTheBodyOfTheOldOne() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        byte[] body = written(folder, "/large");
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            below(tier, "/large");
            StoredObject old = Objects.requireNonNull(tier.inMemory("/large", ""));
            // as after a 304
            tier.tier.stored(old);
            tier.settle();
            assertThat(tier.count(DiskStats.WRITTEN)).isEqualTo(1);
            tier.forget();
            assertThat(tier.get("/large")).isEqualTo(body);
        }
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            assertThat(tier.get("/large")).isEqualTo(body);
        }
    }

    @Test
    void aBodyThatCannotBeReadCostsItselfAlone() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        written(folder, "/large");
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            below(tier, "/large");
            StoredObject old = Objects.requireNonNull(tier.inMemory("/large", ""));
            folder.failsReads = true;
            tier.tier.stored(old);
            tier.settle();
            folder.failsReads = false;
            assertThat(tier.count(DiskStats.REFUSALS, "unreadable")).isEqualTo(1);
            assertThat(tier.count(DiskStats.FAILING)).isZero();
            tier.put("/other", TestTier.body("/other", 1, 1000));
            tier.settle();
            tier.forget();
            assertThat(tier.get("/other")).isEqualTo(TestTier.body("/other", 1, 1000));
        }
    }

    @Test
    void aReaderThatHangsIsLeft() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        byte[] body = written(folder, "/large");
        try (TestTier tier = new TestTier(folder, MEMORY)) {
            LowerBody below = below(tier, "/large");
            below.retain();
            CountDownLatch hangs = new CountDownLatch(1);
            folder.slow = hangs;
            BodyStream stream = BodyStream.of(
                    below, 0, LARGE, io.netty.buffer.UnpooledByteBufAllocator.DEFAULT, new BodyStream.Reader() {
                        @Override
                        public java.util.concurrent.Executor executor() {
                            return Runnable::run;
                        }

                        @Override
                        public void more() {
                            throw new AssertionError("it was closed");
                        }
                    });
            assertThat(stream.next()).isNull();
            assertThat(stream.failed()).isFalse();
            stream.giveUp();
            stream.close();
            hangs.countDown();
            assertThat(tier.inMemory("/large", "")).isNull();
            assertThat(TestTier.sent(below, 0, LARGE)).isEqualTo(body);
            below.release();
        }
    }
}
