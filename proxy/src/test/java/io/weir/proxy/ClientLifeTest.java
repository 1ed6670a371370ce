package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.settings.KernelStats;
import io.weir.proxy.context.EngineStats;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A client connection's life: pipelining, half-closes, time-outs, ends. */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class ClientLifeTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final String FRESH =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\nhello";

    /** Answers every path with itself, the path /slow when the latch opens. */
    private static TestOrigin echo(CountDownLatch slow) throws Exception {
        return new TestOrigin((head, in, out) -> {
            String path = head.split(" ", -1)[1];
            if (path.equals("/slow")) {
                await(slow);
            }
            TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: " + path.length() + "\r\n\r\n" + path);
            return true;
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    @Test
    void answersKeepTheOrderOfTheirRequests() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = echo(slow);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send(get("/slow") + get("/2") + get("/3") + "BAD\r\n\r\n");
            Await.until("the slow request is under way", () -> origin.heads.size() == 1);
            slow.countDown();
            assertThat(client.answer()).endsWith("/slow");
            assertThat(client.answer()).endsWith("/2");
            assertThat(client.answer()).endsWith("/3");
            assertThat(client.rest()).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void readingStopsAtThePipeliningDepthAndIsCounted() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = echo(slow);
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "pipelining-depth=3")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send(get("/slow") + get("/2") + get("/3"));
            Await.until("the slow request is under way", () -> origin.heads.size() == 1);
            assertThat(proxy.stats.sum(EngineStats.READ_STOPS)).isZero();
            client.send(get("/4"));
            Await.until(
                    "the third that waits stops reading",
                    () -> proxy.value(EngineStats.READ_STOPS, "pipelining-depth") == 1);
            slow.countDown();
            assertThat(client.answer()).endsWith("/slow");
            assertThat(client.answer()).endsWith("/2");
            assertThat(client.answer()).endsWith("/3");
            assertThat(client.answer()).endsWith("/4");
            assertThat(proxy.value(EngineStats.READ_STOPS, "read-ahead")).isZero();
        }
    }

    @Test
    void readingStopsAtTheReadAheadAndIsCounted() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = echo(slow);
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "read-ahead=4KiB")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send(get("/slow"));
            Await.until("the slow request is under way", () -> origin.heads.size() == 1);
            client.send("POST /big HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" + "x".repeat(5000));
            Await.until("reading stopped", () -> proxy.value(EngineStats.READ_STOPS, "read-ahead") == 1);
            slow.countDown();
            assertThat(client.answer()).endsWith("/slow");
        }
    }

    @Test
    void aClientThatPipelinesWithoutEndIsNotRead() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = echo(slow);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = RawClient.narrow(proxy.port())) {
            client.send(get("/slow"));
            AtomicInteger sent = new AtomicInteger();
            String batch = get("/more").repeat(1000);
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < 500; i++) {
                        client.send(batch);
                        sent.incrementAndGet();
                    }
                } catch (java.io.IOException e) {
                    // the test is over
                }
            });
            Await.until("the slow request is under way", () -> !origin.heads.isEmpty());
            Await.until("the sender is stuck", new java.util.function.BooleanSupplier() {
                private int before = -1;
                private int same;

                @Override
                public boolean getAsBoolean() {
                    same = sent.get() == before ? same + 1 : 0;
                    before = sent.get();
                    return same > 200;
                }
            });
            assertThat(sent.get()).isLessThan(300);
            assertThat(origin.heads).hasSize(1);
            client.socket.close();
            sender.join(10_000);
            slow.countDown();
        }
    }

    @Test
    void aClientThatDoesNotReadItsHitsGetsNoMoreOfThem() throws Exception {
        String big =
                "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10000\r\n\r\n" + "z".repeat(10_000);
        try (TestOrigin origin = TestOrigin.always(big);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient first = new RawClient(proxy.port());
                RawClient client = RawClient.narrow(proxy.port())) {
            first.send(get("/a")).answer();
            int requests = 2000;
            client.send(get("/a").repeat(requests));
            Await.until("answers began", () -> proxy.stats.sum(EngineStats.REQUESTS) > 10);
            for (int i = 0; i < requests; i++) {
                if (i == 100) {
                    // 20 MB are asked for: sockets and the proxy together hold a part of them
                    assertThat(proxy.stats.sum(EngineStats.REQUESTS)).isLessThan(1500);
                }
                assertThat(client.answer()).hasSizeGreaterThan(10_000);
            }
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void aClientThatEndsItsSideStillGetsItsAnswers() throws Exception {
        String big = "HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n" + "z".repeat(2_000_000);
        try (TestOrigin origin = TestOrigin.always(big);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = RawClient.narrow(proxy.port())) {
            client.send(get("/1") + get("/2"));
            client.socket.shutdownOutput();
            assertThat(client.rest()).hasSizeGreaterThan(4_000_000);
        }
    }

    @Test
    void aStoredAnswerIsNotCutWhenTheClientEndsItsSide() throws Exception {
        String big = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 3000000\r\n\r\n"
                + "z".repeat(3_000_000);
        try (TestOrigin origin = TestOrigin.always(big);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient first = new RawClient(proxy.port());
                RawClient client = RawClient.narrow(proxy.port())) {
            first.send(get("/a")).answer();
            client.send(get("/a"));
            assertThat(client.head()).contains("; hit");
            client.socket.shutdownOutput();
            assertThat(client.rest()).hasSize(3_000_000);
        }
    }

    @Test
    void halfARequestBehindAnAnsweredOneIsRefusedWhenTheInputEnds() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send(get("/1") + "GET /2 HT");
            client.socket.shutdownOutput();
            assertThat(client.rest()).contains("helloHTTP/1.1 400 ", "Reason head-truncated");
        }
    }

    @Test
    void keepAliveIsRefusedAtTheMaximum() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "keep-alive.max-connections=1")
                        .start();
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port())) {
            assertThat(one.send(get("/1")).answer()).doesNotContain("Connection: close");
            assertThat(two.send(get("/2")).rest())
                    .contains("Connection: close\r\n")
                    .endsWith("hello");
            assertThat(proxy.value(KernelStats.KEEPALIVE_REFUSALS)).isOne();
            assertThat(one.send(get("/3")).answer()).endsWith("hello");
        }
    }

    @Test
    void aSlowHeadGets408() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.deny=on")
                        .kernel("socket-readers=1", "time-outs.header=100ms")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET / HTTP/1.1\r\nHost:");
            assertThat(client.rest()).startsWith("HTTP/1.1 408 ").contains("Connection: close\r\n");
            assertThat(proxy.value(EngineStats.HEADER_TIMEOUTS)).isOne();
        }
    }

    @Test
    void aSlowBodyGets408AndTheEnd() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> in.readNBytes(10).length == 10);
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "time-outs.body=100ms")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
            assertThat(client.rest()).startsWith("HTTP/1.1 408 ").contains("Connection: close\r\n");
            assertThat(proxy.value(EngineStats.BODY_TIMEOUTS)).isOne();
        }
    }

    @Test
    void aSmallRestOfARefusedRequestIsReadAndTheConnectionKept() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.deny=on").start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 403 ").doesNotContain("Connection: close");
            client.send("x".repeat(1000) + get("/2"));
            assertThat(client.answer()).startsWith("HTTP/1.1 403 ");
            assertThat(proxy.value(EngineStats.UNREAD_RESTS, "read")).isOne();
            assertThat(proxy.value(EngineStats.UNREAD_RESTS, "closed")).isZero();
        }
    }

    @Test
    void aLargeRestOfARefusedRequestEndsTheConnectionButTheAnswerIsRead() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.deny=on", "drain-after-error=1000")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n");
            client.send("x".repeat(500_000));
            assertThat(client.rest()).startsWith("HTTP/1.1 403 ").contains("Connection: close\r\n");
            assertThat(proxy.value(EngineStats.UNREAD_RESTS, "closed")).isOne();
            assertThat(proxy.value(EngineStats.UNREAD_RESTS, "read")).isZero();
        }
    }

    @Test
    void aBodyBeyondTheLimitGets413WhetherAnnouncedOrNot() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> in.readNBytes(100_000).length == 100_000);
                TestProxy proxy = TestProxy.reversing(origin.port(), "limits.request-body=1000")
                        .start();
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port())) {
            one.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n");
            assertThat(one.rest()).startsWith("HTTP/1.1 413 ");
            two.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n7D0\r\n" + "x".repeat(2000));
            assertThat(two.rest()).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void aFetchThatNobodyWantsIsCancelled() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (in.read() < 0) {
                        gone.countDown();
                    }
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port())) {
            for (String method : new String[] {"GET", "POST"}) {
                RawClient client = new RawClient(proxy.port());
                client.send(method + " /a HTTP/1.1\r\nHost: a\r\n\r\n");
                int n = method.equals("GET") ? 1 : 2;
                Await.until("the origin has the request", () -> origin.heads.size() == n);
                client.reset();
                Await.until("the abort is counted", () -> proxy.value(EngineStats.CLIENT_ABORTS) == n);
            }
            await(gone);
            Await.until("no connection is left", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 0);
        }
    }

    @Test
    void aLeaderThatLeavesDoesNotEndWhatOthersWaitFor() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    await(slow);
                    TestOrigin.write(out, FRESH);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient leader = new RawClient(proxy.port());
                RawClient other = new RawClient(proxy.port())) {
            leader.send(get("/a"));
            Await.until("the origin has the request", () -> origin.heads.size() == 1);
            other.send(get("/a"));
            Await.until("the other has joined", () -> proxy.stats.sum(EngineStats.REQUESTS) == 2);
            leader.reset();
            Await.until("the abort is counted", () -> proxy.value(EngineStats.CLIENT_ABORTS) == 1);
            slow.countDown();
            assertThat(other.answer()).contains("collapsed").endsWith("hello");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void aMalformedRequestIsAnsweredEvenWhenMoreInputFollows() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.deny=on").start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nBad Name: 1\r\n\r\n" + "x".repeat(200_000));
            assertThat(client.rest()).startsWith("HTTP/1.1 400 ").contains("Connection: close\r\n");
        }
    }

    @Test
    void aRedirectCannotBeSplit() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of(
                                "routes.0.redirect.url-prefix=https://b.example", "routes.0.redirect.status=302")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            String answer = client.send(get("/%0d%0aSet-Cookie:%20x=1")).answer();
            assertThat(answer).doesNotContain("\r\nSet-Cookie");
        }
    }

    @Test
    void drainingFinishesTheAnswerInFlight() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (TestOrigin origin = echo(slow);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send(get("/slow"));
            Await.until("the origin has the request", () -> origin.heads.size() == 1);
            var drained = proxy.kernel.drain(java.time.Duration.ofSeconds(5));
            slow.countDown();
            assertThat(client.rest()).contains("Connection: close\r\n").endsWith("/slow");
            drained.get(5, TimeUnit.SECONDS);
        }
    }
}
