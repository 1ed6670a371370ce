package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which requests get a connection that carried others before. */
@ExtendWith(LeakCheck.class)
class ReusedOriginsTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private static void await(CountDownLatch event) throws IOException {
        try {
            assertThat(event.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** An origin that authenticates connections: who comes on one later is taken for who came first. */
    @Test
    void aTunnelThatWaitedGetsAConnectionOfItsOwn() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.startsWith("GET ")) {
                        await(slow);
                        TestOrigin.write(out, OK);
                        return true;
                    }
                    TestOrigin.write(out, "mine");
                    return false;
                });
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.methods.0=CONNECT",
                                "routes.0.connect.enabled=on",
                                "routes.0.connect.ports.0=" + origin.port(),
                                "routes.1.forward=on",
                                "origin-pool.max-connections-per-origin=1")
                        .start();
                RawClient user = new RawClient(proxy.port());
                RawClient tunnel = new RawClient(proxy.port())) {
            String there = "127.0.0.1:" + origin.port();
            user.send("GET http://" + there + "/ HTTP/1.1\r\nHost: " + there + "\r\n\r\n");
            Await.until("the connection is in use", () -> origin.heads.size() == 1);
            tunnel.send("CONNECT " + there + " HTTP/1.1\r\nHost: " + there + "\r\n\r\n");
            Await.until("the tunnel waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 1);
            slow.countDown();
            assertThat(user.answer()).endsWith("hello");
            assertThat(tunnel.head()).startsWith("HTTP/1.1 200 ");
            assertThat(tunnel.send("HELLO\r\n\r\n").rest()).isEqualTo("mine");
            assertThat(origin.connections).hasValue(2);
            assertThat(proxy.value(EngineStats.ORIGIN_REUSED)).isZero();
            assertThat(proxy.value(EngineStats.ORIGIN_RETIRED, "replaced")).isOne();
        }
    }

    /** What is tried again must not meet the next dead connection. */
    @Test
    void aSecondTryThatWaitedGetsAConnectionOfItsOwn() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch slow = new CountDownLatch(1);
        AtomicInteger dead = new AtomicInteger();
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.startsWith("GET /dead") && dead.getAndIncrement() == 0) {
                        await(waits);
                        return false;
                    }
                    if (head.startsWith("POST /slow")) {
                        await(slow);
                    }
                    TestOrigin.write(out, OK);
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port(), "origin-pool.max-connections-per-origin=1")
                        .start();
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port())) {
            one.get("/first").answer();
            Await.until("it idles", () -> proxy.stats.sum(EngineStats.ORIGIN_IDLE) == 1);
            one.get("/dead");
            Await.until("it is on its way", () -> dead.get() == 1);
            two.send("POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            Await.until("another one waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 1);
            waits.countDown();
            Await.until("that one is served", () -> origin.heads.getLast().startsWith("POST /slow"));
            Await.until("the second try waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 1);
            slow.countDown();
            assertThat(two.answer()).endsWith("hello");
            assertThat(one.answer()).endsWith("hello");
            assertThat(origin.connections).hasValue(3);
            assertThat(proxy.value(EngineStats.ORIGIN_RETIRED, "replaced")).isOne();
        }
    }
}
