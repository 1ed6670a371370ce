package io.weir.proxy;

import static io.weir.proxy.FrameClient.lines;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.queue.ConnectionQueue;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.work.WorkStats;
import io.weir.proxy.context.EngineStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * More slow clients of each kind than kernel.request-throttle has slots as it comes: each has its origin's attention, and none
 * of them keeps a quick one waiting.
 */
@Tag("slow")
@ExtendWith(LeakCheck.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowClientsTest {
    private static final int MANY = 200;
    private static final int STREAMS = 100;
    private static final int LARGE = 8 << 20;

    private final List<RawClient> slow = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private TestOrigin origin;
    private TestProxy proxy;

    @BeforeEach
    void start() throws Exception {
        origin = new TestOrigin((head, in, out) -> {
            if (head.startsWith("POST /endless")) {
                in.readAllBytes();
                return false;
            } else if (head.startsWith("POST")) {
                in.readNBytes(5);
                if (head.startsWith("POST /held")) {
                    waitForTheEnd();
                }
                TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone");
            } else if (head.startsWith("GET /large")) {
                TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: " + LARGE + "\r\n\r\n");
                byte[] piece = new byte[64 * 1024];
                for (int sent = 0; sent < LARGE; sent += piece.length) {
                    out.write(piece);
                }
            } else if (head.startsWith("GET /stored")) {
                TestOrigin.write(out, "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 8\r\n\r\nhalf");
                waitForTheEnd();
                TestOrigin.write(out, "half");
            } else if (head.startsWith("GET /events")) {
                TestOrigin.write(
                        out,
                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
                TestOrigin.write(out, "6\r\ndata\n\n\r\n");
                waitForTheEnd();
                TestOrigin.write(out, "0\r\n\r\n");
            } else if (head.startsWith("GET /silent")) {
                waitForTheEnd();
                TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            } else {
                TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nquick");
            }
            return true;
        });
        proxy = TestProxy.reversing(origin.port()).start();
        assertThat(queue().throttle()).as("as it comes").isLessThan(MANY);
    }

    private void waitForTheEnd() throws IOException {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @AfterEach
    void stop() throws Exception {
        end.countDown();
        for (RawClient client : slow) {
            client.close();
        }
        Await.until("nothing is held", () -> queue().active() == 0 && proxy.value(WorkStats.SHARED_USED) == 0);
        proxy.close();
        origin.close();
    }

    private ConnectionQueue queue() {
        return proxy.kernel.connectionQueue();
    }

    private void many(String request) throws IOException {
        for (int i = 0; i < MANY; i++) {
            RawClient client = RawClient.narrow(proxy.port());
            slow.add(client);
            client.send(request.replace("NUMBER", "" + i));
        }
    }

    /** Everybody else is served as if there were no slow ones. */
    private void othersAreServed() throws IOException {
        long waited = proxy.value(KernelStats.QUEUE_TICKS);
        try (RawClient quick = new RawClient(proxy.port())) {
            for (int i = 0; i < 10; i++) {
                assertThat(quick.get("/quick").answer()).endsWith("quick");
            }
        }
        assertThat(proxy.value(KernelStats.QUEUE_TICKS))
                .as("nobody waited for a slot")
                .isEqualTo(waited);
        assertThat(queue().length()).isZero();
    }

    @Test
    void bodiesThatTrickleHoldNoSlot() throws Exception {
        many("POST /NUMBER HTTP/1.1\r\nHost: example.com\r\nContent-Length: 5\r\n\r\n1");
        Await.until("all are at the origin", () -> origin.heads.size() == MANY);
        Await.until("they lent their slots", () -> queue().active() == 0);
        assertThat(proxy.value(WorkStats.SHARED_USED))
                .as("nor a place of a work manager")
                .isZero();
        othersAreServed();
        for (RawClient client : slow) {
            client.send("2345");
        }
        for (RawClient client : slow) {
            assertThat(client.answer()).endsWith("done");
        }
    }

    @Test
    void streamsOfOneConnectionHoldNoSlot() throws Exception {
        try (FrameClient one = new FrameClient(proxy.port());
                FrameClient two = new FrameClient(proxy.port())) {
            for (FrameClient each : List.of(one, two)) {
                for (int i = 0; i < STREAMS; i++) {
                    each.request(2 * i + 1, false, lines("POST", "/", "content-length: 5"));
                    each.data(2 * i + 1, false, "1");
                }
            }
            Await.until("all are at the origin", () -> origin.heads.size() == 2 * STREAMS);
            Await.until("they lent their slots", () -> queue().active() == 0);
            othersAreServed();
            for (FrameClient each : List.of(one, two)) {
                each.data(1, true, "2345");
                assertThat(each.answer(1).text()).isEqualTo("done");
            }
        }
    }

    @Test
    void readersThatDoNotReadHoldNoSlot() throws Exception {
        many("GET /large/NUMBER HTTP/1.1\r\nHost: example.com\r\n\r\n");
        Await.until("all are at the origin", () -> origin.heads.size() == MANY);
        Await.until("their answers have begun", () -> queue().active() == 0);
        othersAreServed();
        assertThat(slow.getFirst().answer()).hasSizeGreaterThan(LARGE);
    }

    @Test
    void eventStreamsHoldNoSlot() throws Exception {
        many("GET /events/NUMBER HTTP/1.1\r\nHost: example.com\r\n\r\n");
        for (RawClient client : slow) {
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
        }
        assertThat(queue().active()).isZero();
        othersAreServed();
    }

    @Test
    void answersThatAreStoredWhileTheyComeHoldNoSlot() throws Exception {
        many("GET /stored/NUMBER HTTP/1.1\r\nHost: example.com\r\n\r\n");
        for (RawClient client : slow) {
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
        }
        assertThat(queue().active()).isZero();
        othersAreServed();
        end.countDown();
        for (RawClient client : slow) {
            assertThat(client.bytes(8)).isEqualTo("halfhalf");
        }
    }

    /** The throttle is one: an origin that does not answer yet has a slot of each. */
    @Test
    void originsThatAreWaitedForHoldASlotEach() throws Exception {
        int throttle = queue().throttle();
        many("GET /silent/NUMBER HTTP/1.1\r\nHost: example.com\r\n\r\n");
        Await.until("the rest waits", () -> queue().length() == MANY - throttle);
        assertThat(queue().active()).isEqualTo(throttle);
        Await.until("as many as there are slots are at the origin", () -> origin.heads.size() == throttle);
        end.countDown();
        for (RawClient client : slow) {
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
        }
    }

    /** A body that has come is waited for by its origin: those that had lent their slots take them again, and others wait. */
    @Test
    void whoHasSentItsBodyHoldsASlotAgain() throws Exception {
        int throttle = queue().throttle();
        many("POST /held/NUMBER HTTP/1.1\r\nHost: example.com\r\nContent-Length: 5\r\n\r\n1");
        Await.until("they lent their slots", () -> origin.heads.size() == MANY && queue().active() == 0);
        for (RawClient client : slow) {
            client.send("2345");
        }
        Await.until("all have one again, over the throttle", () -> queue().active() == MANY);
        assertThat(proxy.value(WorkStats.SHARED_USED)).isEqualTo(MANY);
        try (RawClient waits = new RawClient(proxy.port())) {
            waits.get("/quick");
            Await.until("a new one waits", () -> queue().length() == 1);
            assertThat(queue().throttle()).isEqualTo(throttle);
            end.countDown();
            assertThat(waits.answer()).endsWith("quick");
        }
        for (RawClient client : slow) {
            assertThat(client.answer()).endsWith("done");
        }
    }

    private static boolean trickle(RawClient client) {
        try {
            client.send("1");
            return client.in.available() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** As configured each of them may go on for ever; when they hold all connections to an origin they are too slow. */
    @Test
    void whoTricklesIsCutWhenThatTakesTheOriginFromOthers() throws Exception {
        int most = 16;
        try (TestProxy narrow = TestProxy.reversing(origin.port(), "origin-pool.max-connections-per-origin=" + most)
                .kernel("socket-readers=1", "time-outs.body=20s", "time-outs.body-rate=1")
                .start()) {
            for (int i = 0; i < most; i++) {
                RawClient client = new RawClient(narrow.port());
                slow.add(client.send("POST /endless HTTP/1.1\r\nHost: example.com\r\nContent-Length: 100000\r\n\r\n"));
            }
            Await.until("they have all connections", () -> origin.heads.size() == most);
            try (RawClient other = new RawClient(narrow.port())) {
                other.get("/quick");
                while (narrow.value(EngineStats.BODY_RATE_TIMEOUTS) == 0) {
                    slow.forEach(SlowClientsTest::trickle);
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                }
                assertThat(other.answer()).endsWith("quick");
            }
        }
    }

    @Test
    void uploadsThatTheirOriginDoesNotTake() throws Exception {
        int slots = 4;
        int size = 64 << 20;
        try (TestOrigin deaf = new TestOrigin((head, in, out) -> {
                    if (head.startsWith("POST")) {
                        waitForTheEnd();
                        return false;
                    }
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nquick");
                    return true;
                });
                TestProxy few = TestProxy.reversing(deaf.port())
                        .kernel("socket-readers=1", "request-throttle=" + slots)
                        .start();
                RawClient other = new RawClient(few.port())) {
            for (int i = 0; i < slots + 1; i++) {
                RawClient client = new RawClient(few.port());
                slow.add(client);
                client.send("POST /" + i + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + size + "\r\n\r\n");
                Thread.ofVirtual().start(() -> {
                    try {
                        BackPressureTest.pour(client.socket.getOutputStream(), new AtomicLong(), size);
                    } catch (IOException e) {
                        // the test is over
                    }
                });
            }
            ConnectionQueue queue = few.kernel.connectionQueue();
            Await.until(
                    "all are stuck", () -> few.value(EngineStats.ORIGIN_WRITE_PAUSES) > slots && queue.active() == 0);
            assertThat(other.get("/").answer()).endsWith("quick");
            end.countDown();
            for (RawClient client : slow) {
                client.close();
            }
            Await.until("all are over", () -> few.value(EngineStats.ORIGIN_CONNECTIONS) <= 1);
            assertThat(queue.active()).isZero();
            assertThat(few.value(WorkStats.SHARED_USED)).isZero();
        }
    }
}
