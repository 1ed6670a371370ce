package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.program.config.ProxyConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An insider, who is on this machine and may reach it, beside an outsider, who may not: whatever the one has fetched, or
 * fetches, the other gets what he would get alone. Who they are says a load balancer before the listener.
 */
@ExtendWith(LeakCheck.class)
class DestinationPairsTest {
    private static final String PLAIN = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final String FRESH =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\nhello";
    private static final String DENY = "destinations.deny.0=127.0.0.0/8";

    /** An origin that holds its first answer back until it is told. */
    private static final class Held implements TestOrigin.Handler {
        private final String answer;
        final CountDownLatch go = new CountDownLatch(1);

        Held(String answer) {
            this.answer = answer;
        }

        @Override
        public boolean answer(String head, InputStream in, OutputStream out) throws IOException {
            try {
                assertThat(go.await(3, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            TestOrigin.write(out, answer);
            return true;
        }
    }

    private static String[] knobs(int port, String... more) {
        List<String> lines = new ArrayList<>(List.of(
                "routes.0.forward=on",
                "routes.1.connect.enabled=on",
                "routes.1.connect.ports.0=" + port,
                "destinations.clients.0=0.0.0.0/0"));
        lines.addAll(List.of(more));
        return lines.toArray(String[]::new);
    }

    private static TestProxy proxy(TestOrigin origin, String... more) throws Exception {
        return TestProxy.Made.of(knobs(origin.port(), more))
                .listener("port=0", "proxy-protocol.enabled=on")
                .start();
    }

    private static void change(TestProxy proxy, TestOrigin origin, String... more) {
        proxy.config.set(TestProxy.bind(ProxyConfig.class, knobs(origin.port(), more)));
    }

    private static RawClient from(TestProxy proxy, String address) throws IOException {
        RawClient client = new RawClient(proxy.port());
        return client.send("PROXY TCP4 " + address + " 127.0.0.1 9999 80\r\n");
    }

    private static RawClient insider(TestProxy proxy) throws IOException {
        return from(proxy, "127.0.0.1");
    }

    private static RawClient outsider(TestProxy proxy) throws IOException {
        return from(proxy, "192.0.2.7");
    }

    private static RawClient ask(RawClient client, String method, TestOrigin origin, String... lines)
            throws IOException {
        String there = "127.0.0.1:" + origin.port();
        StringBuilder text = new StringBuilder(method + " http://" + there + "/a HTTP/1.1\r\nHost: " + there
                + "\r\nAccept: application/problem+json\r\n");
        for (String line : lines) {
            text.append(line).append("\r\n");
        }
        return client.send(text.append("\r\n").toString());
    }

    private static String connect(TestOrigin origin) {
        String there = "127.0.0.1:" + origin.port();
        return "CONNECT " + there + " HTTP/1.1\r\nHost: " + there + "\r\n\r\n";
    }

    private static void refused(String answer) {
        assertThat(answer).startsWith("HTTP/1.1 403 ").doesNotContain("hello", "ETag");
    }

    @Test
    void anOutsiderWhoWaitsGetsNoConnectionThatAnInsiderGivesBack() throws Exception {
        Held held = new Held(PLAIN);
        try (TestOrigin origin = new TestOrigin(held);
                TestProxy proxy = proxy(origin, "origin-pool.max-connections-per-origin=1");
                RawClient one = insider(proxy);
                RawClient out = outsider(proxy);
                RawClient two = insider(proxy)) {
            ask(one, "POST", origin);
            Await.until("the connection is in use", () -> origin.heads.size() == 1);
            ask(out, "POST", origin);
            Await.until("the outsider waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 1);
            ask(two, "POST", origin);
            Await.until("so does another insider", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 2);
            held.go.countDown();
            assertThat(one.answer()).endsWith("hello");
            refused(out.answer());
            assertThat(two.answer()).endsWith("hello");
            assertThat(origin.heads).hasSize(2);
        }
    }

    @Test
    void anOutsiderWhoWaitsGetsNoTunnelThroughAConnectionThatAnInsiderGivesBack() throws Exception {
        Held held = new Held(PLAIN);
        try (TestOrigin origin = new TestOrigin(held);
                TestProxy proxy = proxy(origin, "origin-pool.max-connections-per-origin=1");
                RawClient one = insider(proxy);
                RawClient out = outsider(proxy)) {
            ask(one, "POST", origin);
            Await.until("the connection is in use", () -> origin.heads.size() == 1);
            out.send(connect(origin));
            Await.until("the outsider waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 1);
            held.go.countDown();
            assertThat(one.answer()).endsWith("hello");
            refused(out.answer());
            assertThat(proxy.value(EngineStats.TUNNELS, "connect")).isZero();
        }
    }

    /** Alone he would be refused at once, so he is although all places are taken by connections that he may not have. */
    @Test
    void anOutsiderDoesNotWaitForPlacesThatIdleConnectionsOfInsidersTake() throws Exception {
        try (TestOrigin origin = TestOrigin.always(PLAIN);
                TestProxy proxy = proxy(origin, "origin-pool.max-connections-per-origin=1");
                RawClient one = insider(proxy);
                RawClient out = outsider(proxy)) {
            assertThat(ask(one, "POST", origin).answer()).endsWith("hello");
            Await.until("it idles", () -> proxy.stats.sum(EngineStats.ORIGIN_IDLE) == 1);
            refused(ask(out, "POST", origin).answer());
            assertThat(ask(one, "POST", origin).answer()).endsWith("hello");
            assertThat(origin.heads).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void whatAnInsiderHasStoredIsNoHitForAnOutsider(String method) throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = proxy(origin);
                RawClient in = insider(proxy);
                RawClient out = outsider(proxy)) {
            assertThat(ask(in, "GET", origin).answer()).endsWith("hello");
            assertThat(ask(in, "GET", origin).answer()).contains("; hit").endsWith("hello");
            ask(out, method, origin);
            refused(method.equals("HEAD") ? out.head() : out.answer());
            assertThat(ask(in, "GET", origin).answer()).contains("; hit").endsWith("hello");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Range: bytes=0-1",
                "If-None-Match: \"1\"",
                "If-None-Match: *",
                "Cache-Control: max-stale=1000",
                "Cache-Control: only-if-cached"
            })
    void norIsItForOneWhoAsksInAnotherWay(String line) throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = proxy(origin);
                RawClient in = insider(proxy);
                RawClient out = outsider(proxy)) {
            assertThat(ask(in, "GET", origin).answer()).endsWith("hello");
            String answer = ask(out, "GET", origin, line).answer();
            assertThat(answer).startsWith(line.contains("only-if-cached") ? "HTTP/1.1 504 " : "HTTP/1.1 403 ");
            assertThat(answer).doesNotContain("hello", "ETag");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void whatWasStoredStandsInForNoFailureThatAnOutsiderMeets() throws Exception {
        String stale = "HTTP/1.1 200 OK\r\nCache-Control: max-age=0, stale-while-revalidate=600, stale-if-error=600\r\n"
                + "ETag: \"1\"\r\nContent-Length: 5\r\n\r\nhello";
        String error = "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n";
        try (TestOrigin origin = TestOrigin.inTurn(stale, error);
                TestProxy proxy = proxy(origin);
                RawClient in = insider(proxy);
                RawClient out = outsider(proxy)) {
            assertThat(ask(in, "GET", origin).answer()).endsWith("hello");
            refused(ask(out, "GET", origin).answer());
            assertThat(origin.heads).hasSize(1);
            assertThat(ask(in, "GET", origin).answer()).contains("; hit").endsWith("hello");
            Await.until("it was validated", () -> origin.heads.size() == 2);
            refused(ask(out, "GET", origin).answer());
        }
    }

    @Test
    void anOutsiderGetsNothingOfAnInsidersFetchInFlight() throws Exception {
        Held held = new Held(FRESH);
        try (TestOrigin origin = new TestOrigin(held);
                TestProxy proxy = proxy(origin);
                RawClient one = insider(proxy);
                RawClient two = insider(proxy);
                RawClient out = outsider(proxy)) {
            ask(one, "GET", origin);
            Await.until("it is asked for", () -> origin.heads.size() == 1);
            ask(two, "GET", origin);
            Await.until("another insider joins", () -> proxy.value(CacheStats.COLLAPSED) == 1);
            refused(ask(out, "GET", origin).answer());
            held.go.countDown();
            assertThat(one.answer()).endsWith("hello");
            assertThat(two.answer()).contains("; collapsed").endsWith("hello");
            assertThat(origin.heads).hasSize(1);
        }
    }

    /** The head is there and the body comes in: nobody else's rest either. */
    @Test
    void anOutsiderGetsNothingOfABodyThatComesIn() throws Exception {
        CountDownLatch rest = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, FRESH.substring(0, FRESH.length() - 2));
                    try {
                        assertThat(rest.await(3, TimeUnit.MINUTES)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    TestOrigin.write(out, "lo");
                    return true;
                });
                TestProxy proxy = proxy(origin);
                RawClient one = insider(proxy);
                RawClient out = outsider(proxy)) {
            ask(one, "GET", origin);
            assertThat(one.head()).startsWith("HTTP/1.1 200 ");
            refused(ask(out, "GET", origin).answer());
            rest.countDown();
            assertThat(one.bytes(5)).isEqualTo("hello");
            assertThat(origin.heads).hasSize(1);
        }
    }

    /** A fetch of his that is refused is nobody else's answer. */
    @Test
    void anInsiderIsNotRefusedBecauseAnOutsiderAskedFirst() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.Made.of(knobs(origin.port()))
                        .kernel("socket-readers=1", "request-throttle=1")
                        .listener("port=0", "proxy-protocol.enabled=on")
                        .start();
                RawClient outer = outsider(proxy);
                RawClient other = outsider(proxy);
                RawClient in = insider(proxy)) {
            // as a request does that works for long: who leads has not asked yet
            proxy.kernel.connectionQueue().resumed();
            ask(outer, "GET", origin);
            Await.until("the outsider leads", () -> proxy.value(CacheStats.FILLS) == 1);
            ask(other, "GET", origin);
            Await.until("another waits for him", () -> proxy.value(CacheStats.COLLAPSED) == 1);
            ask(in, "GET", origin);
            Await.until("the insider is there", () -> proxy.value(CacheStats.MISSES) == 3);
            proxy.kernel.connectionQueue().lent();
            assertThat(in.answer()).endsWith("hello");
            refused(outer.answer());
            refused(other.answer());
        }
    }

