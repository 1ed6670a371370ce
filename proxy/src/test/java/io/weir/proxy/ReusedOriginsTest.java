package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SteppedClock;
import io.weir.proxy.context.EngineStats;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests get a connection that carried others before. */
@ExtendWith(LeakCheck.class)
class ReusedOriginsTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private static void await(CountDownLatch event) throws IOException {
        try {
            assertThat(event.await(3, TimeUnit.MINUTES)).isTrue();
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

    /** A whole request's body as it came. */
    private static String body(String head, InputStream in) throws IOException {
        String lower = head.toLowerCase(Locale.ROOT);
        if (lower.contains("transfer-encoding: chunked")) {
            StringBuilder all = new StringBuilder();
            while (!all.toString().endsWith("0\r\n\r\n")) {
                all.append((char) in.read());
            }
            return all.toString();
        }
        int at = lower.indexOf("content-length: ");
        int length = at < 0 ? 0 : Integer.parseInt(head.substring(at + 16, head.indexOf('\r', at)));
        return new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    /** Answers one request of each connection; closes at the second one when it has read so many bytes of its body. */
    private static TestOrigin forgetful(List<String> bodies, int read) throws IOException {
        return new TestOrigin((head, in, out) -> {
            bodies.add(body(head, in));
            TestOrigin.write(out, OK);
            String second = TestOrigin.readHead(in);
            if (second != null && !second.startsWith("GET /3 ")) {
                in.readNBytes(read);
            }
            return false;
        });
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, Content-Length: 3, abc",
        "DELETE, Content-Length: 3, abc",
        "GET, Content-Length: 3, abc",
        "PUT, Transfer-Encoding: chunked, '3|abc|0||'",
        "PUT, Transfer-Encoding: chunked, '0||'",
        "DELETE, X: 1, ''",
        "TRACE, X: 1, ''"
    })
    void anIdempotentRequestOnADeadReusedConnectionIsSentOnceMoreWithItsBody(String method, String line, String body)
            throws Exception {
        String sent = body.replace("|", "\r\n");
        List<String> bodies = new CopyOnWriteArrayList<>();
        try (TestOrigin origin = forgetful(bodies, sent.length());
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/1").answer();
            client.send(method + " /2 HTTP/1.1\r\nHost: a\r\n" + line + "\r\n\r\n" + sent);
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ").endsWith("hello");
            assertThat(bodies).containsExactly("", sent);
            assertThat(proxy.value(EngineStats.RETRIES)).isOne();
            assertThat(client.get("/3").answer()).endsWith("hello");
        }
    }

    @Test
    void whatComesOfTheBodyAfterwardsFollows() throws Exception {
        List<String> bodies = new CopyOnWriteArrayList<>();
        try (TestOrigin origin = forgetful(bodies, 3);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/1").answer();
            client.send("PUT /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc");
            Await.until("it is sent again", () -> proxy.value(EngineStats.RETRIES) == 1);
            client.send("def");
            assertThat(client.answer()).endsWith("hello");
            assertThat(bodies).containsExactly("", "abcdef");
        }
    }

    @Test
    void aBodyThatIsLongerThanWhatIsHeldIsNotSentAgain() throws Exception {
        List<String> bodies = new CopyOnWriteArrayList<>();
        try (TestOrigin origin = forgetful(bodies, 4);
                TestProxy proxy = TestProxy.reversing(origin.port(), "limits.resend-body=4")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/1").answer();
            client.send("PUT /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde");
            assertThat(client.answer()).startsWith("HTTP/1.1 502 ");
            client.get("/3").answer();
            client.send("PUT /4 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd");
            Await.until("one was sent again", () -> proxy.value(EngineStats.RETRIES) == 1);
            assertThat(bodies).doesNotContain("abcde");
        }
    }

    @ParameterizedTest
    @CsvSource({"timeout=5, 3900, 1", "timeout=5, 4000, 2", "'timeout=1, max=9', 500, 2", "max=3, 9000, 1"})
    void aConnectionThatItsOriginClosesAboutNowIsNotUsed(String said, long idleMillis, int connections)
            throws Exception {
        SteppedClock clock = new SteppedClock(0);
        String answer = "HTTP/1.1 200 OK\r\nKeep-Alive: " + said + "\r\nContent-Length: 5\r\n\r\nhello";
        try (TestOrigin origin = TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reversing(origin.port()).start(clock);
                RawClient client = new RawClient(proxy.port())) {
            client.get("/1").answer();
            Await.until("it idles", () -> proxy.stats.sum(EngineStats.ORIGIN_IDLE) == 1);
            clock.step(Duration.ofMillis(idleMillis));
            client.send("POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.answer()).endsWith("hello");
            assertThat(origin.connections).hasValue(connections);
            assertThat(proxy.value(EngineStats.ORIGIN_RETIRED, "announced")).isEqualTo(connections - 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"timeout=0", "timeout=5, max=0"})
    void aConnectionThatIsSaidToCloseAtOnceIsNotKept(String said) throws Exception {
        String answer = "HTTP/1.1 200 OK\r\nKeep-Alive: " + said + "\r\nContent-Length: 5\r\n\r\nhello";
        try (TestOrigin origin = TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/1").answer();
            client.send("POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.answer()).endsWith("hello");
            assertThat(origin.connections).hasValue(2);
            assertThat(proxy.value(EngineStats.ORIGIN_REUSED)).isZero();
        }
    }

    @Test
    void aPoolReusesAConnectionOnlyAfterAQuietMoment() throws Exception {
        SteppedClock clock = new SteppedClock(0);
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.pool=p",
                                "origins.p.servers.0.url=http://127.0.0.1:" + origin.port(),
                                "origins.p.quiet=1s")
                        .start(clock);
                RawClient client = new RawClient(proxy.port())) {
            client.get("/1").answer();
            Await.until("it idles", () -> proxy.stats.sum(EngineStats.ORIGIN_IDLE) == 1);
            client.get("/2").answer();
            assertThat(origin.connections).hasValue(2);
            Await.until("both idle", () -> proxy.stats.sum(EngineStats.ORIGIN_IDLE) == 2);
            clock.step(Duration.ofSeconds(1));
            client.get("/3").answer();
            assertThat(origin.connections).hasValue(2);
            assertThat(proxy.value(EngineStats.ORIGIN_REUSED)).isOne();
        }
    }

    /** It would wait for a connection that nobody gives it. */
    @Test
    void whereNoConnectionWasQuietAndNoMoreMayBeMadeOneIsReplaced() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.startsWith("GET /slow")) {
                        await(slow);
                    }
                    TestOrigin.write(out, OK);
                    return true;
                });
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.pool=p",
                                "origins.p.servers.0.url=http://127.0.0.1:" + origin.port(),
                                "origins.p.max-connections=1",
                                "origins.p.quiet=1s")
                        .start(new SteppedClock(0));
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port())) {
            one.get("/1").answer();
            Await.until("it idles", () -> proxy.stats.sum(EngineStats.ORIGIN_IDLE) == 1);
            one.get("/slow");
            Await.until("a new one is in use", () -> origin.connections.get() == 2);
            two.send("POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            Await.until("two waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 1);
            slow.countDown();
            assertThat(one.answer()).endsWith("hello");
            assertThat(two.answer()).endsWith("hello");
            assertThat(origin.connections).hasValue(3);
            assertThat(proxy.value(EngineStats.ORIGIN_RETIRED, "replaced")).isEqualTo(2);
        }
    }
}
