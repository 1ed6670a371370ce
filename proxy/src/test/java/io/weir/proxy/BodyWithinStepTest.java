package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.context.EngineStats;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A request waits for its slot and has its body with it. With a connection to its origin at hand, the body is read while the
 * step that starts the fetch still runs, and what it says of the request comes back into the request's way.
 */
@ExtendWith(LeakCheck.class)
class BodyWithinStepTest {
    private final CountDownLatch go = new CountDownLatch(1);
    private final CompletableFuture<String> body = new CompletableFuture<>();

    private TestOrigin origin() throws IOException {
        return new TestOrigin((head, in, out) -> {
            if (head.startsWith("GET ")) {
                try {
                    go.await(3, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                    return false;
                }
                TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
                return true;
            }
            StringBuilder seen = new StringBuilder();
            int b = 0;
            while (b >= 0 && !seen.toString().endsWith("0\r\n\r\n")) {
                b = in.read();
                if (b >= 0) {
                    seen.append((char) b);
                }
            }
            body.complete(seen.toString());
            TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond");
            return false;
        });
    }

    private static TestProxy proxy(TestOrigin origin) throws Exception {
        return TestProxy.reversing(origin.port(), "limits.request-body=1000")
                .kernel("socket-readers=1", "request-throttle=1")
                .start();
    }

    /** The answer to a chunked request that came while another one had the slot, and used the connection it gets. */
    private String waited(TestProxy proxy, String chunks) throws Exception {
        try (RawClient first = new RawClient(proxy.port());
                RawClient second = new RawClient(proxy.port())) {
            first.send("GET /1 HTTP/1.1\r\nHost: a\r\nCache-Control: no-store\r\n\r\n");
            Await.until(
                    "the first has the slot",
                    () -> proxy.kernel.connectionQueue().active() == 1);
            second.send(
                    "POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunks);
            Await.until("the second waits", () -> proxy.kernel.connectionQueue().length() == 1);
            go.countDown();
            assertThat(first.answer()).endsWith("first");
            return second.rest();
        }
    }

    /** The head waits for the body that came with it, so that a request that is refused at once is not begun. */
    private static void seesNothing(TestOrigin origin) {
        Await.until("the connection of the request is closed", origin::ended);
        assertThat(origin.heads).hasSize(1).allSatisfy(head -> assertThat(head).startsWith("GET "));
    }

    @Test
    void aBodyThatIsAllRightIsRelayedAndAnswered() throws Exception {
        try (TestOrigin origin = origin();
                TestProxy proxy = proxy(origin)) {
            assertThat(waited(proxy, "5\r\nhello\r\n0\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("second");
            assertThat(body.get(3, TimeUnit.MINUTES)).contains("hello").endsWith("0\r\n\r\n");
            assertThat(origin.connections).as("the one that the first left").hasValue(1);
        }
    }

    @Test
    void aBodyBeyondTheLimitIs413OnceAndItsOriginSeesNothingOfIt() throws Exception {
        try (TestOrigin origin = origin();
                TestProxy proxy = proxy(origin)) {
            String large = "x".repeat(1001);
            assertThat(waited(proxy, "3E9\r\n" + large + "\r\n0\r\n\r\n"))
                    .startsWith("HTTP/1.1 413 ")
                    .containsOnlyOnce("HTTP/1.1");
            seesNothing(origin);
            assertThat(proxy.value(ProxyStats.FAULTS, ProxyFault.BODY_TOO_LARGE.code()))
                    .isOne();
            Await.until("the slot is free", () -> proxy.kernel.connectionQueue().active() == 0);
        }
    }

    @Test
    void aBodyThatBreaksHttpIs400AndItsOriginSeesNothingOfIt() throws Exception {
        try (TestOrigin origin = origin();
                TestProxy proxy = proxy(origin)) {
            assertThat(waited(proxy, "5\r\nhello\r\nZZ\r\n0\r\n\r\n"))
                    .startsWith("HTTP/1.1 400 ")
                    .containsOnlyOnce("HTTP/1.1");
            seesNothing(origin);
            Await.until("the slot is free", () -> proxy.kernel.connectionQueue().active() == 0);
            assertThat(proxy.value(EngineStats.CLIENT_ABORTS)).isZero();
        }
    }
}
