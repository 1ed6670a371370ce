package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SteppedClock;
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
            begin(client);
            long sent = upload(client);
            assertThat(sent).isBetween(256L * 1024, BackPressureTest.HELD);
            done.countDown();
        }
    }

    /** No timer helps: the clock stands still. */
    @Test
    void theWindowOpensAsSoonAsTheOriginTakesMore() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    try {
                        reads.await();
                    } catch (InterruptedException e) {
                        throw new java.io.InterruptedIOException();
                    }
                    in.transferTo(java.io.OutputStream.nullOutputStream());
                    return false;
                });
                TestProxy proxy = TestProxy.reversing(origin.port()).start(new SteppedClock(0));
                FrameClient client = new FrameClient(proxy.port())) {
            begin(client);
            upload(client);
            client.socket.setSoTimeout(60_000);
            reads.countDown();
            assertThat(opened(client).stream()).isEqualTo(1);
        }
    }

    /** Opens stream 1 for an upload; the stream's window of the settings counts once they are acknowledged (RFC 9113 section 6.5.3). */
    private static void begin(FrameClient client) throws Exception {
        client.socket.setSoTimeout(700);
        client.next(FrameClient.SETTINGS);
        client.frame(FrameClient.SETTINGS, 1, 0, FrameClient.NOTHING);
        client.request(1, false, FrameClient.lines("POST", "/up"));
    }

    /** The next change of the stream's window; its reset is a fault. */
    private static FrameClient.Frame opened(FrameClient client) throws Exception {
        FrameClient.Frame f = client.next();
        while (f.type() != FrameClient.RST_STREAM && !(f.type() == FrameClient.WINDOW_UPDATE && f.stream() == 1)) {
            f = client.next();
        }
        assertThat(f.type()).isEqualTo(FrameClient.WINDOW_UPDATE);
        return f;
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
                FrameClient.Frame f = client.next();
                assertThat(f.type()).isNotIn(FrameClient.RST_STREAM, FrameClient.GOAWAY);
                int more = f.type() == FrameClient.WINDOW_UPDATE ? f.error() : 0;
                stream += f.stream() == 1 ? more : 0;
                connection += f.stream() == 0 ? more : 0;
            } catch (SocketTimeoutException e) {
                return sent;
            }
        }
    }
}
