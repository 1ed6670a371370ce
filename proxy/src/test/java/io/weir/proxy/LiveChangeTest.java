package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.proxy.context.EngineMessages;
import io.weir.proxy.program.config.ProxyConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of the section {@code proxy} while the proxy runs. */
@ExtendWith(LeakCheck.class)
class LiveChangeTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private static ProxyConfig config(String... lines) {
        return TestProxy.bind(ProxyConfig.class, lines);
    }

    @Test
    void aChangedRouteCountsForTheNextRequest() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").answer()).endsWith("hello");
            proxy.config.set(config("routes.0.deny=on"));
            assertThat(client.get("/a").answer()).startsWith("HTTP/1.1 403 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "routes.0.origins.0=ftp://nowhere",
                "trusted-proxies.0=300.1.1.1/99",
                "destinations.deny.0=everything",
                "origin-pool.bind=nowhere"
            })
    void aChangeThatCannotBeUsedLeavesTheOldState(String line) throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            String route = line.startsWith("routes") ? line : "routes.0.deny=on";
            proxy.config.set(config(route, line));
            assertThat(client.get("/a").answer()).endsWith("hello");
            assertThat(proxy.log.entries())
                    .filteredOn(e -> e.message() == EngineMessages.RECONFIGURE_FAILED)
                    .hasSize(1);
            proxy.config.set(config("routes.0.deny=on"));
            assertThat(client.get("/a").answer()).startsWith("HTTP/1.1 403 ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"trusted-proxies.0=10.0.0.0/33", "trusted-proxies.0=host", "origin-pool.bind=eth0"})
    void aStartWithSuchEntriesIsRefused(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        TestProxy.Made.of("routes.0.deny=on", line).start().close())
                .withMessageContaining(line.substring(line.indexOf('=') + 1));
    }

    @Test
    void theLocalAddressTowardsOriginsIsTheConfiguredOne() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reversing(origin.port(), "origin-pool.bind=127.0.0.9")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").answer()).endsWith("hello");
            assertThat(origin.peers()).containsExactly("127.0.0.9");
        }
    }

    @Test
    void changedLimitsCountForConnectionsThatAreOpen() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a", "X-Long: " + "x".repeat(5000)).answer()).endsWith("hello");
            proxy.config.set(
                    config("routes.0.origins.0=http://127.0.0.1:" + origin.port(), "limits.request-head=2KiB"));
            assertThat(client.get("/a", "X-Long: " + "x".repeat(5000)).answer()).startsWith("HTTP/1.1 431 ");
        }
    }
}
