package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.context.EngineStats;
import io.weir.proxy.program.config.ProxyConfig;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The bounds of the pool that count over all origins, and what a freed place does. */
@ExtendWith(LeakCheck.class)
class OriginPoolBoundsTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private static TestProxy.Made between(TestOrigin a, TestOrigin b, String... more) {
        String[] all = new String[more.length + 4];
        all[0] = "routes.0.path=/a";
        all[1] = "routes.0.origins.0=http://127.0.0.1:" + a.port();
        all[2] = "routes.1.path=/b";
        all[3] = "routes.1.origins.0=http://127.0.0.1:" + b.port();
        System.arraycopy(more, 0, all, 4, more.length);
        return TestProxy.Made.of(all);
    }

    private static TestOrigin waiting(CountDownLatch slow) throws IOException {
        return new TestOrigin((head, in, out) -> {
            try {
                assertThat(slow.await(3, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            TestOrigin.write(out, OK);
            return true;
        });
    }

    @Test
    void onlySoManyIdleConnectionsAreKeptOverAllOrigins() throws Exception {
        try (TestOrigin a = TestOrigin.always(OK);
                TestOrigin b = TestOrigin.always(OK);
                TestProxy proxy = between(a, b, "origin-pool.max-idle=1").start();
                RawClient client = new RawClient(proxy.port())) {
            for (String path : new String[] {"/a", "/b", "/b", "/a"}) {
                assertThat(client.get(path).answer()).endsWith("hello");
                Await.until("one is left", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 1);
                Await.until("it idles", () -> proxy.stats.sum(EngineStats.ORIGIN_IDLE) == 1);
            }
            assertThat(a.connections).hasValue(2);
            assertThat(b.connections).hasValue(1);
            assertThat(proxy.value(EngineStats.ORIGIN_RETIRED, "max-idle")).isEqualTo(2);
        }
    }

    @Test
    void noConnectionIsKeptWhenNoneMayIdle() throws Exception {
        try (TestOrigin a = TestOrigin.always(OK);
                TestProxy proxy = between(a, a, "origin-pool.max-idle=0").start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            client.get("/b").answer();
            assertThat(a.connections).hasValue(2);
            assertThat(proxy.value(EngineStats.ORIGIN_REUSED)).isZero();
        }
    }

    @Test
    void anotherOriginTakesThePlaceOfOneThatIdlesButNotOfOneInUse() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin a = waiting(slow);
                TestOrigin b = TestOrigin.always(OK);
                TestProxy proxy = between(a, b, "origin-pool.max-origins=1").start();
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port())) {
            one.get("/a");
            Await.until("the first is in use", () -> a.heads.size() == 1);
            assertThat(two.get("/b").answer()).startsWith("HTTP/1.1 503 ").contains("Retry-After");
            slow.countDown();
            assertThat(one.answer()).endsWith("hello");
            assertThat(two.get("/b").answer()).endsWith("hello");
            assertThat(b.connections).hasValue(1);
            assertThat(proxy.value(EngineStats.ORIGIN_RETIRED, "max-origins")).isOne();
        }
    }

    @Test
    void aWaitingRequestWhoseClientLeftDoesNotReachTheOrigin() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin a = waiting(slow);
                TestProxy proxy = between(a, a, "origin-pool.max-connections-per-origin=1")
                        .start();
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port());
                RawClient three = new RawClient(proxy.port())) {
            one.send("POST /a/1 HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.until("the connection is in use", () -> a.heads.size() == 1);
            two.send("POST /a/2 HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.until("two waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 1);
            three.send("POST /a/3 HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.until("three waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 2);
            two.reset();
            Await.until("two has left", () -> proxy.value(EngineStats.CLIENT_ABORTS) == 1);
            slow.countDown();
            assertThat(one.answer()).endsWith("hello");
            assertThat(three.answer()).endsWith("hello");
            assertThat(a.heads).hasSize(2);
            assertThat(a.heads.get(1)).startsWith("POST /a/3 ");
        }
    }

    @Test
    void requestsThatWaitedForARefusedConnectionAreAllAnswered() throws Exception {
        try (ClosedPort nobody = new ClosedPort();
                TestProxy proxy = TestProxy.reversing(nobody.number(), "origin-pool.max-connections-per-origin=1")
                        .start()) {
            RawClient[] clients = new RawClient[50];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = new RawClient(proxy.port());
                clients[i].send("POST /" + i + " HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            for (RawClient client : clients) {
                assertThat(client.answer()).startsWith("HTTP/1.1 502 ");
                client.socket.close();
            }
            Await.until("no place is taken", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 0);
            assertThat(proxy.stats.sum(EngineStats.ORIGIN_WAITING)).isZero();
        }
    }

    /** Idle connections are no way around a bound that is lower by now. */
    @Test
    void aLoweredBoundHoldsAtOnceForWhoComes() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Semaphore go = new Semaphore(0);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    go.acquireUninterruptibly();
                    now.decrementAndGet();
                    TestOrigin.write(out, OK);
                    return true;
                });
                TestProxy proxy = TestProxy.Made.of(knobs(origin, 6))
                        .kernel("socket-readers=1")
                        .start()) {
            RawClient[] clients = new RawClient[6];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = new RawClient(proxy.port());
            }
            ask(clients, "/first");
            Await.until("all are there", () -> now.get() == 6);
            go.release(6);
            answered(clients);
            Await.until("all idle", () -> proxy.stats.sum(EngineStats.ORIGIN_IDLE) == 6);
            proxy.config.set(TestProxy.bind(ProxyConfig.class, knobs(origin, 2)));
            most.set(0);
            ask(clients, "/second");
            Await.until("two are there, the others wait", () -> now.get() == 2 && waiting(proxy) == 4);
            go.release(6);
            answered(clients);
            assertThat(most).hasValue(2);
            Await.until("the rest is closed", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) <= 2);
            assertThat(proxy.value(EngineStats.ORIGIN_RETIRED, "max-connections"))
                    .isEqualTo(4);
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private static String[] knobs(TestOrigin origin, int connections) {
        return new String[] {
            "routes.0.origins.0=http://127.0.0.1:" + origin.port(),
            "origin-pool.max-connections-per-origin=" + connections
        };
    }

    private static double waiting(TestProxy proxy) {
        return proxy.stats.sum(EngineStats.ORIGIN_WAITING);
    }

    private static void ask(RawClient[] clients, String path) throws IOException {
        for (RawClient client : clients) {
            client.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
        }
    }

    private static void answered(RawClient[] clients) throws IOException {
        for (RawClient client : clients) {
            assertThat(client.answer()).endsWith("hello");
        }
    }
}
