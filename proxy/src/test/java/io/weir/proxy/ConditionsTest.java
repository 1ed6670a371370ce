package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.context.EngineStats;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client has of an answer that may not be stored is not sent to it again (RFC 9110 section 13). */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class ConditionsTest {
    private static final String DATE = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String VALIDATORS = "ETag: \"a\"\r\nLast-Modified: " + DATE + "\r\n";

    private static String personal(String body) {
        return "HTTP/1.1 200 OK\r\nCache-Control: private\r\nSet-Cookie: id=1\r\nContent-Type: text/html\r\n"
                + VALIDATORS + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** An origin whose answers are for one client each; it knows conditions. */
    private static TestOrigin origin() throws IOException {
        return new TestOrigin((head, in, out) -> {
            boolean has = head.contains("If-None-Match: \"a\"") || head.contains("If-Modified-Since: " + DATE);
            TestOrigin.write(
                    out,
                    has
                            ? "HTTP/1.1 304 Not Modified\r\nCache-Control: private\r\nX-Origin: yes\r\n" + VALIDATORS
                                    + "\r\n"
                            : personal("0123456789"));
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"If-None-Match: \"a\"", "If-None-Match: \"b\", W/\"a\"", "If-Modified-Since: " + DATE})
    void aPersonalPageThatTheClientHasIsAnswered304(String condition) throws Exception {
        try (TestOrigin origin = TestOrigin.always(personal("0123456789"));
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/a", condition).answer())
                        .startsWith("HTTP/1.1 " + (i == 0 ? "304 Not Modified" : "200 OK") + "\r\n")
                        .contains("ETag: \"a\"\r\n", "Set-Cookie: id=1\r\n", "detail=private");
            }
            // the first was asked for whole, because it might have been for the store; later ones as the client asks
            assertThat(origin.heads.get(0)).doesNotContain("If-");
            assertThat(origin.heads.get(1)).contains(condition + "\r\n");
            assertThat(origin.connections).hasValue(1);
        }
    }

    @Test
    void theClientsConditionsReachTheOriginOfWhatIsNotStorable() throws Exception {
        try (TestOrigin origin = origin();
                TestProxy proxy = TestProxy.reversing(origin.port(), "routes.0.set-response-headers.X-Set=yes")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").answer()).startsWith("HTTP/1.1 200 ").endsWith("0123456789");
            for (String condition : new String[] {"If-None-Match: \"a\"", "If-Modified-Since: " + DATE}) {
                assertThat(client.get("/a", condition).answer())
                        .startsWith("HTTP/1.1 304 ")
                        .contains("X-Origin: yes\r\n", "X-Set: yes\r\n", "ETag: \"a\"\r\n");
            }
            assertThat(client.get("/a", "If-None-Match: \"b\"").answer())
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("0123456789");
            assertThat(origin.heads).hasSize(4);
            assertThat(origin.connections).hasValue(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'If-None-Match: \"b\"', 200",
        "'If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT', 200",
        "'If-Modified-Since: tomorrow', 200",
        "'If-None-Match: \"a\"', 404"
    })
    void aClientThatHasAnotherGetsTheWhole(String condition, int status) throws Exception {
        try (TestOrigin origin = TestOrigin.always(personal("0123456789").replace("200 OK", status + " X"));
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a", condition).answer())
                    .startsWith("HTTP/1.1 " + status + " ")
                    .endsWith("0123456789");
        }
    }

    @Test
    void theRestOfALongAnswerThatNobodyWantsIsNotRead() throws Exception {
        AtomicLong taken = new AtomicLong();
        CountDownLatch cut = new CountDownLatch(1);
        String fields = "Cache-Control: no-store\r\n" + VALIDATORS;
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (!head.startsWith("GET /long ")) {
                        TestOrigin.write(out, personal("0123456789"));
                        return true;
                    }
                    try {
                        TestOrigin.write(
                                out,
                                "HTTP/1.1 200 OK\r\n" + fields + "Content-Length: " + BackPressureTest.BODY
                                        + "\r\n\r\n");
                        BackPressureTest.pour(out, taken, BackPressureTest.BODY);
                    } catch (IOException e) {
                        cut.countDown();
                        throw e;
                    }
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/long", "If-None-Match: \"a\"").head()).startsWith("HTTP/1.1 304 ");
            FirstClientTest.await(cut);
            assertThat(taken.get()).isLessThan(BackPressureTest.HELD);
            assertThat(client.get("/a").answer()).endsWith("0123456789");
        }
    }

    @Test
    void anUnwantedRestWithoutALengthEndsAtItsBound() throws Exception {
        CountDownLatch cut = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(
                            out,
                            "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\n" + VALIDATORS
                                    + "Transfer-Encoding: chunked\r\n\r\n");
                    try {
                        while (true) {
                            TestOrigin.write(out, "400\r\n" + "x".repeat(1024) + "\r\n");
                        }
                    } catch (IOException e) {
                        cut.countDown();
                        throw e;
                    }
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a", "If-None-Match: \"a\"").head()).startsWith("HTTP/1.1 304 ");
            FirstClientTest.await(cut);
            Await.until("its place is free", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 0);
        }
    }

    @Test
    void aTricklingRestThatNobodyWantsEndsInTime() throws Exception {
        CountDownLatch cut = new CountDownLatch(1);
        String stale = "HTTP/1.1 200 OK\r\nCache-Control: max-age=0, stale-if-error=60\r\nContent-Length: 2\r\n\r\nok";
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (cut.getCount() > 0 && head.contains("X-Fail")) {
                        TestOrigin.write(out, "HTTP/1.1 503 Oh\r\nContent-Length: 10\r\n\r\n01");
                        if (in.read() < 0) {
                            cut.countDown();
                        }
                        return false;
                    }
                    TestOrigin.write(out, stale);
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.after-client-abort=100ms")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            assertThat(client.get("/a", "X-Fail: 1").answer())
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("ok");
            FirstClientTest.await(cut);
        }
    }
}
