package io.weir.proxy;

import static io.weir.proxy.TestProxy.mapping;
import static io.weir.proxy.TestProxy.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigNode;
import io.weir.proxy.program.ProxyStats;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a route says about caching and destinations, as clients see it. */
class CacheRoutesTest {
    private static final String FRESH =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\nhello";

    private static String request(String method, String target) {
        return request(method, target, "example.com");
    }

    private static String request(String method, String target, String host) {
        return method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\nAccept: application/problem+json\r\n\r\n";
    }

    private static ConfigNode.Sequence list(ConfigNode... items) {
        return new ConfigNode.Sequence(ConfigNode.Place.of("test"), List.of(items));
    }

    private static ConfigNode.Mapping route(String path, int origin, ConfigNode.Mapping cache) {
        return mapping()
                .with("path", text(path))
                .with("origins", list(text("http://127.0.0.1:" + origin)))
                .with("cache", cache);
    }

    @Test
    void aRouteThatIsNeverConnectedAnswersFromTheCacheAlone() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = new TestProxy(mapping()
                        .with(
                                "routes",
                                list(
                                        route("/", origin.port(), mapping().with("connect-mode", text("never"))),
                                        route("/open", origin.port(), mapping()))));
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(request("GET", "/a")).answer())
                    .startsWith("HTTP/1.1 504 ")
                    .contains("not-in-cache");
            assertThat(client.send(request("OPTIONS", "/a")).answer()).startsWith("HTTP/1.1 504 ");
            assertThat(origin.heads).isEmpty();
            assertThat(client.send(request("GET", "/open")).answer()).endsWith("hello");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void aRouteThatAsksAlwaysValidatesWhatIsFresh() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = new TestProxy(mapping()
                        .with(
                                "routes",
                                list(
                                        route("/", origin.port(), mapping().with("max-uncheck", text("0s"))),
                                        route("/hit", origin.port(), mapping()))));
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 1; i <= 3; i++) {
                assertThat(client.send(request("GET", "/a")).answer()).endsWith("hello");
                assertThat(origin.heads).hasSize(i);
            }
            assertThat(origin.heads.getLast()).contains("If-None-Match: \"1\"\r\n");
            client.send(request("GET", "/hit")).answer();
            assertThat(client.send(request("GET", "/hit")).answer()).contains("; hit; ");
        }
    }

    @Test
    void aFailedFillIsAnsweredWithItsOwnCause() throws Exception {
        ConfigNode.Mapping route = mapping().with("origins", list(text("http://" + "x".repeat(64) + ".test")));
        try (TestProxy proxy = new TestProxy(mapping().with("routes", list(route)));
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(request("GET", "/a")).answer())
                    .startsWith("HTTP/1.1 502 ")
                    .contains("origin-unresolvable");
            assertThat(proxy.stats.value(ProxyStats.FAULTS, "origin-unresolvable"))
                    .isEqualTo(1);
            assertThat(proxy.stats.value(ProxyStats.FAULTS, "origin-reset")).isZero();
        }
    }

    @Test
    void aResolvedAddressThatIsRefusedIsCountedByItsReason() throws Exception {
        ConfigNode.Mapping section = mapping()
                .with("routes", list(mapping().with("forward", text("on"))))
                .with("destinations", mapping().with("deny", list(text("127.0.0.0/8"))));
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = new TestProxy(section);
                RawClient client = new RawClient(proxy.port())) {
            String authority = "127.0.0.1:" + origin.port();
            assertThat(client.send(request("GET", "http://" + authority + "/a", authority))
                            .answer())
                    .startsWith("HTTP/1.1 403 ")
                    .contains("destination-forbidden");
            assertThat(proxy.stats.value(ProxyStats.DESTINATIONS_REFUSED, "address-denied"))
                    .isEqualTo(1);
            assertThat(origin.heads).isEmpty();
        }
    }
}
