package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.pool.OriginStats;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.upstream.OriginWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pools of servers as requests meet them. */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class OriginServersTest {
    private static final Pattern ROUTE = Pattern.compile("JROUTE=([\\w-]{16})");

    private static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    private static String[] pool(List<Integer> ports, String... knobs) {
        List<String> lines = new ArrayList<>(List.of("routes.0.pool=shop"));
        for (int i = 0; i < ports.size(); i++) {
            lines.add("origins.shop.servers." + i + ".url=" + url(ports.get(i)));
        }
        for (String knob : knobs) {
            lines.add(knob.startsWith("proxy.") ? knob.substring(6) : "origins.shop." + knob);
        }
        return lines.toArray(String[]::new);
    }

    private static TestProxy proxy(List<Integer> ports, String... knobs) throws Exception {
        return TestProxy.Made.of(pool(ports, knobs)).start();
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    /** Answers the first request of each connection, and closes on the second. */
    private static TestOrigin deadWhenReused(AtomicInteger posts) throws Exception {
        java.util.Set<Object> used = java.util.concurrent.ConcurrentHashMap.newKeySet();
        return new TestOrigin((head, in, out) -> {
            if (head.startsWith("POST")) {
                posts.incrementAndGet();
            }
            if (!used.add(in)) {
                return false;
            }
            TestOrigin.write(out, ok("a"));
            return true;
        });
    }

    @Test
    void aGetOnADeadConnectionIsSentToAnotherServerAndAPostToNone() throws Exception {
        AtomicInteger posts = new AtomicInteger();
        try (TestOrigin a = deadWhenReused(posts);
                TestOrigin b = TestOrigin.always(ok("b"));
                TestProxy proxy = proxy(List.of(a.port(), b.port()), "sticky.enabled=off");
                RawClient client = new RawClient(proxy.port())) {
            assertThat(body(client.get("/").answer())).isEqualTo("a");
            assertThat(body(client.get("/").answer())).isEqualTo("b");
            assertThat(body(client.get("/").answer())).as("a was dead").isEqualTo("b");
            assertThat(proxy.value(OriginStats.RETRIES, "shop")).isEqualTo(1);
            assertThat(proxy.value(OriginStats.FAILURES, "shop", url(a.port()))).isZero();
            assertThat(body(client.get("/").answer())).isEqualTo("b");
            assertThat(body(client.get("/").answer())).isEqualTo("a");
            assertThat(body(client.get("/").answer())).isEqualTo("b");
            int before = b.heads.size();
            String post = client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
                    .answer();
            assertThat(post).startsWith("HTTP/1.1 502 ");
            assertThat(posts).hasValue(1);
            assertThat(b.heads).hasSize(before);
        }
    }

    @Test
    void anOutageCostsABoundedNumberOfRetries() throws Exception {
        try (ClosedPort nobody = new ClosedPort();
                ClosedPort noOther = new ClosedPort();
                TestProxy proxy = proxy(
                        List.of(nobody.number(), noOther.number()),
                        "retry-budget=10",
                        "retry-reserve=5",
                        "health.failures=0");
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 100; i++) {
                assertThat(client.get("/").answer()).startsWith("HTTP/1.1 502 ");
            }
            assertThat(proxy.value(OriginStats.RETRIES, "shop")).isEqualTo(5 + 10);
            assertThat(proxy.value(OriginStats.RETRIES_REFUSED, "shop")).isEqualTo(85);
            assertThat(proxy.stats.sum(OriginStats.REQUESTS)).isEqualTo(115);
        }
    }

    @Test
    void aSessionIsFoundAgainAfterARestart() throws Exception {
        try (TestOrigin a = TestOrigin.always(
                        "HTTP/1.1 200 OK\r\nSet-Cookie: JSESSIONID=1; Path=/\r\nContent-Length: 1\r\n\r\na");
                TestOrigin b = TestOrigin.always(ok("b"))) {
            String route;
            try (TestProxy proxy = proxy(List.of(a.port(), b.port()));
                    RawClient client = new RawClient(proxy.port())) {
                Matcher m = ROUTE.matcher(client.get("/").answer());
                assertThat(m.find()).isTrue();
                route = m.group(1);
            }
            try (TestProxy proxy = proxy(List.of(b.port(), a.port()));
                    RawClient client = new RawClient(proxy.port())) {
                for (int i = 0; i < 4; i++) {
                    assertThat(body(client.get("/", "Cookie: JROUTE=" + route).answer()))
                            .isEqualTo("a");
                }
                assertThat(a.heads.getLast()).contains("Proxy-jroute: " + route + "\r\n");
            }
        }
    }

    @Test
    void aServerWithoutAPlaceToWaitIsPassedOver() throws Exception {
        AtomicBoolean answer = new AtomicBoolean();
        try (TestOrigin a = new TestOrigin((head, in, out) -> {
                    Await.until("the other request", answer::get);
                    TestOrigin.write(out, ok("a"));
                    return true;
                });
                TestOrigin b = TestOrigin.always(ok("b"));
                TestProxy proxy = proxy(List.of(a.port(), b.port()), "max-connections=1", "max-waiting=0");
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port())) {
            one.get("/1");
            Await.until("the first request", () -> a.heads.size() == 1);
            assertThat(body(two.get("/2").answer())).isEqualTo("b");
            assertThat(body(two.get("/3").answer())).as("a is in use").isEqualTo("b");
            assertThat(proxy.value(OriginStats.RETRIES, "shop")).isEqualTo(1);
            assertThat(proxy.value(OriginStats.FAILURES, "shop", url(a.port()))).isZero();
            answer.set(true);
            assertThat(body(one.answer())).isEqualTo("a");
        }
    }

    @Test
    void aKilledServerIsTakenOutAndComesBackSlowly() throws Exception {
        try (OriginProcess first = OriginProcess.start(0);
                TestOrigin b = TestOrigin.always(ok("b"));
                TestProxy proxy = proxy(
                        List.of(first.port, b.port()), "health.failures=1", "health.down-time=1s", "slow-start=1h");
                RawClient client = new RawClient(proxy.port())) {
            assertThat(body(client.get("/").answer())).isEqualTo("p");
            assertThat(body(client.get("/").answer())).isEqualTo("b");
            first.kill();
            for (int i = 0; i < 20; i++) {
                assertThat(body(client.get("/").answer())).isEqualTo("b");
            }
            String server = url(first.port);
            assertThat(proxy.value(OriginStats.DOWNS, "shop", server)).isPositive();
            try (OriginProcess again = OriginProcess.start(first.port)) {
                Await.until("warming", () -> {
                    assertThat(answered(client)).startsWith("HTTP/1.1 200 ");
                    return proxy.value(OriginStats.STATE, "shop", server) == 2;
                });
                int came = 0;
                for (int i = 0; i < 110; i++) {
                    came += body(client.get("/").answer()).equals("p") ? 1 : 0;
                }
                assertThat(came).as("a tenth of the other's share").isBetween(9, 11);
                assertThat(again.port).isEqualTo(first.port);
            }
        }
    }

    @Test
    void checksUnderWayAreBounded() throws Exception {
        int servers = OriginWatch.MAX_CHECKS + 6;
        List<String> lines = new ArrayList<>(List.of("routes.0.pool=shop", "origins.shop.check.path=/health"));
        lines.add("origins.shop.check.interval=1h");
        try (java.net.ServerSocket silent = new java.net.ServerSocket(0, 128)) {
            for (int i = 0; i < servers; i++) {
                lines.add("origins.shop.servers." + i + ".url=http://127.0.0." + (i + 1) + ":" + silent.getLocalPort());
            }
            try (TestProxy proxy =
                    TestProxy.Made.of(lines.toArray(String[]::new)).start()) {
                Await.until("checks left out", () -> proxy.value(OriginStats.CHECKS_POSTPONED) == 6);
                assertThat(proxy.stats.sum(OriginStats.CHECKS)).isZero();
            }
        }
    }

    private static String answered(RawClient client) {
        try {
            return client.get("/").answer();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void changesUnderLoadFailNoRequest() throws Exception {
        List<TestOrigin> origins = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            origins.add(TestOrigin.always(ok("x")));
        }
        List<Integer> ports = origins.stream().map(TestOrigin::port).toList();
        AtomicBoolean over = new AtomicBoolean();
        try (TestProxy proxy = TestProxy.Made.of(pool(ports))
                        .kernel("socket-readers=2")
                        .start();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> loads = new ArrayList<>();
            for (int c = 0; c < 8; c++) {
                loads.add(clients.submit(() -> load(proxy.port(), over)));
            }
            List<String[]> shapes = List.of(
                    pool(ports.subList(0, 2)),
                    pool(ports.subList(1, 4), "balance=least-outstanding"),
                    pool(ports.subList(2, 3), "max-outstanding=1000"),
                    pool(ports, "balance=hash", "check.path=/health"),
                    new String[] {"routes.0.origins.0=" + url(ports.get(3))});
            for (int i = 0; i < 100; i++) {
                int until = origins.stream().mapToInt(o -> o.heads.size()).sum() + 10;
                Await.until(
                        "requests between two changes",
                        () -> origins.stream().mapToInt(o -> o.heads.size()).sum() >= until);
                proxy.config.set(TestProxy.bind(ProxyConfig.class, shapes.get(i % shapes.size())));
            }
            over.set(true);
            int answered = 0;
            for (Future<Integer> load : loads) {
                answered += load.get(3, TimeUnit.MINUTES);
            }
            assertThat(answered)
                    .as("requests, all of which were answered with 200")
                    .isGreaterThan(500);
        } finally {
            for (TestOrigin o : origins) {
                o.close();
            }
        }
    }

    private static int load(int port, AtomicBoolean over) throws Exception {
        int answered = 0;
        try (RawClient client = new RawClient(port)) {
            while (!over.get()) {
                assertThat(client.get("/" + answered).answer()).startsWith("HTTP/1.1 200 ");
                answered++;
            }
        }
        return answered;
    }
}
