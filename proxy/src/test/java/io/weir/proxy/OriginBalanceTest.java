package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.pool.OriginStats;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which server a request comes to, over real connections: what the pool is told of requests is what they say. */
@ExtendWith(LeakCheck.class)
class OriginBalanceTest {
    private static TestOrigin named(String name) throws Exception {
        return TestOrigin.always("HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 1\r\n\r\n" + name);
    }

    private static TestProxy proxy(List<TestOrigin> origins, String... knobs) throws Exception {
        List<String> lines = new ArrayList<>(List.of("routes.0.pool=shop"));
        for (int i = 0; i < origins.size(); i++) {
            lines.add("origins.shop.servers." + i + ".url=http://127.0.0.1:"
                    + origins.get(i).port());
        }
        for (String knob : knobs) {
            lines.add("origins.shop." + knob);
        }
        return TestProxy.Made.of(lines.toArray(String[]::new)).start();
    }

    /** The server that answered. */
    private static String asks(RawClient client, String path, String... fields) throws Exception {
        String answer = client.get(path, fields).answer();
        return answer.substring(answer.length() - 1);
    }

    @Test
    void weightsAreKept() throws Exception {
        try (TestOrigin a = named("a");
                TestOrigin b = named("b");
                TestOrigin c = named("c");
                TestProxy proxy = proxy(List.of(a, b, c), "servers.0.weight=5");
                RawClient client = new RawClient(proxy.port())) {
            StringBuilder order = new StringBuilder();
            for (int i = 0; i < 14; i++) {
                order.append(asks(client, "/" + i));
            }
            assertThat(order).hasToString("aabacaa".repeat(2));
            assertThat(b.heads).hasSize(2);
            assertThat(c.heads).hasSize(2);
        }
    }

    @Test
    void theServerWithTheFewestRequestsOnTheirWayIsTaken() throws Exception {
        CompletableFuture<Void> goOn = new CompletableFuture<Void>().orTimeout(20, TimeUnit.SECONDS);
        try (TestOrigin a = new TestOrigin((head, _, out) -> {
                    if (head.startsWith("GET /slow ")) {
                        goOn.join();
                    }
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na");
                    return true;
                });
                TestOrigin b = named("b");
                TestProxy proxy = proxy(List.of(a, b), "balance=least-outstanding", "servers.1.weight=1");
                RawClient slow = new RawClient(proxy.port());
                RawClient client = new RawClient(proxy.port())) {
            if (!asks(client, "/first").equals("b")) {
                assertThat(asks(client, "/second")).isEqualTo("b");
            }
            slow.get("/slow");
            Await.until("it waits", () -> proxy.stats.sum(OriginStats.ACTIVE) == 1);
            for (int i = 0; i < 4; i++) {
                assertThat(asks(client, "/" + i)).isEqualTo("b");
            }
            goOn.complete(null);
            assertThat(slow.answer()).endsWith("a");
            assertThat(List.of(asks(client, "/x"), asks(client, "/y"))).containsExactlyInAnyOrder("a", "b");
        }
    }

    /** Asks for so many things; each must be answered by one server alone, and all of them by both. */
    private static void keeps(RawClient client, Question question) throws Exception {
        Set<String> seen = new HashSet<>();
        for (int key = 0; key < 20; key++) {
            String first = question.ask(client, "k" + key, 0);
            assertThat(question.ask(client, "k" + key, 1)).as("key " + key).isEqualTo(first);
            seen.add(first);
        }
        assertThat(seen).containsExactlyInAnyOrder("a", "b");
    }

    private interface Question {
        String ask(RawClient client, String key, int round) throws Exception;
    }

    @Test
    void sameUrlsFieldsAndCookiesComeToTheSameServer() throws Exception {
        try (TestOrigin a = named("a");
                TestOrigin b = named("b")) {
            try (TestProxy proxy = proxy(List.of(a, b), "balance=hash");
                    RawClient client = new RawClient(proxy.port())) {
                keeps(client, (c, key, _) -> asks(c, "/p?" + key));
            }
            try (TestProxy proxy = proxy(List.of(a, b), "balance=hash", "hash-on=header", "hash-name=X-Tenant");
                    RawClient client = new RawClient(proxy.port())) {
                keeps(client, (c, key, round) -> asks(c, "/" + round, "X-Tenant: " + key));
            }
            try (TestProxy proxy = proxy(List.of(a, b), "balance=hash", "hash-on=cookie", "hash-name=Sid");
                    RawClient client = new RawClient(proxy.port())) {
                keeps(client, (c, key, round) -> asks(c, "/" + round, "Cookie: x=" + round + "; Sid=" + key));
                // without the cookie in turn
                assertThat(List.of(asks(client, "/"), asks(client, "/"))).containsExactlyInAnyOrder("a", "b");
            }
        }
    }

    @Test
    void oneClientsRequestsComeToOneServer() throws Exception {
        try (TestOrigin a = named("a");
                TestOrigin b = named("b");
                TestProxy proxy = proxy(List.of(a, b), "balance=hash", "hash-on=client")) {
            Set<String> seen = new HashSet<>();
            for (int host = 1; host <= 20; host++) {
                Socket from = new Socket();
                from.bind(new InetSocketAddress("127.0.0." + host, 0));
                from.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));
                try (RawClient client = new RawClient(from)) {
                    String first = asks(client, "/1");
                    assertThat(asks(client, "/2")).isEqualTo(first);
                    assertThat(asks(client, "/3")).isEqualTo(first);
                    seen.add(first);
                }
            }
            assertThat(seen).hasSize(2);
        }
    }
}
