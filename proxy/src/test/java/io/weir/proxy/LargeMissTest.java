package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a large answer that is not stored costs: no pauses of its origin without need, and the proxy's buffers. */
@ExtendWith(LeakCheck.class)
class LargeMissTest {
    private static final int BODY = 40 * 1024;

    private static final String ANSWER = "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nKeep-Alive: timeout=60\r\n"
            + "Content-Length: " + BODY + "\r\n\r\n" + "x".repeat(BODY);

    /**
     * A connection whose reading was paused is not used again if its origin said how long it keeps one: the time may be
     * over. So a pause without need costs a connection.
     */
    @Test
    void anOriginIsNotPausedForWhatTheClientsSocketTakes() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ANSWER);
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "buffers.write-high=8KiB", "buffers.write-low=4KiB")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/" + i).answer()).hasSizeGreaterThan(BODY);
            }
            assertThat(origin.connections).hasValue(1);
        }
    }

    /** Netty's default allocator allocates and frees memory for each larger read; nor is it counted by the proxy. */
    @Test
    void answersAreReadIntoTheProxysBuffers() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ANSWER);
                TestProxy proxy = TestProxy.reversing(origin.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            long before = used();
            assertThat(client.get("/").answer().getBytes(StandardCharsets.ISO_8859_1))
                    .hasSizeGreaterThan(BODY);
            assertThat(used()).isLessThanOrEqualTo(before);
        }
    }

    private static long used() {
        return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                .metric()
                .usedDirectMemory();
    }
}
