package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.context.EngineStats;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client whose fetch brings an answer gets all of it; the store, and everybody else, only what may be shared. */
@ExtendWith(LeakCheck.class)
class FirstClientTest {
    private static final String COOKIE = "Set-Cookie: id=1\r\n";

    private static String answer(String status, String fields, String body) {
        return "HTTP/1.1 " + status + "\r\n" + fields + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    static void await(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "public, max-age=60, private=\"Set-Cookie, X-Who\"",
                "public, max-age=60, no-cache=\"set-cookie,x-who\"",
                "s-maxage=60, private=\"Set-Cookie\", no-cache=\"X-Who\"",
            })
    void aFieldThatIsNotForTheStoreReachesTheClientWhoseFetchBroughtIt(String control) throws Exception {
        String fields = "Cache-Control: " + control + "\r\n" + COOKIE + "Set-Cookie: b=2\r\nX-Who: me\r\nX-All: 1\r\n";
        try (TestOrigin origin = TestOrigin.always(answer("200 OK", fields, "0123456789"));
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").answer())
                    .contains("; stored", COOKIE, "Set-Cookie: b=2\r\n", "X-Who: me\r\n", "X-All: 1\r\n")
                    .endsWith("0123456789");
            for (int i = 0; i < 2; i++) {
                assertThat(client.get("/a").answer())
                        .contains("; hit", "X-All: 1\r\n")
                        .doesNotContain("Set-Cookie:", "X-Who:")
                        .endsWith("0123456789");
            }
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void whoJoinedTheFetchDoesNotGetIt() throws Exception {
        CountDownLatch joined = new CountDownLatch(1);
        String fields = "Cache-Control: public, max-age=60, private=\"Set-Cookie\"\r\n" + COOKIE;
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    await(joined);
                    TestOrigin.write(out, answer("200 OK", fields, "0123456789"));
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient first = new RawClient(proxy.port());
                RawClient second = new RawClient(proxy.port())) {
            first.get("/a");
            Await.until("the first one leads", () -> origin.heads.size() == 1);
            second.get("/a");
            Await.until("the second one joined", () -> proxy.stats.sum(EngineStats.REQUESTS) == 2);
            joined.countDown();
            assertThat(first.answer()).contains(COOKIE).endsWith("0123456789");
            assertThat(second.answer())
                    .contains("; collapsed")
                    .doesNotContain("Set-Cookie:")
                    .endsWith("0123456789");
        }
    }

    @Test
    void aClientThatGets304OfItGetsItToo() throws Exception {
        String fields = "Cache-Control: public, max-age=60, private=\"Set-Cookie\"\r\nETag: \"a\"\r\n" + COOKIE;
        try (TestOrigin origin = TestOrigin.always(answer("200 OK", fields, "0123456789"));
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a", "If-None-Match: \"a\"").answer())
                    .startsWith("HTTP/1.1 304 ")
                    .contains(COOKIE);
        }
    }

    @Test
    void whatAValidationBroughtForItsClientIsNotLost() throws Exception {
        String stale = answer("200 OK", "Cache-Control: public, max-age=0\r\nETag: \"a\"\r\n", "0123456789");
        String valid = "HTTP/1.1 304 Not Modified\r\nCache-Control: public, max-age=60, private=\"X-Who\"\r\n"
                + "ETag: \"a\"\r\nX-Who: me\r\n" + COOKIE + "\r\n";
        try (TestOrigin origin = TestOrigin.inTurn(stale, valid);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            assertThat(client.get("/a").answer())
                    .contains(COOKIE, "X-Who: me\r\n")
                    .endsWith("0123456789");
            assertThat(client.get("/a").answer())
                    .contains("; hit")
                    .doesNotContain("Set-Cookie:", "X-Who:")
                    .endsWith("0123456789");
        }
    }

    @Test
    void whatARouteTakesOutOfAnswersIsTakenOutOf304sAndOfWhatIsNotStored() throws Exception {
        String fields = "Cache-Control: public, max-age=0, private=\"X-Secret\"\r\nETag: \"a\"\r\nX-Secret: 1\r\n";
        String valid = "HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=60\r\nETag: \"a\"\r\nX-Secret: 2\r\n\r\n";
        try (TestOrigin origin = TestOrigin.inTurn(answer("200 OK", fields, "0123456789"), valid);
                TestProxy proxy = TestProxy.reversing(origin.port(), "routes.0.remove-response-headers.0=X-Secret")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/a").answer())
                        .doesNotContain("X-Secret:")
                        .endsWith("0123456789");
            }
            assertThat(origin.heads).hasSize(2);
        }
    }

    @Test
    void whatA304SaysIsPrivateIsNotForThoseWhoJoined() throws Exception {
        CountDownLatch joined = new CountDownLatch(1);
        String stale = answer("200 OK", "Cache-Control: max-age=0\r\nETag: \"a\"\r\n", "0123456789");
        String valid = "HTTP/1.1 304 Not Modified\r\nCache-Control: private\r\nETag: \"a\"\r\nX-Who: me\r\n\r\n";
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.contains("If-None-Match")) {
                        await(joined);
                        TestOrigin.write(out, valid);
                    } else {
                        TestOrigin.write(out, stale);
                    }
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient first = new RawClient(proxy.port());
                RawClient second = new RawClient(proxy.port())) {
            first.get("/a").answer();
            first.get("/a");
            Await.until("the first one validates", () -> origin.heads.size() == 2);
            second.get("/a");
            Await.until("the second one joined", () -> proxy.stats.sum(EngineStats.REQUESTS) == 3);
            joined.countDown();
            assertThat(first.answer()).contains("X-Who: me\r\n").endsWith("0123456789");
            assertThat(second.answer()).doesNotContain("X-Who:").endsWith("0123456789");
            assertThat(origin.heads).hasSize(3);
        }
    }
}
