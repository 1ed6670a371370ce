package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SteppedClock;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Origins that fail, stall, lie or have no room: the retry rule, time-outs, bounds of the pool. */
@ExtendWith(LeakCheck.class)
class OriginSideTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private static String request(String method, String path) {
        return method + " " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private static long faults(TestProxy proxy, ProxyFault fault) {
        return proxy.value(ProxyStats.FAULTS, fault.code());
    }

    /** Answers the first request of each connection and closes at the second one, unanswered. */
    private static TestOrigin forgetful() throws IOException {
        return new TestOrigin((head, in, out) -> {
            TestOrigin.write(out, OK);
            TestOrigin.readHead(in);
            return false;
        });
    }

    @Test
    void aGetOnADeadReusedConnectionIsSentOnceMore() throws Exception {
        try (TestOrigin origin = forgetful();
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send(request("GET", "/1")).answer();
            assertThat(client.send(request("GET", "/2")).answer()).endsWith("hello");
            assertThat(proxy.value(EngineStats.RETRIES)).isOne();
            assertThat(origin.connections).hasValue(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH", "BREW"})
    void otherMethodsAreNeverSentTwice(String method) throws Exception {
        try (TestOrigin origin = forgetful();
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send(request("GET", "/1")).answer();
            assertThat(client.send(request(method, "/2")).answer()).startsWith("HTTP/1.1 502 ");
            assertThat(proxy.value(EngineStats.RETRIES)).isZero();
            assertThat(origin.connections).hasValue(1);
        }
    }

    @Test
    void aFreshConnectionThatDiesIsNotTriedAgain() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> false);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(request("GET", "/1")).answer()).startsWith("HTTP/1.1 502 ");
            assertThat(origin.connections).hasValue(1);
            assertThat(faults(proxy, ProxyFault.ORIGIN_RESET)).isOne();
        }
    }

    @Test
    void aPartialHeadIsNotTriedAgain() throws Exception {
        AtomicInteger n = new AtomicInteger();
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, n.getAndIncrement() == 0 ? OK : "HTTP/1.1 200");
                    return n.get() == 1;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send(request("GET", "/1")).answer();
            assertThat(client.send(request("GET", "/2")).answer()).startsWith("HTTP/1.1 502 ");
            assertThat(origin.connections).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void aRefusedConnectionGoesToTheNextOriginForEveryMethod(String method) throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                ClosedPort nobody = new ClosedPort();
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.origins.0=http://127.0.0.1:" + nobody.number(),
                                "routes.0.origins.1=http://127.0.0.1:" + origin.port())
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.send(request(method, "/" + i)).answer()).endsWith("hello");
            }
            assertThat(proxy.value(EngineStats.RETRIES)).isEqualTo(2);
        }
    }

    @Test
    void aNameThatDoesNotResolveIs502() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.origins.0=http://nothing.invalid:80", "time-outs.dns=2s")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(request("GET", "/1")).answer()).startsWith("HTTP/1.1 50");
            assertThat(faults(proxy, ProxyFault.ORIGIN_UNRESOLVABLE) + faults(proxy, ProxyFault.DNS_TIME_OUT))
                    .isOne();
        }
    }

    @Test
    void anOriginThatDoesNotAnswerInTimeIs504() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> in.read() >= 0);
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.response-header=100ms")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            for (String method : new String[] {"GET", "POST"}) {
                assertThat(client.send(request(method, "/1")).answer()).startsWith("HTTP/1.1 504 ");
            }
            assertThat(faults(proxy, ProxyFault.RESPONSE_TIME_OUT)).isEqualTo(2);
            over.countDown();
        }
    }

    /** It is over at its value, not at twice: nothing of the request is left that the origin could still take. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n",
                "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab",
                "POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
            })
    void aSilentOriginHasItsTimeOnce(String request) throws Exception {
        SteppedClock clock = new SteppedClock(0);
        CountDownLatch whole = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    assertThat(TestOrigin.readBody(head, in)).isTrue();
                    whole.countDown();
                    return in.read() >= 0;
                });
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.response-header=10s")
                        .kernel("socket-readers=1")
                        .start(clock);
                RawClient client = new RawClient(proxy.port());
                RawClient other = new RawClient(proxy.port())) {
            client.socket.setSoTimeout(60_000);
            client.send(request);
            whole.await();
            // what the only muxer did for the first one is over: the time-out is from the last byte
            assertThat(other.send("GET /1 HTTP/1.1\r\n\r\n").answer()).startsWith("HTTP/1.1 400 ");
            clock.step(Duration.ofMillis(10_200));
            assertThat(client.answer()).startsWith("HTTP/1.1 504 ");
        }
    }

    @Test
    void theTimeOutOfARouteWins() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> in.read() >= 0);
                TestProxy proxy = TestProxy.reversing(origin.port(), "routes.0.time-outs.response-header=100ms")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(request("GET", "/1")).answer()).startsWith("HTTP/1.1 504 ");
        }
    }

    @Test
    void aClientThatSendsSlowlyIsNotTheOriginsFault() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    in.readNBytes(4);
                    TestOrigin.write(out, OK);
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.response-header=100ms")
                        .kernel("socket-readers=1", "time-outs.body=400ms")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab");
            assertThat(client.answer()).startsWith("HTTP/1.1 408 ");
        }
    }

    @Test
    void anAnswerThatStallsIsCutAndNotStored() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(
                            out, "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\nhalf");
                    return in.read() >= 0;
                });
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.body-idle=100ms")
                        .start()) {
            for (int i = 0; i < 2; i++) {
                try (RawClient client = new RawClient(proxy.port())) {
                    client.send(request("GET", "/1"));
                    assertThat(client.head()).startsWith("HTTP/1.1 200 ");
                    assertThat(client.rest()).isEqualTo("half");
                }
            }
            assertThat(origin.heads).hasSize(2);
            assertThat(faults(proxy, ProxyFault.BODY_TIME_OUT)).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 200 OK|Content-Length: 3|Content-Length: 4||abc",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked|Content-Length: 4||abc",
        "HTTP/1.1 200 OK|X : 1||abc",
        "HTTP/1.1 20 OK||abc",
        "SSH-2.0-OpenSSH||"
    })
    void malformedAnswersAre502AndCounted(String answer) throws Exception {
        try (TestOrigin origin = TestOrigin.always(answer.replace("|", "\r\n"));
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(request("GET", "/1")).answer())
                    .startsWith("HTTP/1.1 502 ")
                    .doesNotContain("abc");
            assertThat(faults(proxy, ProxyFault.ORIGIN_MALFORMED)).isOne();
            assertThat(proxy.stats.sum(EngineStats.FAULTS)).isOne();
        }
    }

    @Test
    void aTruncatedAnswerIsSeenAndNotStored() throws Exception {
        String half = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\nhalf";
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, half);
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port())) {
            for (int i = 0; i < 2; i++) {
                try (RawClient client = new RawClient(proxy.port())) {
                    assertThat(client.send(request("GET", "/1")).rest())
                            .contains("Content-Length: 10\r\n")
                            .endsWith("\r\n\r\nhalf");
                }
            }
            assertThat(origin.heads).hasSize(2);
        }
    }

    @Test
    void aTruncatedChunkedAnswerHasNoLastChunk() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(request("GET", "/1")).rest()).endsWith("4\r\nhalf\r\n");
        }
    }

    @Test
    void anOriginThatTalksUnaskedLosesItsConnection() throws Exception {
        CountDownLatch talk = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, OK);
                    if (head.startsWith("GET /1")) {
                        try {
                            assertThat(talk.await(3, TimeUnit.MINUTES)).isTrue();
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                        TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
                    }
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(request("GET", "/1")).answer()).endsWith("hello");
            Await.until("it is idle", () -> proxy.stats.sum(EngineStats.ORIGIN_IDLE) == 1);
            talk.countDown();
            Await.until("it is closed", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 0);
            assertThat(client.send(request("GET", "/2")).answer()).endsWith("hello");
        }
    }

    @Test
    void bytesBehindAnAnswerAreNotTheNextOne() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(request("GET", "/1")).answer()).endsWith("hello");
            }
            assertThat(origin.connections).hasValue(3);
        }
    }

    @Test
    void anAnswerBeforeTheBodyIsFinishedReachesTheClient() throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 413 Too much\r\nContent-Length: 4\r\n\r\nstop");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\nabc");
            assertThat(client.rest()).startsWith("HTTP/1.1 413 ").endsWith("stop");
            Await.until("its connection is not reused", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 0);
        }
    }

    @Test
    void requestsBeyondTheBoundWaitAndThenAreRefused() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    try {
                        assertThat(slow.await(3, TimeUnit.MINUTES)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    TestOrigin.write(out, OK);
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(
                                origin.port(),
                                "origin-pool.max-connections-per-origin=1",
                                "origin-pool.max-waiting-per-origin=1")
                        .start();
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port());
                RawClient three = new RawClient(proxy.port())) {
            one.send(request("POST", "/1"));
            Await.until("one is served", () -> origin.heads.size() == 1);
            two.send(request("POST", "/2"));
            Await.until("two waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 1);
            assertThat(three.send(request("POST", "/3")).answer())
                    .startsWith("HTTP/1.1 503 ")
                    .contains("Retry-After: ");
            assertThat(proxy.value(EngineStats.ORIGIN_REFUSED)).isOne();
            slow.countDown();
            assertThat(one.answer()).endsWith("hello");
            assertThat(two.answer()).endsWith("hello");
            assertThat(origin.connections).hasValue(1);
            assertThat(proxy.stats.sum(EngineStats.ORIGIN_WAITING)).isZero();
        }
    }

    @Test
    void aConnectionCarriesSoManyRequestsAndNoMore() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reversing(origin.port(), "origin-pool.max-uses=2")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 4; i++) {
                client.send(request("GET", "/" + i)).answer();
            }
            assertThat(origin.connections).hasValue(2);
            Await.until("both were retired", () -> proxy.value(EngineStats.ORIGIN_RETIRED, "max-uses") == 2);
        }
    }

    @Test
    void idleConnectionsAreClosedInTimeAndByTheirOrigin() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reversing(origin.port(), "origin-pool.idle-time-out=1s")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send(request("GET", "/1")).answer();
            origin.drop();
            Await.until("the dead one is gone", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 0);
            assertThat(client.send(request("POST", "/2")).answer()).endsWith("hello");
            Await.until("the idle one is gone", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 0);
            assertThat(origin.connections).hasValue(2);
            assertThat(proxy.value(EngineStats.ORIGIN_RETIRED, "idle-time-out")).isOne();
            assertThat(proxy.stats.sum(EngineStats.ORIGIN_RETIRED)).isOne();
        }
    }

    @Test
    void theProtocolIsNotChangedUnasked() throws Exception {
        String answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: evil\r\nConnection: upgrade\r\n\r\n";
        try (TestOrigin origin = TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (String method : new String[] {"GET", "POST"}) {
                assertThat(client.send(request(method, "/1")).answer()).startsWith("HTTP/1.1 502 ");
            }
            assertThat(faults(proxy, ProxyFault.ORIGIN_MALFORMED)).isEqualTo(2);
        }
    }

    @Test
    void aRefusedUpgradeIsAnOrdinaryAnswer() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 2; i++) {
                client.get("/a", "Connection: upgrade", "Upgrade: websocket");
                assertThat(client.answer()).startsWith("HTTP/1.1 200 ").endsWith("hello");
            }
            assertThat(origin.heads.getFirst()).contains("Upgrade: websocket\r\n", "Connection: upgrade\r\n");
        }
    }
}
