package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SteppedClock;
import io.weir.proxy.FrameClient.Frame;
import io.weir.proxy.http2.Http2Stats;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A connection ends without losing a request that was on its way (RFC 9113 section 6.8). */
@ExtendWith(LeakCheck.class)
class Http2GoodbyeTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    /** Stands still, so that no time-out is faster than a test. */
    private final SteppedClock clock = new SteppedClock(0);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    private TestOrigin slowAtFirst() throws Exception {
        return new TestOrigin((head, in, out) -> {
            if (head.startsWith("GET /slow")) {
                asked.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new java.io.InterruptedIOException();
                }
            }
            TestOrigin.write(out, OK);
            return true;
        });
    }

    @Test
    void whatIsOnItsWayWhenTheServerDrainsIsAnsweredAndNothingAfterIt() throws Exception {
        try (TestOrigin origin = slowAtFirst();
                TestProxy proxy = TestProxy.reversing(origin.port()).start(clock);
                FrameClient client = new FrameClient(proxy.port())) {
            client.get(1, "/slow");
            asked.await();
            var report = proxy.kernel.drain(LONG);
            Frame first = client.next(FrameClient.GOAWAY);
            assertThat(first.lastStream()).isEqualTo(Integer.MAX_VALUE);
            assertThat(first.error()).isZero();
            client.get(3, "/on-its-way");
            client.frame(FrameClient.PING, 1, 0, client.next(FrameClient.PING).payload());
            client.get(5, "/too-late");
            // both come in either order
            boolean last = false;
            boolean answered = false;
            while (!(last && answered)) {
                Frame f = client.next();
                if (f.type() == FrameClient.GOAWAY) {
                    assertThat(f.lastStream()).isEqualTo(3);
                    last = true;
                } else if (f.stream() == 5) {
                    assertThat(f.type()).isEqualTo(FrameClient.RST_STREAM);
                    assertThat(f.error()).as("REFUSED_STREAM").isEqualTo(7);
                } else {
                    assertThat(f.stream()).isIn(0, 3);
                    if (f.type() == FrameClient.HEADERS) {
                        assertThat(client.fields(f)).containsEntry(":status", "200");
                    }
                    answered = answered || (f.stream() == 3 && f.ends());
                }
            }
            release.countDown();
            assertThat(client.answer(1).text()).isEqualTo("hello");
            assertThat(client.ended()).isTrue();
            assertThat(report.join().reset()).isZero();
            assertThat(origin.heads).noneMatch(h -> h.startsWith("GET /too-late"));
            assertThat(proxy.value(Http2Stats.GOAWAYS_SENT, "drain")).isOne();
        }
    }

    @Test
    void anIdleClientIsToldAndItsLastRequestAnswered() throws Exception {
        try (TestOrigin origin = slowAtFirst();
                TestProxy proxy = TestProxy.reversing(origin.port()).start(clock);
                FrameClient client = new FrameClient(proxy.port());
                FrameClient silent = new FrameClient(proxy.port())) {
            assertThat(client.get(1, "/a").answer(1).text()).isEqualTo("hello");
            Await.until("both are there", () -> proxy.value(Http2Stats.OPEN) == 2);
            var report = proxy.kernel.drain(LONG);
            assertThat(client.next(FrameClient.GOAWAY).lastStream()).isEqualTo(Integer.MAX_VALUE);
            assertThat(client.get(3, "/b").answer(3).text()).isEqualTo("hello");
            assertThat(silent.next(FrameClient.GOAWAY).lastStream()).isEqualTo(Integer.MAX_VALUE);
            // neither acknowledges: they are not waited for
            clock.step(Duration.ofSeconds(2));
            assertThat(client.next(FrameClient.GOAWAY).lastStream()).isEqualTo(3);
            assertThat(client.ended()).isTrue();
            assertThat(silent.ended()).isTrue();
            assertThat(report.join().reset()).isZero();
            assertThat(proxy.value(Http2Stats.GOAWAYS_SENT, "drain")).isEqualTo(2);
        }
    }

    @Test
    void aRetiringServerTellsAllItsClientsAtOnce() throws Exception {
        try (TestOrigin origin = slowAtFirst();
                TestProxy proxy = TestProxy.reversing(origin.port()).start(clock);
                FrameClient busy = new FrameClient(proxy.port());
                FrameClient idle = new FrameClient(proxy.port())) {
            assertThat(idle.get(1, "/a").answer(1).text()).isEqualTo("hello");
            busy.get(1, "/slow");
            asked.await();
            var report = proxy.kernel.retire(LONG, LONG);
            assertThat(idle.goodbye().lastStream()).isEqualTo(Integer.MAX_VALUE);
            assertThat(busy.goodbye().lastStream()).isEqualTo(Integer.MAX_VALUE);
            assertThat(idle.ended()).isTrue();
            release.countDown();
            assertThat(busy.answer(1).text()).isEqualTo("hello");
            assertThat(busy.ended()).isTrue();
            // long before the grace is over
            assertThat(report.join().clean()).isTrue();
        }
    }

    @Test
    void withoutAPlaceToIdleAConnectionIsLeftInOrder() throws Exception {
        try (TestOrigin origin = slowAtFirst();
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "keep-alive.timeout=0s")
                        .start(clock);
                FrameClient client = new FrameClient(proxy.port())) {
            assertThat(client.get(1, "/a").answer(1).text()).isEqualTo("hello");
            assertThat(client.next(FrameClient.GOAWAY).lastStream()).isEqualTo(Integer.MAX_VALUE);
            byte[] ping = client.next(FrameClient.PING).payload();
            assertThat(client.get(3, "/b").answer(3).text()).isEqualTo("hello");
            client.frame(FrameClient.PING, 1, 0, ping);
            assertThat(client.ended()).isTrue();
            assertThat(proxy.value(Http2Stats.GOAWAYS_SENT, "idle")).isOne();
        }
    }
}
