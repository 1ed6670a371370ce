package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients of a process that another one replaces: no request fails. */
@ExtendWith(LeakCheck.class)
class RetireTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    void aConnectionWhoseResponseSaidKeepAliveTakesOneMoreRequest() throws Exception {
        CountDownLatch retired = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    out.write("HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 5\r\n\r\nhel"
                            .getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                    await(retired);
                    out.write("lo".getBytes(StandardCharsets.ISO_8859_1));
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").head()).startsWith("HTTP/1.1 200 ").doesNotContain("close");
            var report = proxy.kernel.retire(LONG, LONG);
            retired.countDown();
            assertThat(client.bytes(5)).isEqualTo("hello");
            assertThat(client.get("/b").head()).startsWith("HTTP/1.1 200 ").contains("Connection: close");
            assertThat(client.bytes(5)).isEqualTo("hello");
            assertThat(client.ended()).isTrue();
            assertThat(report.join().clean()).isTrue();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