    @Test
    void aRuleThatIsChangedCountsForWhatIsStored() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = proxy(origin);
                RawClient in = insider(proxy);
                RawClient out = outsider(proxy)) {
            assertThat(ask(in, "GET", origin).answer()).endsWith("hello");
            change(proxy, origin, DENY);
            refused(ask(in, "GET", origin).answer());
            change(proxy, origin, "destinations.allow.0=127.0.0.1");
            assertThat(ask(out, "GET", origin).answer()).contains("; hit").endsWith("hello");
            change(proxy, origin, "destinations.deny-hosts.0=127.0.0.1");
            refused(ask(in, "GET", origin).answer());
            change(proxy, origin, "destinations.loopback-for-loopback=off");
            refused(ask(in, "GET", origin).answer());
            change(proxy, origin);
            refused(ask(out, "GET", origin).answer());
            assertThat(ask(in, "GET", origin).answer()).contains("; hit").endsWith("hello");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void aRuleThatIsChangedCountsForIdleConnections() throws Exception {
        try (TestOrigin origin = TestOrigin.always(PLAIN);
                TestProxy proxy = proxy(origin);
                RawClient in = insider(proxy);
                RawClient out = outsider(proxy)) {
            assertThat(ask(in, "POST", origin).answer()).endsWith("hello");
            change(proxy, origin, DENY);
            refused(ask(in, "POST", origin).answer());
            change(proxy, origin, "destinations.allow.0=127.0.0.1");
            assertThat(ask(out, "POST", origin).answer()).endsWith("hello");
            assertThat(origin.connections).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DENY, "destinations.deny-hosts.0=127.0.0.1", "destinations.clients.0=10.0.0.0/8"})
    void aRuleThatIsChangedCountsForWhoWaitsForAConnection(String rule) throws Exception {
        Held held = new Held(PLAIN);
        try (TestOrigin origin = new TestOrigin(held);
                TestProxy proxy = proxy(origin, "origin-pool.max-connections-per-origin=1");
                RawClient one = insider(proxy);
                RawClient two = insider(proxy);
                RawClient three = insider(proxy)) {
            ask(one, "POST", origin);
            Await.until("the connection is in use", () -> origin.heads.size() == 1);
            ask(two, "POST", origin);
            Await.until("one waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 1);
            three.send(connect(origin));
            Await.until("and a tunnel", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 2);
            change(proxy, origin, rule, "origin-pool.max-connections-per-origin=1");
            held.go.countDown();
            assertThat(one.answer()).endsWith("hello");
            refused(two.answer());
            refused(three.answer());
            assertThat(origin.heads).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DENY, "destinations.deny-hosts.0=127.0.0.1", "destinations.clients.0=10.0.0.0/8"})
    void aRuleThatIsChangedCountsForWhoWaitsForAFetch(String rule) throws Exception {
        Held held = new Held(FRESH);
        try (TestOrigin origin = new TestOrigin(held);
                TestProxy proxy = proxy(origin);
                RawClient one = insider(proxy);
                RawClient two = insider(proxy)) {
            ask(one, "GET", origin);
            Await.until("it is asked for", () -> origin.heads.size() == 1);
            ask(two, "GET", origin);
            Await.until("another insider joins", () -> proxy.value(CacheStats.COLLAPSED) == 1);
            change(proxy, origin, rule);
            held.go.countDown();
            refused(two.answer());
            refused(one.answer());
            assertThat(origin.heads).hasSize(1);
        }
    }

    /** What the operator's route has stored is not what the host that the client names has. */
    @Test
    void whatARouteHasStoredIsNoHitForWhoIsForwarded() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy =
                        proxy(origin, "routes.2.path=/a", "routes.2.origins.0=http://127.0.0.1:" + origin.port());
                RawClient any = outsider(proxy);
                RawClient out = outsider(proxy)) {
            String plain = "GET /a HTTP/1.1\r\nHost: 127.0.0.1:" + origin.port() + "\r\n\r\n";
            assertThat(any.send(plain).answer()).endsWith("hello");
            assertThat(any.send(plain).answer()).contains("; hit");
            refused(ask(out, "GET", origin).answer());
            assertThat(any.send(plain).answer()).contains("; hit");
        }
    }

    /** And what an insider fetched from the host that he named is no hit on a route that others may use. */
    @Test
    void whatWasForwardedIsNoHitOnARoute() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestOrigin routed = TestOrigin.always(FRESH.replace("hello", "route"));
                TestProxy proxy =
                        proxy(origin, "routes.2.path=/a", "routes.2.origins.0=http://127.0.0.1:" + routed.port());
                RawClient in = insider(proxy);
                RawClient any = outsider(proxy)) {
            assertThat(ask(in, "GET", origin).answer()).endsWith("hello");
            String plain = "GET /a HTTP/1.1\r\nHost: 127.0.0.1:" + origin.port() + "\r\n\r\n";
            assertThat(any.send(plain).answer()).endsWith("route");
            assertThat(any.send(plain).answer()).contains("; hit").endsWith("route");
        }
    }
}
