package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.proxy.qos.QosStats;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bandwidth as clients see it, hits and misses, over real connections. */
@ExtendWith(LeakCheck.class)
class QosTest {
    private static final int BYTES = 192 * 1024;

    private static String head() {
        return "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: " + BYTES + "\r\n\r\n";
    }

    private static String body() {
        StringBuilder text = new StringBuilder(BYTES);
        for (int i = 0; text.length() < BYTES; i++) {
            text.append(i).append(' ');
        }
        return text.substring(0, BYTES);
    }

    private static TestProxy.Made limited(TestProxy.Made made, String line) {
        List<String> lines = new ArrayList<>(made.proxy());
        lines.add(line);
        return TestProxy.Made.of(lines.toArray(String[]::new));
    }

    @Test
    void answersArriveWholeAndNoFasterThanTheClientsBandwidth() throws Exception {
        String sent = body();
        try (TestOrigin origin = TestOrigin.always(head() + sent);
                TestProxy proxy = limited(TestProxy.reversing(origin.port()), "client-limits.bandwidth=512KiB")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            long before = SystemClock.INSTANCE.nanos();
            for (int i = 0; i < 2; i++) {
                client.get("/a").head();
                assertThat(client.bytes(BYTES)).isEqualTo(sent);
            }
            // what was sent beyond one bucket of a quarter of a second's bytes took its time
            long least = (long) ((2 * BYTES - 512 * 1024 / 4) / (512.0 * 1024) * 1e9);
            assertThat(SystemClock.INSTANCE.nanos() - before).isGreaterThanOrEqualTo(least);
            assertThat(proxy.stats.value(QosStats.PAUSES, "client")).isPositive();
            Await.until("nobody is paced", () -> proxy.stats.value(QosStats.PACED) == 0);
        }
    }

    @Test
    void connectionThatIsClosedWhileItsAnswerWaitsLeavesNothingBehind() throws Exception {
        try (TestOrigin origin = TestOrigin.always(head() + body());
                TestProxy proxy = limited(TestProxy.reversing(origin.port()), "client-limits.bandwidth=16KiB")
                        .start()) {
            try (RawClient client = new RawClient(proxy.port())) {
                client.get("/a").head();
                Await.until("the answer is paced", () -> proxy.stats.value(QosStats.PACED) == 1);
            }
            Await.until("nobody is paced", () -> proxy.stats.value(QosStats.PACED) == 0);
        }
    }

    @Test
    void answerThatClosesTheConnectionIsSentToItsEndFirst() throws Exception {
        String sent = body();
        try (TestOrigin origin = TestOrigin.always(head() + sent);
                TestProxy proxy = limited(TestProxy.reversing(origin.port()), "client-limits.bandwidth=1MiB")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", "Connection: close").head();
            assertThat(client.rest()).isEqualTo(sent);
        }
    }
}
