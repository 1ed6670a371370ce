package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheStats;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests for what was recently not storable: relayed without the store, until an answer is storable. */
@ExtendWith(LeakCheck.class)
class RelayedMissTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String PRIVATE = OK + "Cache-Control: private\r\nContent-Length: 3\r\n\r\none";
    private static final String FRESH = "Cache-Control: max-age=60\r\nETag: \"a\"\r\n";

    @Test
    void answersThatMayNotBeStoredStartNoFill() throws Exception {
        try (TestOrigin origin = TestOrigin.always(PRIVATE);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.get("/a").answer())
                        .contains("Cache-Status: ", "; fwd=uri-miss; detail=private")
                        .endsWith("one");
            }
            assertThat(proxy.value(CacheStats.FILLS)).isEqualTo(1);
            assertThat(proxy.value(CacheStats.UNCOLLAPSED, "hit-for-miss")).isEqualTo(9);
            assertThat(proxy.value(CacheStats.REFUSALS, "private")).isEqualTo(10);
        }
    }

    @Test
    void aStorableAnswerIsStored() throws Exception {
        String cookie = OK + FRESH + "Set-Cookie: id=1\r\nCache-Control: public\r\nContent-Length: 3\r\n\r\ntwo";
        try (TestOrigin origin = TestOrigin.inTurn(PRIVATE, cookie, PRIVATE);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").answer()).endsWith("one");
            assertThat(client.get("/a", "If-None-Match: \"b\"").answer())
                    .contains("; fwd=uri-miss; stored; ttl=60")
                    .endsWith("two");
            assertThat(client.get("/a", "If-None-Match: \"a\"").answer()).startsWith("HTTP/1.1 304 ");
            assertThat(client.get("/a").answer()).contains("; hit; ttl=").endsWith("two");
            assertThat(origin.heads).hasSize(2);
            assertThat(proxy.value(CacheStats.FILLS_COMPLETE)).isEqualTo(1);
        }
    }

    /** The fetch goes on without the client whose request it was: its head must not be needed any more. */
    @Test
    void aStorableAnswerOutlivesItsClient() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        AtomicInteger requests = new AtomicInteger();
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (requests.getAndIncrement() == 0) {
                        TestOrigin.write(out, PRIVATE);
                    } else {
                        TestOrigin.write(out, OK + FRESH + "Content-Length: 6\r\n\r\ntwo");
                        await(gone);
                        TestOrigin.write(out, "two");
                    }
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .cache("term-percent=0")
                        .start();
                RawClient next = new RawClient(proxy.port())) {
            try (RawClient client = new RawClient(proxy.port())) {
                client.get("/a").answer();
                assertThat(client.get("/a").head()).contains("ETag");
            }
            next.get("/a");
            Await.until("it has joined", () -> proxy.value(CacheStats.COLLAPSED) == 1);
            gone.countDown();
            assertThat(next.answer()).contains("; collapsed").endsWith("twotwo");
            assertThat(next.get("/a").answer()).contains("; hit").endsWith("twotwo");
        }
    }

    @Test
    void anAnswerFromBeforeAnInvalidationIsNotStored() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch posted = new CountDownLatch(1);
        AtomicInteger gets = new AtomicInteger();
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.startsWith("POST")) {
                        TestOrigin.write(out, OK + "Content-Length: 0\r\n\r\n");
                    } else if (gets.getAndIncrement() == 0) {
                        TestOrigin.write(out, PRIVATE);
                    } else {
                        asked.countDown();
                        await(posted);
                        TestOrigin.write(out, OK + FRESH + "Content-Length: 3\r\n\r\ntwo");
                    }
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port());
                RawClient other = new RawClient(proxy.port())) {
            client.get("/a").answer();
            client.get("/a");
            await(asked);
            other.send("POST /a HTTP/1.1\r\nHost: example.com\r\nContent-Length: 0\r\n\r\n");
            assertThat(other.answer()).startsWith(OK);
            posted.countDown();
            assertThat(client.answer()).contains("detail=invalidated").endsWith("two");
            assertThat(client.get("/a").answer()).contains("; stored").endsWith("two");
            assertThat(client.get("/a").answer()).contains("; hit");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
