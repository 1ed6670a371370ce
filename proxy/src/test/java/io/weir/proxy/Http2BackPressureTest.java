package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.SocketTimeoutException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a stream's reader does not take is not read: in both directions the proxy holds a bounded part. */
@ExtendWith(LeakCheck.class)
class Http2BackPressureTest {
    private static final int FRAME = 16_384;

    @Test
    void anAnswerWaitsForItsWindow() throws Exception {
        AtomicLong taken = new AtomicLong();
        try (TestOrigin origin = BackPressureTest.pouring("", taken);
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = new FrameClient(proxy.port())) {
            client.get(1, "/big").next(FrameClient.HEADERS);
            BackPressureTest.stuck(taken);
            assertThat(taken.get()).isLessThan(BackPressureTest.HELD);
            client.frame(FrameClient.RST_STREAM, 0, 1, FrameClient.number(8));
        }
    }

    @Test
    void aRequestsBodyWaitsForItsOrigin() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    try {
                        done.await();
                    } catch (InterruptedException e) {
                        throw new java.io.InterruptedIOException();
                    }
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = new FrameClient(proxy.port())) {
            client.socket.setSoTimeout(700);
            client.request(1, false, FrameClient.lines("POST", "/up"));
            long sent = upload(client);
            assertThat(sent).isBetween(256L * 1024, BackPressureTest.HELD);
            done.countDown();
        }
    }

    /** Sends as the windows allow, until none is opened any more; how much that was. */
    private static long upload(FrameClient client) throws Exception {
        long stream = 256 * 1024;
        long connection = 65_535;
        long sent = 0;
        String piece = "x".repeat(FRAME);
        while (true) {
            while (stream >= FRAME && connection >= FRAME && sent < BackPressureTest.HELD) {
                client.data(1, false, piece);
                sent += FRAME;
                stream -= FRAME;
                connection -= FRAME;
            }
            try {
                FrameClient.Frame f = client.next(FrameClient.WINDOW_UPDATE);
                int more = f.error();
                stream += f.stream() == 1 ? more : 0;
                connection += f.stream() == 0 ? more : 0;
            } catch (SocketTimeoutException e) {
                return sent;
            }
        }
    }
}
