package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.weir.base.Chance;
import io.weir.base.SystemClock;
import io.weir.http.Fields;
import io.weir.http.Version;
import io.weir.http.caching.CacheControl;
import io.weir.proxy.cache.config.CacheCounters;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillCursor;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.cache.fill.FillReader;
import io.weir.proxy.cache.fill.FillRequest;
import io.weir.proxy.cache.fill.FillSource;
import io.weir.proxy.cache.fill.FillStart;
import io.weir.proxy.cache.fill.Fills;
import io.weir.proxy.cache.fill.Signal;
import io.weir.proxy.cache.fill.StoragePlan;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.Permission;
import io.weir.proxy.cache.store.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bodies too large for memory: written below while they arrive, and read by others meanwhile. */
class ArrivingBodiesTest {
    private static final String[] SMALL = {"memory-budget=4MiB", "max-object-size=1MiB", "disk.size=64MiB"};
    private static final int LARGE = 9_000_000;
    private static final int PIECE = 16 << 10;

    private static final class Request extends FillRequest {
        Request() {
            reset(new Fields(), CacheControl.NONE, CacheTerms.DEFAULT);
        }

        @Override
        public Permission.Audience audience() {
            return Permission.Audience.ROUTED;
        }
    }

    /** A loop that runs when the test waits for something. */
    private static final class Loop implements Executor {
        private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        void run() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }
    }

    /** A client of a fill, which reads as much as it may. */
    private static final class Client implements FillReader {
        private final Loop loop;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long may = Long.MAX_VALUE;

        @Nullable
        FillCursor cursor;

        @Nullable
        Signal last;

        Client(Loop loop) {
            this.loop = loop;
        }

        @Override
        public Executor executor() {
            return loop;
        }

        @Override
        public void ready(FillCursor ready) {
            pump();
        }

        void pump() {
            FillCursor from = Objects.requireNonNull(cursor);
            while (bytes.size() < may && last != Signal.END && last != Signal.FAILED) {
                last = from.poll();
                if (last == Signal.DATA) {
                    ByteBuf data = from.data();
                    bytes.writeBytes(ByteBufUtil.getBytes(data));
                    data.release();
                } else if (last != Signal.HEAD) {
                    return;
                }
            }
        }

        FillCursor cursor() {
            return Objects.requireNonNull(cursor);
        }

        boolean over() {
            return last == Signal.END || last == Signal.FAILED;
        }
    }

    /** An origin's answer on its way into the cache. */
    private static final class Answer implements FillSource, AutoCloseable {
        final Loop loop = new Loop();
        final Fill fill;
        final Request own = new Request();
        final Client first;
        boolean paused;
        boolean abandoned;

        Answer(TestTier tier, String path, long length) {
            this(tier, path, length, new Fields());
        }

        Answer(TestTier tier, String path, long length, Fields more) {
            Fills fills = new Fills(tier.store, tier.config, new CacheCounters(tier.stats), SystemClock.INSTANCE);
            tier.store.lock().lock();
            try {
                fill = Objects.requireNonNull(fills.start(
                        tier.key(path), own, CacheControl.NONE, new FillStart(null, null, false, false, false, own)));
            } finally {
                tier.store.lock().unlock();
            }
            fill.lead(this);
            first = join(own);
            more.add("Cache-Control", "max-age=600");
            more.add("ETag", "\"" + path + "\"");
            long now = SystemClock.INSTANCE.millis();
            Disposition what = fill.respond(new StoragePlan.Head(200, more, length, now, now, Version.HTTP_1_1, null));
            assertThat(what).isEqualTo(Disposition.STORE);
        }

        Client join(Request by) {
            Client client = new Client(loop);
            client.cursor = fill.join(by, client);
            assertThat(client.cursor).isNotNull();
            client.pump();
            return client;
        }

        /** Sends bytes as fast as the cache takes them. */
        void send(byte[] body, int from, int to) {
            for (int at = from; at < to; at += PIECE) {
                TestTier.await("the cache reads on", () -> {
                    loop.run();
                    return !paused;
                });
                loop.run();
                paused = !fill.append(Unpooled.copiedBuffer(body, at, Math.min(PIECE, to - at)));
            }
        }

        void end() {
            fill.complete(null);
        }

        void await(Client client) {
            TestTier.await("the client has all of it", () -> {
                loop.run();
                return client.over();
            });
        }

        void stored() {
            TestTier.await("it is stored", () -> {
                loop.run();
                return fill.state() == Fill.State.COMPLETE;
            });
        }

        @Override
        public Executor executor() {
            return loop;
        }

        @Override
        public void resume() {
            paused = false;
        }

        @Override
        public void unread() {}

        @Override
        public void abandon() {
            abandoned = true;
        }

        @Override
        public void close() {
            leave();
        }

        /** Its client goes. */
        void leave() {
            FillCursor open = first.cursor;
            if (open != null) {
                first.cursor = null;
                open.close();
            }
        }
    }

    private static byte[] store(TestTier tier, String path, int size, boolean lengthKnown) {
        byte[] body = TestTier.body(path, 1, size);
        try (Answer answer = new Answer(tier, path, lengthKnown ? size : -1)) {
            answer.send(body, 0, size);
            answer.end();
            answer.await(answer.first);
            assertThat(answer.first.last).isEqualTo(Signal.END);
            assertThat(answer.first.bytes.toByteArray()).isEqualTo(body);
            answer.stored();
            assertThat(answer.fill.storing()).isTrue();
        }
        tier.settle();
        return body;
    }

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

    @Test
    void withoutItTheAnswerIsRefused() throws IOException {
        try (TestTier tier = new TestTier(
                new SimulatedFolder(), "memory-budget=4MiB", "max-object-size=1MiB", "disk.max-object-size=0")) {
            Fills fills = new Fills(tier.store, tier.config, new CacheCounters(tier.stats), SystemClock.INSTANCE);
            Fields fields = new Fields();
            fields.add("Cache-Control", "max-age=600");
            long now = SystemClock.INSTANCE.millis();
            StoragePlan.Refusal refusal = StoragePlan.refusal(
                    fills,
                    new Request(),
                    CacheControl.NONE,
                    new StoragePlan.Head(200, fields, LARGE, now, now, Version.HTTP_1_1, null));
            assertThat(Objects.requireNonNull(refusal).reason()).isEqualTo("too-large");
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
    void whatFailsOnItsWayIsNotKept() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            try (Answer answer = new Answer(tier, "/a", LARGE)) {
                answer.send(TestTier.body("/a", 1, LARGE), 0, LARGE / 2);
                answer.fill.abort(new FillFailure(502, "the origin failed"));
                answer.await(answer.first);
                assertThat(answer.first.last).isEqualTo(Signal.FAILED);
            }
            TestTier.await("its file is removed", () -> folder.bodies() == 0);
            assertThat(tier.get("/a")).isNull();
            assertThat(tier.count(DiskStats.FILE_BYTES)).isZero();
            assertThat(tier.count(DiskStats.ARRIVED, "aborted")).isEqualTo(1);
            store(tier, "/a", LARGE, true);
        }
    }

    @Test
    void aDiskThatFailsMeanwhileCostsNoClientItsAnswer() throws IOException {
        for (boolean late : new boolean[] {true, false}) {
            SimulatedFolder folder = new SimulatedFolder();
            folder.cached = true;
            try (TestTier tier = new TestTier(folder, SMALL);
                    Answer answer = new Answer(tier, "/a", LARGE)) {
                byte[] body = TestTier.body("/a", 1, LARGE);
                Client slow = answer.join(new Request());
                slow.may = late ? 1 : Long.MAX_VALUE;
                answer.send(body, 0, LARGE / 2);
                folder.failsWrites = true;
                answer.send(body, LARGE / 2, LARGE / 2 + 2 * PIECE);
                TestTier.await("it is not stored any more", () -> {
                    answer.loop.run();
                    return answer.fill.state() == Fill.State.PASSING;
                });
                slow.may = Long.MAX_VALUE;
                slow.pump();
                answer.send(body, LARGE / 2 + 2 * PIECE, LARGE);
                answer.end();
                answer.await(answer.first);
                answer.await(slow);
                assertThat(answer.first.bytes.toByteArray()).isEqualTo(body);
                assertThat(slow.bytes.toByteArray()).isEqualTo(body);
                assertThat(answer.fill.passReason()).isEqualTo("disk");
                slow.cursor().close();
            }
        }
    }

    @Test
    void aDiskThatHangsIsLeft() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        folder.cached = true;
        try (TestTier tier = new TestTier(folder, SMALL);
                Answer answer = new Answer(tier, "/a", LARGE)) {
            byte[] body = TestTier.body("/a", 1, LARGE);
            answer.send(body, 0, LARGE / 3);
            assertThat(answer.fill.awaitsDisk()).isEqualTo(-1);
            CountDownLatch hangs = new CountDownLatch(1);
            folder.slowWrites = hangs;
            int at = LARGE / 3;
            while (!answer.paused) {
                answer.send(body, at, at + PIECE);
                at += PIECE;
            }
            long taken = answer.fill.awaitsDisk();
            assertThat(taken).isPositive();
            answer.fill.leaveDisk(taken - 1);
            assertThat(answer.fill.state()).isEqualTo(Fill.State.STORING);
            answer.fill.leaveDisk(taken);
            assertThat(answer.fill.state()).isEqualTo(Fill.State.PASSING);
            answer.send(body, at, LARGE);
            answer.end();
            answer.await(answer.first);
            assertThat(answer.first.bytes.toByteArray()).isEqualTo(body);
            hangs.countDown();
            answer.leave();
            TestTier.await("its file is removed", () -> folder.bodies() == 0);
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

    @Test
    void aFlippedBitCostsItselfAlone() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            store(tier, "/a", LARGE, true);
            byte[] small = TestTier.body("/small", 1, 1000);
            tier.put("/small", small);
            tier.settle();
            tier.forget();
            folder.flipBody(LARGE / 2);
            assertThat(tier.get("/a")).isNull();
            assertThat(tier.get("/a")).isNull();
            assertThat(tier.count(DiskStats.ERRORS, "checksum")).isEqualTo(1);
            assertThat(tier.count(DiskStats.DROPPED)).isZero();
            assertThat(tier.get("/small")).isEqualTo(small);
        }
    }

    @Test
    void killedAtAnyMomentNothingIsWrong() throws IOException {
        RandomGenerator chance = Chance.seeded(15).random();
        int found = 0;
        for (int round = 0; round < 40; round++) {
            SimulatedFolder folder = new SimulatedFolder();
            try (TestTier tier = new TestTier(folder, SMALL)) {
                store(tier, "/first", 2_000_000, true);
                folder.killAfter(chance.nextInt(1, 5_000_000));
                for (int i = 0; i < 3 && !folder.dead(); i++) {
                    try (Answer answer = new Answer(tier, "/" + i, -1)) {
                        int size = 1_500_000 + i;
                        answer.send(TestTier.body("/" + i, 1, size), 0, size);
                        answer.end();
                        answer.await(answer.first);
                        assertThat(answer.first.bytes.toByteArray()).isEqualTo(TestTier.body("/" + i, 1, size));
                    }
                }
                folder.kill();
            }
            SimulatedFolder after = round % 2 == 0 ? folder.afterKill() : folder.afterPowerFailure(chance);
            try (TestTier tier = new TestTier(after, SMALL)) {
                for (int i = 0; i < 3; i++) {
                    byte[] body = tier.get("/" + i);
                    if (body != null) {
                        assertThat(body).isEqualTo(TestTier.body("/" + i, 1, 1_500_000 + i));
                        found++;
                    }
                }
                byte[] first = tier.get("/first");
                if (round % 2 == 0) {
                    assertThat(first).isEqualTo(TestTier.body("/first", 1, 2_000_000));
                } else if (first != null) {
                    assertThat(first).isEqualTo(TestTier.body("/first", 1, 2_000_000));
                }
                assertThat(after.bodies()).isEqualTo((int) tier.count(DiskStats.FILES));
            }
        }
        assertThat(found).isGreaterThan(10);
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
