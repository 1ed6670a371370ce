package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.StepOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests that wait for another one's fetch: whatever becomes of it, each of them is answered. */
@ExtendWith(LeakCheck.class)
class JoinedRequestsTest {
    private static final String FRESH = answer("", "0123456789");

    /** Lets nobody pass to the origin who says that he is from outside. */
    private static final TestFunction DOOR = new TestFunction(
            "door",
            Stage.CONNECT,
            run -> run.request().head().fields().combined("X-From") == null
                    ? StepOutcome.NOACTION
                    : run.abort(ProxyFault.DENIED));

    private static String answer(String fields, String body) {
        return "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n" + fields + "Content-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** Released from one fill, one of them leads the next, which the others join while they still leave the first. */
    @Test
    void thoseWhoWaitedForAnotherVariantWaitForTheirOwnTogether() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        CountDownLatch slower = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    boolean english = head.contains("Accept-Language: en");
                    await(english ? slow : slower);
                    TestOrigin.write(out, answer("Vary: Accept-Language\r\n", english ? "yes" : "ja"));
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port())) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                RawClient client = new RawClient(proxy.port());
                clients.add(client.get("/a", "Accept-Language: " + (i == 0 ? "en" : "de")));
                int n = i + 1;
                Await.until("it is there", () -> proxy.stats.sum(EngineStats.REQUESTS) == n);
            }
            slow.countDown();
            Await.until("the second variant is asked for", () -> origin.heads.size() == 2);
            slower.countDown();
            for (RawClient client : clients) {
                assertThat(client.answer()).endsWith(client == clients.getFirst() ? "yes" : "ja");
                client.socket.close();
            }
            assertThat(origin.heads).hasSize(2);
        }
    }

    /** Whoever comes to lead is refused for what it is; that is no answer to those who are not that. */
    @Test
    void aRefusalOfThoseWhoLeadIsNotThatOfThoseWhoWait() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, FRESH);
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port(), "routes.0.functions.0.name=door")
                        .kernel("socket-readers=1", "request-throttle=1")
                        .start(FunctionCatalogue.builtinAnd(List.of(DOOR)));
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port());
                RawClient three = new RawClient(proxy.port())) {
            // as a request does that works for long
            proxy.kernel.connectionQueue().resumed();
            one.get("/a", "X-From: outside");
            Await.until("it leads", () -> proxy.kernel.connectionQueue().length() == 1);
            two.get("/a", "X-From: outside");
            Await.until("another waits", () -> proxy.value(CacheStats.COLLAPSED) == 1);
            three.get("/a");
            Await.until("and another", () -> proxy.value(CacheStats.COLLAPSED) == 2);
            proxy.kernel.connectionQueue().lent();
            assertThat(one.answer()).startsWith("HTTP/1.1 403 ");
            assertThat(two.answer()).startsWith("HTTP/1.1 403 ");
            assertThat(three.answer()).endsWith("0123456789");
        }
    }

    /** A validation behind an answer is a request to the origin like any other. */
    @Test
    void whoMayNotConnectHasNothingValidatedBehind() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(
                            out,
                            "HTTP/1.1 200 OK\r\nCache-Control: max-age=0, stale-while-revalidate=60\r\n"
                                    + "Content-Length: 3\r\n\r\nold");
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port(), "routes.0.functions.0.name=door")
                        .start(FunctionCatalogue.builtinAnd(List.of(DOOR)));
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").answer();
            assertThat(client.get("/a", "X-From: outside").answer())
                    .contains("; hit")
                    .endsWith("old");
            assertThat(client.get("/a").answer()).contains("; hit").endsWith("old");
            Await.until("it is validated", () -> origin.heads.size() >= 2);
            assertThat(origin.heads).noneMatch(head -> head.contains("X-From"));
        }
    }

    /** The slot is taken, so the leader has not asked yet and no time-out of a fetch is running. */
    @Test
    void whoWaitsForALeaderThatIsHeldUpIsAnsweredInTime() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, FRESH);
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(
                                origin.port(),
                                "time-outs.dns=200ms",
                                "time-outs.connect=200ms",
                                "time-outs.tls-handshake=200ms",
                                "time-outs.response-header=200ms",
                                "time-outs.body-idle=200ms")
                        .kernel("socket-readers=1", "request-throttle=1")
                        .start();
                RawClient leader = new RawClient(proxy.port());
                RawClient other = new RawClient(proxy.port())) {
            // as a request does that works for long
            proxy.kernel.connectionQueue().resumed();
            leader.get("/a");
            Await.until("the leader waits", () -> proxy.kernel.connectionQueue().length() == 1);
            assertThat(other.get("/a").answer()).startsWith("HTTP/1.1 504 ");
            proxy.kernel.connectionQueue().lent();
            assertThat(leader.answer()).endsWith("0123456789");
        }
    }
}
