package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.qos.Qos;
import io.weir.proxy.qos.QosStats;
import io.weir.proxy.qos.UsageFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bandwidth as clients see it, hits and misses, over real connections. */
@ExtendWith(LeakCheck.class)
class QosTest {
    private static final int BYTES = 192 * 1024;

    private static String head() {
        return "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: " + BYTES + "\r\n\r\n";
    }

    private static String body() {
        StringBuilder text = new StringBuilder(BYTES);
        for (int i = 0; text.length() < BYTES; i++) {
            text.append(i).append(' ');
        }
        return text.substring(0, BYTES);
    }

    private static TestProxy.Made limited(TestProxy.Made made, String line) {
        List<String> lines = new ArrayList<>(made.proxy());
        lines.add(line);
        return TestProxy.Made.of(lines.toArray(String[]::new));
    }

    @Test
    void answersArriveWholeAndNoFasterThanTheClientsBandwidth() throws Exception {
        String sent = body();
        try (TestOrigin origin = TestOrigin.always(head() + sent);
                TestProxy proxy = limited(TestProxy.reversing(origin.port()), "client-limits.bandwidth=512KiB")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            long before = SystemClock.INSTANCE.nanos();
            long heads = 0;
            for (int i = 0; i < 2; i++) {
                heads += client.get("/a").head().length();
                assertThat(client.bytes(BYTES)).isEqualTo(sent);
            }
            // what was sent beyond one bucket of a quarter of a second's bytes took its time
            long least = (long) ((2 * BYTES - 512 * 1024 / 4) / (512.0 * 1024) * 1e9);
            assertThat(SystemClock.INSTANCE.nanos() - before).isGreaterThanOrEqualTo(least);
            assertThat(proxy.stats.value(QosStats.PAUSES, "client")).isPositive();
            Await.until("nobody is paced", () -> proxy.stats.value(QosStats.PACED) == 0);
            figuresAre(proxy, heads + 2 * BYTES, 512 * 1024);
        }
    }

    private static long all(ToLongFunction<UsageFigures> figure, Map<String, UsageFigures> of) {
        return of.values().stream().mapToLong(figure).sum();
    }

    /** What left for the client, to the byte; and no second had more than the bandwidth and one bucket. */
    private static void figuresAre(TestProxy proxy, long bytes, long rate) {
        Qos qos = proxy.proxy.qos();
        UsageFigures one = qos.busiestClients(10).getFirst();
        assertThat(one.name()).isEqualTo("127.0.0.1");
        assertThat(one.bytes()).isEqualTo(bytes);
        assertThat(one.mostBytes()).isBetween(bytes / 30, rate + rate / 4);
        assertThat(one.requests()).isEqualTo(2);
        assertThat(one.mostRequests()).isBetween(1L, 2L);
        assertThat(one.connections()).isEqualTo(1);
        assertThat(qos.ofListeners()).containsOnlyKeys("http");
        assertThat(qos.ofServers()).containsOnlyKeys("default");
        for (Map<String, UsageFigures> scopes : List.of(qos.ofListeners(), qos.ofServers())) {
            assertThat(all(UsageFigures::bytes, scopes)).isEqualTo(bytes);
            assertThat(all(UsageFigures::mostBytes, scopes)).isEqualTo(one.mostBytes());
            assertThat(all(UsageFigures::requests, scopes)).isEqualTo(2);
            assertThat(all(UsageFigures::mostConnections, scopes)).isEqualTo(1);
        }
        assertThat(proxy.value(QosStats.BYTE_RATE_MOST, "listener", "http")).isEqualTo(one.mostBytes());
        assertThat(proxy.value(QosStats.CONNECTIONS, "virtual-server", "default"))
                .isEqualTo(1);
    }

    @Test
    void withoutLimitsFiguresAreKeptWhereTheyAreAskedForAndNowhereElse() throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a").head();
            assertThat(client.bytes(2)).isEqualTo("ok");
            Qos qos = proxy.proxy.qos();
            assertThat(qos.busiestClients(10)).isEmpty();
            assertThat(qos.ofListeners()).isEmpty();
            assertThat(proxy.value(QosStats.CLIENTS)).isZero();
            proxy.config.set(limited(TestProxy.reversing(origin.port()), "traffic-figures=on")
                    .config());
            client.get("/a").head();
            assertThat(client.bytes(2)).isEqualTo("ok");
            assertThat(qos.busiestClients(10))
                    .singleElement()
                    .satisfies(u -> assertThat(u.bytes()).isPositive());
            assertThat(qos.use("default"))
                    .satisfies(u -> assertThat(u.requests()).isEqualTo(1));
            proxy.config.set(TestProxy.reversing(origin.port()).config());
            assertThat(qos.use("default")).isNull();
            client.get("/a").head();
        }
    }

    @Test
    void longAnswersAreCountedWhileTheyAreSentAndToTheByteAtTheirEnd() throws Exception {
        CompletableFuture<Void> goOn = new CompletableFuture<Void>().orTimeout(20, TimeUnit.SECONDS);
        String sent = body();
        try (TestOrigin origin = new TestOrigin((_, _, out) -> {
                    TestOrigin.write(out, head() + sent.substring(0, 2 * BYTES / 3));
                    goOn.join();
                    TestOrigin.write(out, sent.substring(2 * BYTES / 3));
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            long head = client.get("/a").head().length();
            assertThat(client.bytes(2 * BYTES / 3)).hasSize(2 * BYTES / 3);
            Await.until("it is counted", () -> proxy.value(EngineStats.BYTES_SENT, "default") >= 64 * 1024);
            goOn.complete(null);
            assertThat(client.bytes(BYTES / 3)).hasSize(BYTES / 3);
            Await.until("it is over", () -> proxy.value(EngineStats.DURATION, "default") == 1);
            assertThat(proxy.value(EngineStats.BYTES_SENT, "default")).isEqualTo(head + BYTES);
        }
    }

    @Test
    void connectionThatIsClosedWhileItsAnswerWaitsLeavesNothingBehind() throws Exception {
        try (TestOrigin origin = TestOrigin.always(head() + body());
                TestProxy proxy = limited(TestProxy.reversing(origin.port()), "client-limits.bandwidth=16KiB")
                        .start()) {
            try (RawClient client = new RawClient(proxy.port())) {
                client.get("/a").head();
                Await.until("the answer is paced", () -> proxy.stats.value(QosStats.PACED) == 1);
            }
            Await.until("nobody is paced", () -> proxy.stats.value(QosStats.PACED) == 0);
        }
    }

    @Test
    void answerThatClosesTheConnectionIsSentToItsEndFirst() throws Exception {
        String sent = body();
        try (TestOrigin origin = TestOrigin.always(head() + sent);
                TestProxy proxy = limited(TestProxy.reversing(origin.port()), "client-limits.bandwidth=1MiB")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", "Connection: close").head();
            assertThat(client.rest()).isEqualTo(sent);
        }
    }
}
