package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.context.EngineStats;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that contradict themselves, that nobody asked for, or that are too many. */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class OddAnswersTest {
    private static final String STORED =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\nhello";
    private static final String BROKEN = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static String post(String path) {
        return "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
    }

    private static long malformed(TestProxy proxy) {
        return proxy.value(ProxyStats.FAULTS, ProxyFault.ORIGIN_MALFORMED.code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ZZ\r\n", "5\r\nhello\r\nZZ\r\n", "5\r\nhelloXX"})
    void aFaultThatComesTogetherWithTheHeadIs502(String rest) throws Exception {
        try (TestOrigin origin = TestOrigin.always(BROKEN + rest);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(post("/1")).answer())
                    .startsWith("HTTP/1.1 502 ")
                    .doesNotContain("hello");
            assertThat(client.get("/2").answer()).startsWith("HTTP/1.1 502 ").doesNotContain("hello");
            assertThat(malformed(proxy)).isEqualTo(2);
        }
    }

    @Test
    void aFaultTakesNothingOfTheAnswerBeforeAlong() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, head.startsWith("POST ") ? BROKEN + "ZZ\r\n" : STORED);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/1").answer();
            // a hit and what follows it leave together
            client.send("GET /1 HTTP/1.1\r\nHost: example.com\r\n\r\n" + post("/2"));
            assertThat(client.answer()).contains("; hit").endsWith("hello");
            assertThat(client.answer()).startsWith("HTTP/1.1 502 ");
            assertThat(client.get("/1").answer()).contains("; hit").endsWith("hello");
        }
    }

    /** What is too large to be held back goes out before the connection ends: no reply is empty. */
    @ParameterizedTest
    @ValueSource(strings = {"", "Cache-Control: max-age=60\r\n"})
    void aFaultBehindALargePieceCutsTheAnswer(String field) throws Exception {
        String chunk = "5000\r\n" + "x".repeat(0x5000) + "\r\n";
        String answer = "HTTP/1.1 200 OK\r\n" + field + "Transfer-Encoding: chunked\r\n\r\n" + chunk + "ZZ\r\n";
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, head.startsWith("GET /stored ") ? STORED : answer);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port())) {
            for (int i = 0; i < 10; i++) {
                try (RawClient client = new RawClient(proxy.port())) {
                    client.get("/stored").answer();
                    // the answer before it, which is only gathered, goes out, too
                    client.send("GET /stored HTTP/1.1\r\nHost: example.com\r\n\r\nGET /" + i
                            + " HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.answer()).endsWith("hello");
                    assertThat(client.head()).containsAnyOf("HTTP/1.1 200 ", "HTTP/1.1 502 ");
                }
            }
        }
    }

    @Test
    void aClientOfHttp2IsToldTheSame() throws Exception {
        try (TestOrigin origin = TestOrigin.always(BROKEN + "ZZ\r\n");
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .listener("port=0", "http2=only")
                        .start();
                FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, true, FrameClient.lines("POST", "/1"));
            assertThat(client.answer(1).fields()).containsEntry(":status", "502");
            client.get(3, "/2");
            assertThat(client.answer(3).fields()).containsEntry(":status", "502");
        }
    }

    @Test
    void anOriginOfHttp2ThatTakesItsHeadBackIsA502() throws Exception {
        try (FrameOrigin origin = new FrameOrigin((peer, stream) -> {
                    byte[] head = FrameClient.bytes(FrameClient.HEADERS, 4, stream, FrameClient.block(":status: 200"));
                    byte[] reset = FrameClient.bytes(FrameClient.RST_STREAM, 0, stream, FrameClient.number(2));
                    byte[] both = java.util.Arrays.copyOf(head, head.length + reset.length);
                    System.arraycopy(reset, 0, both, head.length, reset.length);
                    peer.raw(both);
                });
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.pool=p",
                                "origins.p.servers.0.url=http://127.0.0.1:" + origin.port(),
                                "origins.p.http2=on")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(post("/1")).answer()).startsWith("HTTP/1.1 502 ");
            assertThat(client.get("/2").answer()).startsWith("HTTP/1.1 502 ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "0"})
    void aStorable204WithALengthAnswers(String length) throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 204 No Content\r\nCache-Control: max-age=60\r\n"
                        + "Content-Length: " + length + "\r\n\r\n");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/1").head())
                        .startsWith("HTTP/1.1 204 ")
                        .doesNotContainIgnoringCase("Content-Length")
                        .contains(i == 0 ? "stored" : "; hit");
            }
            assertThat(origin.heads).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST"})
    void a304ThatNobodyAskedForIs502(String method) throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send(method + " /1 HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 502 ");
            assertThat(malformed(proxy)).isOne();
        }
    }

    @Test
    void a304ThatWasAskedForPasses() throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/1", "Cache-Control: no-store", "If-None-Match: \"a\"");
            assertThat(client.head()).startsWith("HTTP/1.1 304 ");
            assertThat(malformed(proxy)).isZero();
        }
    }

    @Test
    void whatCameOnAConnectionWithASurplusAnswerIsUsedNoMore() throws Exception {
        String evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, head.startsWith("POST /surplus") ? STORED + evil : STORED);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 100; i++) {
                client.get("/" + i).answer();
            }
            assertThat(origin.connections).hasValue(1);
            assertThat(client.get("/7").answer()).contains("; hit");
            assertThat(client.send(post("/surplus")).answer()).endsWith("hello");
            Await.until("it was seen", () -> proxy.value(EngineStats.ORIGIN_SURPLUS) == 1);
            for (int i = 0; i < 100; i++) {
                assertThat(client.get("/" + i).answer()).doesNotContain("; hit").endsWith("hello");
                assertThat(client.get("/" + i).answer()).contains("; hit");
            }
            assertThat(origin.connections).hasValue(2);
            assertThat(proxy.proxy.cache().inspection().objects(1000)).hasSize(100);
        }
    }

    private static void idle(String unasked, boolean doubted) throws Exception {
        CountDownLatch talk = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, STORED);
                    try {
                        assertThat(talk.await(3, TimeUnit.MINUTES)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    TestOrigin.write(out, unasked);
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/1").answer();
            Await.until("it idles", () -> proxy.stats.sum(EngineStats.ORIGIN_IDLE) == 1);
            talk.countDown();
            Await.until("it is closed", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 0);
            assertThat(proxy.value(EngineStats.ORIGIN_SURPLUS)).isEqualTo(doubted ? 1 : 0);
            assertThat(client.get("/1").answer().contains("; hit")).isEqualTo(!doubted);
        }
    }

    @Test
    void anAnswerOnAnIdleConnectionCountsAsSurplus() throws Exception {
        idle("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", true);
    }

    /** Some origins say so before they close an idle connection (RFC 9110 section 15.5.9). */
    @Test
    void a408OnAnIdleConnectionIsNone() throws Exception {
        idle("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false);
    }

    /** What is validated on another connection is still the body that came on the one in doubt. */
    @Test
    void whatWasFreshenedSinceIsUsedNoMoreEither() throws Exception {
        String tagged = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"a\"\r\nContent-Length: 5\r\n\r\nhello";
        String same = "HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=60\r\nETag: \"a\"\r\n\r\n";
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.startsWith("POST /surplus")) {
                        try {
                            assertThat(slow.await(3, TimeUnit.MINUTES)).isTrue();
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                        TestOrigin.write(out, STORED + STORED);
                        return false;
                    }
                    TestOrigin.write(out, head.contains("If-None-Match") ? same : tagged);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port());
                RawClient other = new RawClient(proxy.port())) {
            client.get("/1").answer();
            other.send(post("/surplus"));
            Await.until("the first connection is in use", () -> origin.heads.size() == 2);
            assertThat(client.get("/1", "Cache-Control: no-cache").answer()).endsWith("hello");
            assertThat(origin.connections).hasValue(2);
            assertThat(client.get("/1").answer()).contains("; hit");
            slow.countDown();
            assertThat(other.answer()).endsWith("hello");
            assertThat(client.get("/1").answer()).doesNotContain("; hit").endsWith("hello");
            assertThat(origin.heads.getLast()).doesNotContain("If-None-Match");
        }
    }
}
