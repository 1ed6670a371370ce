package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.program.run.ProxyStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a route says about caching and destinations, as clients see it. */
@ExtendWith(LeakCheck.class)
class CacheRoutesTest {
    private static final String FRESH =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\nhello";

    private static String request(String method, String target, String host) {
        return method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\nAccept: application/problem+json\r\n\r\n";
    }

    private static String request(String method, String target) {
        return request(method, target, "example.com");
    }

    /** A proxy with a route of its own for /own, and this knob in the cache of the other. */
    private static TestProxy proxy(int origin, String knob) throws Exception {
        return TestProxy.reversing(
                        origin,
                        "routes.0.cache." + knob,
                        "routes.1.path=/own",
                        "routes.1.origins.0=http://127.0.0.1:" + origin)
                .start();
    }

    @Test
    void aRouteThatIsNeverConnectedAnswersFromTheCacheAlone() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = proxy(origin.port(), "connect-mode=never");
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(request("GET", "/a")).answer())
                    .startsWith("HTTP/1.1 504 ")
                    .contains("not-in-cache");
            assertThat(client.send(request("OPTIONS", "/a")).answer()).startsWith("HTTP/1.1 504 ");
            assertThat(origin.heads).isEmpty();
            assertThat(client.send(request("GET", "/own")).answer()).endsWith("hello");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void aRouteThatAsksAlwaysValidatesWhatIsFresh() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = proxy(origin.port(), "max-uncheck=0s");
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 1; i <= 3; i++) {
                assertThat(client.send(request("GET", "/a")).answer()).endsWith("hello");
                assertThat(origin.heads).hasSize(i);
            }
            assertThat(origin.heads.getLast()).contains("If-None-Match: \"1\"\r\n");
            client.send(request("GET", "/own")).answer();
            assertThat(client.send(request("GET", "/own")).answer()).contains("; hit; ");
        }
    }

    @Test
    void aFailedFillIsAnsweredWithItsOwnCause() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.origins.0=http://" + "x".repeat(64) + ".test")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(request("GET", "/a")).answer())
                    .startsWith("HTTP/1.1 502 ")
                    .contains("origin-unresolvable");
            assertThat(proxy.value(ProxyStats.FAULTS, "origin-unresolvable")).isEqualTo(1);
            assertThat(proxy.value(ProxyStats.FAULTS, "origin-reset")).isZero();
        }
    }

    @Test
    void aResolvedAddressThatIsRefusedIsCountedByItsReason() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.Made.of("routes.0.forward=on", "destinations.deny.0=127.0.0.0/8")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            String authority = "127.0.0.1:" + origin.port();
            assertThat(client.send(request("GET", "http://" + authority + "/a", authority))
                            .answer())
                    .startsWith("HTTP/1.1 403 ")
                    .contains("destination-forbidden");
            assertThat(proxy.value(ProxyStats.DESTINATIONS_REFUSED, "address-denied"))
                    .isEqualTo(1);
            assertThat(origin.heads).isEmpty();
        }
    }
}
