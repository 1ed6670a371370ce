package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SteppedClock;
import io.weir.kernel.listen.Listener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After the last GOAWAY a client that is sending a request is not reset, so that it reads that the request was not
 * processed, and may send it again elsewhere (RFC 9113 section 6.8).
 */
@ExtendWith(LeakCheck.class)
class Http2FarewellTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Stands still, so that no time-out is faster than the test. */
    private final SteppedClock clock = new SteppedClock(0);

    private static void farewell(FrameClient client) throws IOException {
        assertThat(client.next(FrameClient.GOAWAY).lastStream()).isEqualTo(Integer.MAX_VALUE);
        client.frame(FrameClient.PING, 1, 0, client.next(FrameClient.PING).payload());
        assertThat(client.next(FrameClient.GOAWAY).lastStream()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoIsSendingIsNotResetAndWhoDoesNotCloseIsNotWaitedForLong(boolean secure, @TempDir Path folder)
            throws Exception {
        TestTls tls = TestTls.in(folder);
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reversing(origin.port()).start(clock)) {
            Listener encrypted = tls.listener(proxy);
            try (FrameClient silent = client(proxy, tls, encrypted, secure)) {
                FrameClient sender = client(proxy, tls, encrypted, secure);
                for (FrameClient one : List.of(sender, silent)) {
                    String scheme = secure ? "https" : "http";
                    assertThat(one.request(1, true, ":method: GET", ":scheme: " + scheme, ":authority: x", ":path: /")
                                    .answer(1)
                                    .text())
                            .isEqualTo("hello");
                }
                var report = proxy.kernel.drain(LONG);
                farewell(sender);
                farewell(silent);
                byte[] piece = new byte[1024];
                for (int i = 0; i < 2000; i++) {
                    // after a reset the next one fails
                    sender.frame(FrameClient.DATA, 0, 3, piece);
                }
                assertThat(report).as("they may still send").isNotDone();
                sender.close();
                clock.step(Duration.ofSeconds(2));
                assertThat(report.join().reset()).isZero();
                assertThat(origin.heads).hasSize(2);
            }
        }
    }

    private static FrameClient client(TestProxy proxy, TestTls tls, Listener encrypted, boolean secure)
            throws Exception {
        return secure
                ? new FrameClient(tls.connect(encrypted, "h2")).preface(FrameClient.NOTHING)
                : new FrameClient(proxy.port());
    }
}
