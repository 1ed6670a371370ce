package io.weir.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpgradesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "h2c",
                "H2C",
                "h2",
                "h2c-14",
                "h3",
                "HTTP/2.0",
                "http/1.1",
                "HTTP",
                "HTTP /2.0",
                "TLS/1.2",
                "tls",
                "websocket, h2c",
                "h2c,websocket",
                " h2c ",
                ",h2c"
            })
    void httpInsideHttpHidesRequests(String protocols) {
        assertThat(Upgrades.hideRequests(protocols)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"websocket", "WebSocket", "websocket, foo/2", "SPDY/3.1", "tcp", "hyper", ""})
    void otherProtocolsAreWhatTheyAre(String protocols) {
        assertThat(Upgrades.hideRequests(protocols)).isFalse();
    }
}
