package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.context.EngineStats;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Fetches for the store whose readers have left. */
@ExtendWith(LeakCheck.class)
class OrphanFetchTest {
    private final CountDownLatch a = new CountDownLatch(1);
    private final CountDownLatch b = new CountDownLatch(1);

    /** Sends most of an answer and tells when its connection is closed. */
    private TestOrigin halting() throws IOException {
        return new TestOrigin((head, in, out) -> {
            TestOrigin.write(out, "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\n01234567");
            assertThat(in.read()).isNegative();
            (head.startsWith("GET /a ") ? a : b).countDown();
            return false;
        });
    }

    @Test
    void aFetchEndsInTimeWhenTheLastReaderLeavesLongAfterItsLeader() throws Exception {
        try (TestOrigin origin = halting();
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.after-client-abort=100ms")
                        .start();
                RawClient leader = new RawClient(proxy.port());
                RawClient reader = new RawClient(proxy.port());
                RawClient third = new RawClient(proxy.port())) {
            leader.get("/a").head();
            reader.get("/a").head();
            leader.reset();
            Await.until("the leader has left", () -> proxy.value(EngineStats.CLIENT_ABORTS) == 1);
            // when a later fetch without readers was ended for it, the leader's time is over, too
            third.get("/b").head();
            third.reset();
            FirstClientTest.await(b);
            assertThat(a.getCount()).isEqualTo(1);
            reader.reset();
            FirstClientTest.await(a);
            Await.until("its place is free", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 0);
            Await.until("the fills are over", () -> proxy.value(CacheStats.FILLS_ACTIVE) == 0);
        }
    }

    @Test
    void aClientWithAConditionDoesNotKeepALargeAnswerFromBeingStored() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        int length = 4_000_000;
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(
                            out,
                            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"a\"\r\nContent-Length: " + length
                                    + "\r\n\r\n");
                    FirstClientTest.await(answered);
                    out.write(new byte[length]);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a", "If-None-Match: \"a\"").answer())
                    .startsWith("HTTP/1.1 304 ")
                    .contains("; stored");
            answered.countDown();
            Await.until("it is stored", () -> proxy.value(CacheStats.ENTRIES) == 1);
            assertThat(client.get("/a").answer()).contains("; hit").contains("Content-Length: " + length);
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void whatAClientWithAConditionBeganEndsInTime() throws Exception {
        try (TestOrigin origin = halting();
                TestProxy proxy = TestProxy.reversing(origin.port(), "time-outs.after-client-abort=100ms")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a", "If-None-Match: *").answer()).startsWith("HTTP/1.1 304 ");
            FirstClientTest.await(a);
        }
    }
}
