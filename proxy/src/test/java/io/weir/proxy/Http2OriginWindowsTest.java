package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2Error;
import io.weir.base.SteppedClock;
import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Muxer;
import io.weir.proxy.FrameClient.Frame;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.http2.Http2Stats;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Towards HTTP/2 origins, too, what one side does not take is not read from the other. */
@ExtendWith(LeakCheck.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class Http2OriginWindowsTest {
    private static final int FRAME = 16_384;
    /** What a window is before anybody says otherwise. */
    private static final int FIRST_WINDOW = 65_535;

    private static final long BODY = 80_000_000;

    private static TestProxy.Made to(FrameOrigin origin) {
        return TestProxy.Made.of(
                "routes.0.pool=p",
                "origins.p.servers.0.url=http://127.0.0.1:" + origin.port(),
                "origins.p.http2=on",
                "http2.origin-window=1MiB",
                "limits.stream-buffer=4MiB");
    }

    @Test
    void anUploadWaitsForTheOriginsWindow() throws Exception {
        AtomicLong taken = new AtomicLong();
        AtomicLong got = new AtomicLong();
        CountDownLatch open = new CountDownLatch(1);
        try (FrameOrigin origin = new FrameOrigin(FrameClient.NOTHING, peer -> {
                    int stream = peer.next(FrameClient.HEADERS).stream();
                    while (got.get() < FIRST_WINDOW) {
                        got.addAndGet(peer.next(FrameClient.DATA).payload().length);
                    }
                    await(open);
                    peer.frame(FrameClient.WINDOW_UPDATE, 0, stream, FrameClient.number(Integer.MAX_VALUE - 65_535));
                    peer.frame(FrameClient.WINDOW_UPDATE, 0, 0, FrameClient.number(Integer.MAX_VALUE - 65_535));
                    Frame f = peer.next(FrameClient.DATA);
                    while (!f.ends()) {
                        got.addAndGet(f.payload().length);
                        f = peer.next(FrameClient.DATA);
                    }
                    got.addAndGet(f.payload().length);
                    peer.frame(FrameClient.HEADERS, 5, stream, FrameClient.block(":status: 204"));
                });
                TestProxy proxy = to(origin).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: " + BODY + "\r\n\r\n");
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    BackPressureTest.pour(client.socket.getOutputStream(), taken, BODY);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            BackPressureTest.stuck(taken);
            assertThat(got).hasValue(FIRST_WINDOW);
            assertThat(taken.get()).isLessThan(BackPressureTest.HELD);
            assertThat(proxy.value(EngineStats.ORIGIN_WRITE_PAUSES)).isPositive();
            open.countDown();
            assertThat(client.head()).startsWith("HTTP/1.1 204 ");
            assertThat(got).hasValue(BODY);
            sender.join();
        }
    }

    @Test
    void anAnswerThatComesBeforeTheWindowOpensEndsTheRequest() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        AtomicLong error = new AtomicLong(-1);
        // no byte of a body may be sent
        try (FrameOrigin origin = new FrameOrigin(FrameClient.setting(4, 0), peer -> {
                    peer.frame(
                            FrameClient.HEADERS,
                            5,
                            peer.next(FrameClient.HEADERS).stream(),
                            FrameClient.block(":status: 204"));
                    int upload = peer.next(FrameClient.HEADERS).stream();
                    peer.frame(FrameClient.HEADERS, 5, upload, FrameClient.block(":status: 204"));
                    Frame f = peer.next(FrameClient.RST_STREAM);
                    error.set(f.stream() == upload ? f.error() : -2);
                    told.countDown();
                });
                TestProxy proxy = to(origin).start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/").head()).startsWith("HTTP/1.1 204 ");
            client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
            assertThat(client.head()).startsWith("HTTP/1.1 204 ");
            told.await();
            // what nobody will read any more is not kept until the connection ends
            assertThat(error).hasValue(Http2Error.CANCEL.code());
        }
    }

    private static void take(FrameClient peer, int bytes) throws IOException {
        for (int taken = 0; taken < bytes; ) {
            taken += peer.next(FrameClient.DATA).payload().length;
        }
    }

    /** All that was due by now has happened on the only muxer. */
    private static void whatIsDueHappens(TestProxy proxy) throws InterruptedException {
        CountDownLatch happened = new CountDownLatch(1);
        Muxer muxer = proxy.kernel.muxers().get(0);
        muxer.eventLoop().execute(() -> muxer.deadlines().arm(Deadline.of(happened::countDown), 0));
        happened.await();
    }

    @Test
    void anOriginThatTakesABodySlowlyIsWaitedForAsLongAsItTakesSome() throws Exception {
        // what is read at once is passed on at once
        int step = 70_000;
        SteppedClock clock = new SteppedClock(1_700_000_000_000L);
        Duration patience = Duration.ofSeconds(61);
        Semaphore open = new Semaphore(0);
        Semaphore took = new Semaphore(0);
        try (FrameOrigin origin = new FrameOrigin(FrameClient.NOTHING, peer -> {
                    int stream = peer.next(FrameClient.HEADERS).stream();
                    take(peer, FIRST_WINDOW);
                    took.release();
                    while (true) {
                        open.acquireUninterruptibly();
                        peer.frame(FrameClient.WINDOW_UPDATE, 0, stream, FrameClient.number(step));
                        peer.frame(FrameClient.WINDOW_UPDATE, 0, 0, FrameClient.number(step));
                        take(peer, step);
                        took.release();
                    }
                });
                TestProxy proxy = to(origin).kernel("socket-readers=1").start(clock);
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: " + BODY + "\r\n\r\n");
            Thread.ofVirtual().start(() -> {
                try {
                    BackPressureTest.pour(client.socket.getOutputStream(), new AtomicLong(), BODY);
                } catch (IOException e) {
                    // the answer came before all was sent
                }
            });
            took.acquire();
            Await.until("it is full", () -> proxy.value(EngineStats.ORIGIN_WRITE_PAUSES) > 0);
            for (int i = 0; i < 5; i++) {
                open.release();
                took.acquire();
                clock.step(patience);
                whatIsDueHappens(proxy);
                assertThat(client.socket.getInputStream().available()).isZero();
            }
            clock.step(patience);
            assertThat(client.head()).startsWith("HTTP/1.1 504 ");
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new java.io.InterruptedIOException();
        }
    }

    /** Answers {@code /big} without end as far as the windows of its stream and connection allow, all else at once. */
    private static final class Pouring implements FrameOrigin.Script {
        private final AtomicLong sent;
        private final Map<Integer, Long> ofStreams = new HashMap<>();
        private long ofAll = FIRST_WINDOW;

        Pouring(AtomicLong sent) {
            this.sent = sent;
        }

        @Override
        public void run(FrameClient peer) throws IOException {
            long eachStream = FIRST_WINDOW;
            while (true) {
                Frame f = peer.next();
                if (f.type() == FrameClient.SETTINGS && (f.flags() & 1) == 0) {
                    eachStream = f.settings().getOrDefault(4, FIRST_WINDOW);
                    peer.frame(FrameClient.SETTINGS, 1, 0, FrameClient.NOTHING);
                } else if (f.type() == FrameClient.WINDOW_UPDATE) {
                    ofAll += f.stream() == 0 ? f.error() : 0;
                    ofStreams.computeIfPresent(f.stream(), (_, left) -> left + f.error());
                } else if (f.type() == FrameClient.HEADERS) {
                    Map<String, String> request = peer.fields(f);
                    peer.frame(FrameClient.HEADERS, 4, f.stream(), FrameClient.block(":status: 200"));
                    if (request.getOrDefault(":path", "").startsWith("/big")) {
                        ofStreams.put(f.stream(), eachStream);
                    } else {
                        ofAll -= 5;
                        peer.data(f.stream(), true, "hello");
                    }
                }
                for (Map.Entry<Integer, Long> one : ofStreams.entrySet()) {
                    while (one.getValue() >= FRAME && ofAll >= FRAME) {
                        peer.frame(FrameClient.DATA, 0, one.getKey(), new byte[FRAME]);
                        one.setValue(one.getValue() - FRAME);
                        ofAll -= FRAME;
                        sent.addAndGet(FRAME);
                    }
                }
            }
        }
    }

    @Test
    void answersThatAreNotTakenKeepTheirWindowsShutAndHoldNoOther() throws Exception {
        int many = 20;
        AtomicLong sent = new AtomicLong();
        try (FrameOrigin origin = new FrameOrigin(FrameClient.NOTHING, new Pouring(sent));
                TestProxy proxy = to(origin).start();
                FrameClient slow = FrameClient.bare(proxy.port());
                RawClient fast = new RawClient(proxy.port())) {
            slow.preface(FrameClient.setting(4, 0));
            for (int i = 0; i < many; i++) {
                slow.get(2 * i + 1, "/big").next(FrameClient.HEADERS);
            }
            Await.until("all are held", () -> proxy.value(Http2Stats.ORIGIN_PAUSES) >= many);
            // each answer comes behind all windows that were opened before it was asked for
            for (int i = 0; i < 20; i++) {
                assertThat(fast.get("/" + i).answer()).contains("hello");
            }
            long held = sent.get();
            assertThat(held).isBetween(many * (1L << 20), many * (2L << 20));
            assertThat(proxy.value(Http2Stats.ORIGIN_CONNECTIONS)).isOne();
            slow.frame(FrameClient.WINDOW_UPDATE, 0, 1, FrameClient.number(2 << 20));
            slow.frame(FrameClient.WINDOW_UPDATE, 0, 0, FrameClient.number(2 << 20));
            Await.until("it goes on", () -> sent.get() >= held + (256 << 10));
        }
    }
}
