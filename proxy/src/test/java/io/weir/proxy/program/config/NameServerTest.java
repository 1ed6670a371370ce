package io.weir.proxy.program.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.proxy.program.Bench;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameServerTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.2, 10.0.0.2, 53",
        "10.0.0.2:5353, 10.0.0.2, 5353",
        "fd00::2, fd00:0:0:0:0:0:0:2, 53",
        "[fd00::2], fd00:0:0:0:0:0:0:2, 53",
        "[fd00::2]:65535, fd00:0:0:0:0:0:0:2, 65535"
    })
    void addressesComeWithOrWithoutPort(String text, String address, int port) {
        assertThat(NameServer.parse(text).getAddress().getHostAddress()).isEqualTo(address);
        assertThat(NameServer.parse(text).getPort()).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "dns.example", "dns.example:53", "10.0.0.2:0", "10.0.0.2:65536", "10.0.0.2:x", ":53"})
    void namesAndBadPortsAreRefused(String text) {
        assertThatThrownBy(() -> NameServer.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("such as 10.0.0.2:5353");
    }

    @Test
    void badNameServerIsAProblemOfTheConfiguration() {
        Bench bench = new Bench().set("dns", Bench.map("servers", java.util.List.of("dns.example")));
        assertThat(bench.problems()).singleElement().satisfies(p -> {
            assertThat(p.key()).isEqualTo("proxy.dns.servers");
            assertThat(p.what()).contains("dns.example");
        });
    }
}
