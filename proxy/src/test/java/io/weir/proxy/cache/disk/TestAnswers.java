package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.weir.base.SystemClock;
import io.weir.http.Fields;
import io.weir.http.Version;
import io.weir.http.caching.CacheControl;
import io.weir.proxy.cache.config.CacheCounters;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillCursor;
import io.weir.proxy.cache.fill.FillReader;
import io.weir.proxy.cache.fill.FillRequest;
import io.weir.proxy.cache.fill.FillSource;
import io.weir.proxy.cache.fill.FillStart;
import io.weir.proxy.cache.fill.Fills;
import io.weir.proxy.cache.fill.Signal;
import io.weir.proxy.cache.fill.StoragePlan;
import io.weir.proxy.cache.store.Permission;
import io.weir.proxy.cache.store.SourceConnection;
import java.io.ByteArrayOutputStream;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Answers that arrive from an origin, and the clients that read them meanwhile. */
final class TestAnswers {
    /** Room for bodies of {@link #LARGE} bytes on the disk only. */
    static final String[] SMALL = {"memory-budget=4MiB", "max-object-size=1MiB", "disk.size=64MiB"};

    static final int LARGE = 9_000_000;
    static final int PIECE = 16 << 10;

    private TestAnswers() {}

    /** Why an answer of this length is not stored; empty: it is. */
    static String refusal(TestTier tier, long length, CacheTerms terms) {
        Fills fills = new Fills(tier.store, tier.config, new CacheCounters(tier.stats), SystemClock.INSTANCE);
        Fields fields = new Fields();
        fields.add("Cache-Control", "max-age=600");
        long now = SystemClock.INSTANCE.millis();
        StoragePlan.Refusal refusal = StoragePlan.refusal(
                fills,
                new Request(terms),
                CacheControl.NONE,
                new StoragePlan.Head(200, fields, length, now, now, Version.HTTP_1_1, null));
        return refusal == null ? "" : refusal.reason();
    }

    static final class Request extends FillRequest {
        Request() {
            this(CacheTerms.DEFAULT);
        }

        /** A request of a route with these settings. */
        Request(CacheTerms terms) {
            reset(new Fields(), CacheControl.NONE, terms);
        }

        @Override
        public Permission.Audience audience() {
            return Permission.Audience.ROUTED;
        }
    }

    /** A loop that runs when the test waits for something. */
    static final class Loop implements Executor {
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
    static final class Client implements FillReader {
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
    static final class Answer implements FillSource, AutoCloseable {
        final Loop loop = new Loop();
        final Fill fill;
        final Request own;
        final Client first;
        boolean paused;
        boolean abandoned;

        Answer(TestTier tier, String path, long length) {
            this(tier, path, length, new SourceConnection());
        }

        Answer(TestTier tier, String path, long length, SourceConnection from) {
            this(tier, path, length, from, new Request());
        }

        Answer(TestTier tier, String path, long length, SourceConnection from, Request own) {
            this.own = own;
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
            fill.from(from);
            Fields more = new Fields();
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

    static byte[] store(TestTier tier, String path, int size, boolean lengthKnown) {
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
}
