package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.Session;
import io.weir.kernel.SessionStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What monitoring shows of requests: each state under its own name, with what the request is and which function runs. */
@ExtendWith(LeakCheck.class)
class SessionRowsTest {
    private static final String FRESH = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nok";

    private static void await(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static TestOrigin origin(CountDownLatch goOn) throws IOException {
        return new TestOrigin((_, _, out) -> {
            await(goOn);
            TestOrigin.write(out, FRESH);
            return true;
        });
    }

    private static List<Session> rows(TestProxy proxy, SessionStatus status) {
        return proxy.kernel.sessions().active().stream()
                .filter(s -> s.status() == status)
                .toList();
    }

    private static Session only(TestProxy proxy, SessionStatus status) throws Exception {
        Await.until("one is " + status, () -> rows(proxy, status).size() == 1);
        return rows(proxy, status).getFirst();
    }

    @Test
    void whoWaitsForASlotIsQueued() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (TestOrigin origin = origin(goOn);
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "request-throttle=1")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            // as a request does that works for long
            proxy.kernel.connectionQueue().resumed();
            client.get("/a?b=c");
            assertThat(only(proxy, SessionStatus.QUEUED)).satisfies(s -> {
                assertThat(s.method()).isEqualTo("GET");
                assertThat(s.uri()).isEqualTo("/a?b=c");
                assertThat(s.virtualServer()).isEqualTo("default");
            });
            proxy.kernel.connectionQueue().lent();
            assertThat(only(proxy, SessionStatus.PROCESSING)).satisfies(s -> {
                assertThat(s.uri()).isEqualTo("/a?b=c");
                assertThat(s.function()).isEqualTo("proxy-retrieve");
            });
            goOn.countDown();
            assertThat(client.answer()).endsWith("ok");
        }
    }

    @Test
    void whoWaitsForAnothersFetchSaysSo() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (TestOrigin origin = origin(goOn);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient leader = new RawClient(proxy.port());
                RawClient other = new RawClient(proxy.port())) {
            leader.get("/a");
            only(proxy, SessionStatus.PROCESSING);
            other.get("/a");
            assertThat(only(proxy, SessionStatus.AWAITING_FETCH)).satisfies(s -> {
                assertThat(s.method()).isEqualTo("GET");
                assertThat(s.uri()).isEqualTo("/a");
                assertThat(s.virtualServer()).isEqualTo("default");
                assertThat(s.age().toMinutes()).isZero();
            });
            goOn.countDown();
            assertThat(leader.answer()).endsWith("ok");
            assertThat(other.answer()).endsWith("ok");
            Await.until(
                    "nothing is left", () -> proxy.kernel.sessions().active().isEmpty());
        }
    }

    @Test
    void whatArrivesIsNotShownAsTheRequestBefore() throws Exception {
        try (TestOrigin origin = origin(new CountDownLatch(0));
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/before").answer()).endsWith("ok");
            client.socket.getOutputStream().write("GET /half".getBytes(StandardCharsets.US_ASCII));
            assertThat(only(proxy, SessionStatus.REQUEST)).satisfies(s -> {
                assertThat(s.uri()).isEmpty();
                assertThat(s.method()).isEmpty();
                assertThat(s.function()).isEmpty();
            });
        }
    }

    @Test
    void tunnelIsOne() throws Exception {
        try (TestOrigin origin = origin(new CountDownLatch(0));
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.connect.enabled=on", "routes.0.connect.ports.0=" + origin.port())
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("CONNECT 127.0.0.1:" + origin.port() + " HTTP/1.1\r\nHost: 127.0.0.1:" + origin.port()
                    + "\r\n\r\n");
            assertThat(only(proxy, SessionStatus.TUNNEL).method()).isEqualTo("CONNECT");
        }
    }
}
