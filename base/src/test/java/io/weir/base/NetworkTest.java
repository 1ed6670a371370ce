package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Networks are literals: what is none is refused, and no name is looked up. */
class NetworkTest {
    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3", "255.255.255.255", "0.0.0.0", "::1", "2001:db8::7", "::ffff:10.1.2.3"})
    void anAddressIsTheNetworkOfItself(String literal) {
        assertThat(Network.parse(literal)
                        .contains(InetAddress.ofLiteral(literal).getAddress()))
                .isTrue();
        assertThat(Network.parse(literal)
                        .contains(InetAddress.ofLiteral("10.1.2.4").getAddress()))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "256.1.1.1",
                "1.2.3",
                "10",
                "0x0a.1.1.1",
                "localhost",
                "a:b",
                "g::1",
                ".:1",
                ":",
                "[::1]",
                "::1%lo",
                "1:2:3:4:5:6:7:8:9",
                "host:80",
                "",
                "10.0.0.1/8",
                "10.0.0.0/33"
            })
    void whatIsNoAddressIsRefused(String text) {
        assertThatThrownBy(() -> Network.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\"");
    }
}
