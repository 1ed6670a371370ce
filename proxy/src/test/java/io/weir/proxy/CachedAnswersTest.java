package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.context.EngineStats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory cache as clients see it (RFC 9111, RFC 9211, RFC 5861). */
@ExtendWith(LeakCheck.class)
class CachedAnswersTest {
    private static final String FRESH = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"a\"\r\n"
            + "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 10\r\n\r\n0123456789";

    private static final String HALF =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\n01234";

    private static String answer(String fields, String body) {
        return "HTTP/1.1 200 OK\r\n" + fields + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "If-None-Match: \"a\"",
                "If-None-Match: \"b\", W/\"a\"",
                "If-None-Match: *",
                "If-Modified-Since: Mon, 07 Nov 1994 08:49:37 GMT"
            })
    void aClientThatHasItGets304(String condition) throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            assertThat(client.get("/a", condition).answer())
                    .startsWith("HTTP/1.1 304 ")
                    .contains("ETag: \"a\"\r\n", "; hit", "Age: ");
            assertThat(client.get("/a").answer()).endsWith("0123456789");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"If-None-Match: \"b\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT"})
    void aClientThatHasAnotherGetsTheWhole(String condition) throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            assertThat(client.get("/a", condition).answer())
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("0123456789");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"0-3,bytes 0-3/10,0123", "7-,bytes 7-9/10,789", "-2,bytes 8-9/10,89", "9-99,bytes 9-9/10,9"})
    void aRangeOfAStoredObjectIsCutHere(String range, String expected, String body) throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            assertThat(client.get("/a", "Range: bytes=" + range).answer())
                    .startsWith("HTTP/1.1 206 ")
                    .contains("Content-Range: " + expected + "\r\n")
                    .containsOnlyOnce("Content-Length: ")
                    .endsWith("\r\n\r\n" + body);
            assertThat(client.get("/a", "Range: bytes=" + range, "If-Range: \"old\"")
                            .answer())
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("0123456789");
            assertThat(client.get("/a", "Range: bytes=" + range, "If-Range: \"a\"")
                            .answer())
                    .startsWith("HTTP/1.1 206 ");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void aRangeBeyondTheEndIs416() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            assertThat(client.get("/a", "Range: bytes=10-").answer())
                    .startsWith("HTTP/1.1 416 ")
                    .contains("Content-Range: bytes */10\r\n");
            assertThat(client.get("/a").answer()).endsWith("0123456789");
        }
    }

    @Test
    void headIsAnsweredFromAStoredGet() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            for (int i = 0; i < 2; i++) {
                client.send("HEAD /a HTTP/1.1\r\nHost: example.com\r\n\r\n");
                assertThat(client.head()).contains("Content-Length: 10\r\n", "; hit");
            }
            assertThat(origin.heads).hasSize(1);
        }
    }

    /** RFC 9111 section 4.3.5. */
    @ParameterizedTest
    @CsvSource({"10, a, 2", "10, b, 3", "11, a, 3"})
    void theAnswerToAHeadFreshensOrDropsWhatIsStored(int length, String tag, int requests) throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    String told = head.startsWith("HEAD ")
                            ? "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nX-Told: 1\r\nETag: \"" + tag
                                    + "\"\r\nContent-Length: " + length + "\r\n\r\n"
                            : answer("Cache-Control: max-age=60\r\nETag: \"a\"\r\n", "0123456789");
                    out.write(told.getBytes(StandardCharsets.US_ASCII));
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            client.send("HEAD /a HTTP/1.1\r\nHost: example.com\r\nCache-Control: no-cache\r\n\r\n");
            assertThat(client.head()).contains("X-Told: 1\r\n", "fwd=method");
            String after = client.get("/a").answer();
            assertThat(after).endsWith("0123456789");
            assertThat(after.contains("X-Told: 1\r\n")).isEqualTo(requests == 2);
            assertThat(origin.heads).hasSize(requests);
        }
    }

    @Test
    void variantsAreKeptApart() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    String language = head.replaceAll("(?s).*Accept-Language: (\\w+).*", "$1");
                    TestOrigin.write(out, answer("Cache-Control: max-age=60\r\nVary: Accept-Language\r\n", language));
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (String language : new String[] {"de", "en", "de", "en"}) {
                assertThat(client.get("/a", "Accept-Language: " + language).answer())
                        .endsWith(language);
            }
            assertThat(origin.heads).hasSize(2);
        }
    }

    @Test
    void aStaleAnswerIsValidatedAndFreshenedBy304() throws Exception {
        String stale = answer("Cache-Control: max-age=0\r\nETag: \"a\"\r\n", "0123456789");
        String valid = "HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=60\r\nETag: \"a\"\r\nX-New: 1\r\n\r\n";
        try (TestOrigin origin = TestOrigin.inTurn(stale, valid);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            assertThat(client.get("/a").answer())
                    .startsWith("HTTP/1.1 200 ")
                    .contains("fwd=stale", "X-New: 1\r\n")
                    .endsWith("0123456789");
            assertThat(client.get("/a").answer()).contains("; hit").endsWith("0123456789");
            assertThat(origin.heads).hasSize(2);
            assertThat(origin.heads.get(1)).contains("If-None-Match: \"a\"\r\n");
        }
    }

    @Test
    void aStaleAnswerCoversForAFailingOrigin() throws Exception {
        String stale = answer("Cache-Control: max-age=0, stale-if-error=60\r\nETag: \"a\"\r\n", "0123456789");
        try (TestOrigin origin = TestOrigin.inTurn(stale, "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            assertThat(client.get("/a").answer()).startsWith("HTTP/1.1 200 ").endsWith("0123456789");
            origin.stop();
            assertThat(client.get("/a").answer()).startsWith("HTTP/1.1 200 ").endsWith("0123456789");
            assertThat(client.get("/other").answer()).startsWith("HTTP/1.1 502 ");
        }
    }

    @Test
    void aStaleAnswerIsGivenAndValidatedBehind() throws Exception {
        String stale =
                answer("Cache-Control: max-age=0, stale-while-revalidate=60\r\nETag: \"a\"\r\nX-N: 1\r\n", "old");
        String fresh = answer("Cache-Control: max-age=60\r\nETag: \"b\"\r\nX-N: 2\r\n", "new");
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    boolean again = head.contains("If-None-Match");
                    if (again) {
                        await(slow);
                    }
                    TestOrigin.write(out, again ? fresh : stale);
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port(), "routes.0.set-response-headers.X-Set=yes")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            assertThat(client.get("/a").answer()).contains("; hit").endsWith("old");
            Await.until("it is validated", () -> origin.heads.size() == 2);
            // other requests pass meanwhile: what the validation was begun with must not change under it
            client.get("/b").answer();
            slow.countDown();
            Await.until("the new one is there", () -> {
                try {
                    return client.get("/a").answer().endsWith("new");
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(client.get("/a").answer()).contains("X-Set: yes\r\n", "X-N: 2\r\n");
        }
    }

    @Test
    void onlyIfCachedNeverAsksTheOrigin() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a", "Cache-Control: only-if-cached").answer())
                    .startsWith("HTTP/1.1 504 ");
            assertThat(origin.heads).isEmpty();
            client.get("/a").answer();
            assertThat(client.get("/a", "Cache-Control: only-if-cached").answer())
                    .endsWith("0123456789");
            assertThat(proxy.value(CacheStats.ONLY_IF_CACHED)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void manyAtOnceMakeOneRequest(int muxers) throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        String body = "b".repeat(300_000);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    await(slow);
                    TestOrigin.write(out, answer("Cache-Control: max-age=60\r\n", body));
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=" + muxers)
                        .start()) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RawClient client = new RawClient(proxy.port());
                clients.add(client.get("/a"));
            }
            Await.until("all are there", () -> proxy.stats.sum(EngineStats.REQUESTS) == 20);
            slow.countDown();
            int collapsed = 0;
            for (RawClient client : clients) {
                String got = client.answer();
                assertThat(got).endsWith(body);
                collapsed += got.contains("; collapsed") ? 1 : 0;
                client.socket.close();
            }
            assertThat(collapsed).isEqualTo(19);
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void anUncacheableAnswerReleasesThoseWhoWait() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    await(slow);
                    TestOrigin.write(out, answer("Cache-Control: no-store\r\n", "mine"));
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port())) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                RawClient client = new RawClient(proxy.port());
                clients.add(client.get("/a"));
            }
            Await.until("all are there", () -> proxy.stats.sum(EngineStats.REQUESTS) == 8);
            slow.countDown();
            for (RawClient client : clients) {
                assertThat(client.answer()).endsWith("mine");
                client.socket.close();
            }
            assertThat(origin.heads).hasSize(8);
        }
    }

    @Test
    void aLeaderThatLeavesTheQueueIsReplaced() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.startsWith("POST")) {
                        await(slow);
                    }
                    TestOrigin.write(out, FRESH);
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "request-throttle=1")
                        .start();
                RawClient busy = new RawClient(proxy.port());
                RawClient leader = new RawClient(proxy.port());
                RawClient other = new RawClient(proxy.port())) {
            busy.send("POST /p HTTP/1.1\r\nHost: example.com\r\n\r\n");
            Await.until("the slot is taken", () -> origin.heads.size() == 1);
            leader.get("/a");
            Await.until("the leader waits", () -> proxy.stats.sum(EngineStats.REQUESTS) == 2);
            other.get("/a");
            Await.until("the other joined", () -> proxy.stats.sum(EngineStats.REQUESTS) == 3);
            leader.reset();
            Await.until("the leader has left", () -> proxy.value(EngineStats.CLIENT_ABORTS) == 1);
            slow.countDown();
            assertThat(busy.answer()).endsWith("0123456789");
            assertThat(other.answer()).endsWith("0123456789");
        }
    }

    @Test
    void aSuccessfulPostForgetsWhatIsStored() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            client.send("POST /a HTTP/1.1\r\nHost: example.com\r\nContent-Length: 0\r\n\r\n")
                    .answer();
            assertThat(client.get("/a").answer()).contains("fwd=uri-miss");
            assertThat(origin.heads).hasSize(3);
        }
    }

    @Test
    void aRouteWithoutCacheAsksEachTime() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reversing(origin.port(), "routes.0.cache.enabled=off")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/a").answer()).contains("fwd=bypass").doesNotContain("Age: ");
            }
            assertThat(origin.heads).hasSize(3);
        }
    }

    @Test
    void chunkedAnswersAreStoredWithTheirLength() throws Exception {
        String chunked = "HTTP/1.1 200 OK|Cache-Control: max-age=60|Transfer-Encoding: chunked||5|01234|5|56789|0||"
                .replace("|", "\r\n");
        try (TestOrigin origin = TestOrigin.always(chunked);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").answer()).contains("chunked");
            assertThat(client.get("/a").answer())
                    .contains("Content-Length: 10\r\n")
                    .endsWith("0123456789");
        }
    }

    @Test
    void theAgeOfAnAnswerThatWasCachedBeforeGoesOn() throws Exception {
        try (TestOrigin origin = TestOrigin.always(answer("Cache-Control: max-age=600\r\nAge: 100\r\n", "x"));
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").answer()).containsPattern("Age: 10[0-9]\r\n");
            assertThat(client.get("/a").answer())
                    .containsPattern("Age: 10[0-9]\r\n")
                    .containsOnlyOnce("Age: ");
        }
    }

    /** Sends half of an answer, the rest when the latch opens; tells whether it could. */
    private static TestOrigin halting(CountDownLatch rest, CountDownLatch cancelled) throws IOException {
        return new TestOrigin((head, in, out) -> {
            TestOrigin.write(out, HALF);
            if (rest.getCount() > 0 && in.read() < 0) {
                cancelled.countDown();
                return false;
            }
            await(rest);
            TestOrigin.write(out, "56789");
            return true;
        });
    }

    @Test
    void aFetchThatNobodyReadsIsGivenUpInTime() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        try (TestOrigin origin = halting(new CountDownLatch(1), cancelled);
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.after-client-abort=100ms")
                        .cache("term-percent=0")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").head();
            client.reset();
            await(cancelled);
            Await.until("its place is free", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 0);
        }
    }

    @Test
    void aFetchGoesOnForTheStoreWhenItsClientLeaves() throws Exception {
        CountDownLatch rest = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, HALF);
                    await(rest);
                    TestOrigin.write(out, "56789");
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .cache("term-percent=0")
                        .start();
                RawClient first = new RawClient(proxy.port());
                RawClient second = new RawClient(proxy.port())) {
            first.get("/a").head();
            first.reset();
            Await.until("the client has left", () -> proxy.value(EngineStats.CLIENT_ABORTS) == 1);
            rest.countDown();
            assertThat(second.get("/a").answer()).endsWith("0123456789");
            assertThat(origin.heads).hasSize(1);
        }
    }
}
