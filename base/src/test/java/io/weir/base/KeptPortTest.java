package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class KeptPortTest {
    @Test
    void isFreeAndNoneOfOutgoingConnections() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        for (int i = 0; i < 20; i++) {
            try (ServerSocket taken = new ServerSocket(KeptPort.on(loopback), 1, loopback)) {
                assertThat(taken.getLocalPort()).isBetween(20_000, 31_999);
                assertThat(KeptPort.on(loopback)).isNotEqualTo(taken.getLocalPort());
            }
        }
    }
}
