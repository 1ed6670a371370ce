package io.weir.proxy;

import static io.weir.proxy.FrameClient.lines;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.settings.KernelStats;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.http2.Flood;
import io.weir.proxy.http2.Http2Stats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The ways of {@link SlowLorisTest} that HTTP/2 adds: what its frames hold, is ended in time and counted. */
@ExtendWith(LeakCheck.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class Http2LorisTest {
    private static final int CANCEL = 8;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static TestOrigin origin;
    private static TestProxy proxy;

    @BeforeAll
    static void start() throws Exception {
        origin = new TestOrigin((head, in, out) -> {
            if (head.startsWith("POST")) {
                return in.readAllBytes().length < 0;
            }
            TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(100_000));
            return true;
        });
        proxy = TestProxy.reversing(origin.port())
                .kernel(
                        "socket-readers=1",
                        "accept-time-out=400ms",
                        "keep-alive.timeout=400ms",
                        "time-outs.write=400ms",
                        "time-outs.body=400ms",
                        "time-outs.body-rate=10KiB")
                .start();
    }

    @AfterAll
    static void stop() throws Exception {
        proxy.close();
        origin.close();
    }

    @Test
    void aWindowThatIsOpenedAByteAtATime() throws Exception {
        long before = proxy.value(Http2Stats.STALLED);
        try (FrameClient client = FrameClient.bare(proxy.port())) {
            client.preface(FrameClient.setting(4, 0)).get(1, "/");
            client.fields(client.next(FrameClient.HEADERS));
            int type = FrameClient.DATA;
            for (int i = 0; type == FrameClient.DATA; i++) {
                assertThat(i).isLessThan(1000);
                LockSupport.parkNanos(PAUSE);
                client.frame(FrameClient.WINDOW_UPDATE, 0, 1, FrameClient.number(1));
                FrameClient.Frame frame = client.next();
                while (frame.type() != FrameClient.DATA && frame.type() != FrameClient.RST_STREAM) {
                    frame = client.next();
                }
                type = frame.type();
                assertThat(type == FrameClient.RST_STREAM ? frame.error() : CANCEL)
                        .isEqualTo(CANCEL);
            }
            assertThat(proxy.value(Http2Stats.STALLED)).isEqualTo(before + 1);
            // the connection has done nothing wrong
            client.frame(FrameClient.SETTINGS, 0, 0, FrameClient.setting(4, 200_000));
            client.frame(FrameClient.WINDOW_UPDATE, 0, 0, FrameClient.number(200_000));
            assertThat(client.get(3, "/").answer(3).text()).hasSize(100_000);
        }
        assertThat(proxy.value(Http2Stats.FLOODS, Flood.STALLED.label())).isZero();
    }

    @Test
    void aBodyThatPausesOrComesByteByByte() throws Exception {
        long silent = proxy.value(EngineStats.BODY_TIMEOUTS);
        long slow = proxy.value(EngineStats.BODY_RATE_TIMEOUTS);
        try (FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, false, lines("POST", "/"));
            client.request(3, false, lines("POST", "/"));
            while (proxy.value(EngineStats.BODY_RATE_TIMEOUTS) == slow) {
                LockSupport.parkNanos(PAUSE);
                client.data(3, false, "a");
            }
            Await.until("the silent one is ended", () -> proxy.value(EngineStats.BODY_TIMEOUTS) == silent + 1);
        }
    }

    @Test
    void aConnectionThatDoesNothing() throws Exception {
        long silent = proxy.value(KernelStats.ACCEPT_TIMEOUTS);
        try (FrameClient nothing = FrameClient.bare(proxy.port());
                FrameClient half = FrameClient.bare(proxy.port());
                FrameClient greets = new FrameClient(proxy.port());
                FrameClient pings = new FrameClient(proxy.port())) {
            half.raw("PRI * HTTP".getBytes(StandardCharsets.US_ASCII));
            Thread.ofVirtual().start(() -> pingOn(pings));
            assertThat(nothing.ended()).isTrue();
            assertThat(half.ended()).isTrue();
            assertThat(greets.ended()).isTrue();
            Await.until("all are closed, who pings too", () -> proxy.kernel.connections() == 0);
        }
        assertThat(proxy.value(KernelStats.ACCEPT_TIMEOUTS)).isGreaterThan(silent);
    }

    private static void pingOn(FrameClient client) {
        try {
            while (true) {
                client.frame(FrameClient.PING, 0, 0, new byte[8]);
                LockSupport.parkNanos(PAUSE);
            }
        } catch (IOException e) {
            // cut off, as it should be
        }
    }
}
