package io.weir.kernel.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.weir.base.SteppedClock;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Muxer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
    private final SteppedClock clock = new SteppedClock(0);

    private static KeepAlive keepAlive(TestKernel k) {
        return k.kernel.keepAlive();
    }

    @Test
    void nextRequestOfAKeptConnectionIsAHit() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient a = k.client()) {
            assertThat(a.ask("1")).isEqualTo("1");
            assertThat(keepAlive(k).hits()).isZero();
            Await.until("parked", () -> k.echo.parked() == 1);
            assertThat(a.ask("2")).isEqualTo("2");
            assertThat(keepAlive(k).hits()).isOne();
            a.leave();
            Await.until("gone", () -> keepAlive(k).count() == 0);
        }
    }

    /** An answer may come between the end of its connection and the hour when its protocol hears of that. */
    @Test
    void aConnectionThatHasClosedTakesNoPlaceAnyMore() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient a = k.client()) {
            a.ask("a");
            Connection c = k.echo.connections().getFirst();
            AtomicInteger places = new AtomicInteger(-1);
            AtomicInteger awaited = new AtomicInteger(-1);
            c.channel()
                    .eventLoop()
                    .submit(() -> {
                        // a close within a flush: all others are notified afterwards
                        c.channel().unsafe().close(c.channel().voidPromise());
                        assertThat(keepAlive(k).reserve(c)).isFalse();
                        assertThat(c.idle()).isFalse();
                        c.awaitClient();
                        c.waitForFirstRequest(Deadline.of(() -> {}), 1);
                        places.set(keepAlive(k).count());
                        awaited.set(c.waiting.awaited().size());
                    })
                    .sync();
            assertThat(places).hasValue(0);
            assertThat(awaited).hasValue(0);
            assertThat(keepAlive(k).refusals()).isZero();
        }
    }

    @Test
    void atTheMaximumANewKeepAliveIsRefusedAndOldOnesStay() throws Exception {
        try (TestKernel k = new TestKernel("keep-alive.max-connections=1");
                LineClient a = k.client();
                LineClient b = k.client()) {
            assertThat(a.ask("a")).isEqualTo("a");
            assertThat(b.ask("b")).isEqualTo("b close");
            assertThat(b.receive()).isEqualTo("<closed>");
            assertThat(keepAlive(k).refusals()).isOne();
            assertThat(keepAlive(k).flushes()).isZero();
            assertThat(a.ask("still here")).isEqualTo("still here");
            assertThat(keepAlive(k).count()).isOne();
            assertThat(keepAlive(k).limit()).isOne();
        }
    }

    @Test
    void idleConnectionIsClosedAfterTheTimeOutAndNotBefore() throws Exception {
        try (TestKernel k = new TestKernel(clock, Map.of(), "keep-alive.timeout=10s");
                LineClient a = k.client();
                LineClient b = k.client()) {
            a.ask("a");
            Await.until("a parked", () -> k.echo.parked() == 1);
            clock.step(Duration.ofSeconds(6));
            b.ask("b");
            Await.until("b parked", () -> k.echo.parked() == 2);
            clock.step(Duration.ofSeconds(6));
            assertThat(a.end()).isEqualTo("closed");
            assertThat(keepAlive(k).timeOuts()).isOne();
            assertThat(b.ask("b is younger")).isEqualTo("b is younger");
        }
    }

    @Test
    void aProtocolThatKnowsHowToLeaveIsToldInPlaceOfClosing() throws Exception {
        try (TestKernel k = new TestKernel(clock, Map.of(), "keep-alive.timeout=10s");
                LineClient a = k.client()) {
            a.ask("a");
            Await.until("parked", () -> k.echo.parked() == 1);
            Connection c = k.echo.connections().getFirst();
            CountDownLatch told = new CountDownLatch(1);
            c.channel().eventLoop().submit(() -> c.onLeave(told::countDown)).sync();
            clock.step(Duration.ofSeconds(11));
            told.await();
            Await.until("no place is held", () -> keepAlive(k).count() == 0);
            assertThat(a.ask("on its way")).isEqualTo("on its way");
        }
    }

    @Test
    void shorterTimeOutAppliesToConnectionsThatIdleAlready() throws Exception {
        try (TestKernel k = new TestKernel(clock, Map.of(), "keep-alive.timeout=300s");
                LineClient a = k.client()) {
            a.ask("a");
            Await.until("parked", () -> k.echo.parked() == 1);
            k.config.set(Configs.kernel("keep-alive.timeout=2s"));
            clock.step(Duration.ofSeconds(3));
            assertThat(a.end()).isEqualTo("closed");
            assertThat(keepAlive(k).timeOuts()).isOne();
        }
    }

    @Test
    void timeOutZeroKeepsNone() throws Exception {
        try (TestKernel k = new TestKernel("keep-alive.timeout=0s");
                LineClient a = k.client()) {
            assertThat(a.ask("a")).isEqualTo("a close");
            assertThat(a.receive()).isEqualTo("<closed>");
            assertThat(keepAlive(k).refusals()).isZero();
        }
    }

    @Test
    void maximumZeroRefusesAll() throws Exception {
        try (TestKernel k = new TestKernel("keep-alive.max-connections=0");
                LineClient a = k.client()) {
            assertThat(a.ask("a")).isEqualTo("a close");
            assertThat(keepAlive(k).refusals()).isOne();
        }
    }

    @Test
    void pipelinedRequestsAreHitsToo() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient a = k.client()) {
            a.send("hit 1\nhit 2\nhit 3");
            assertThat(a.receive()).isEqualTo("hit 1");
            assertThat(a.receive()).isEqualTo("hit 2");
            assertThat(a.receive()).isEqualTo("hit 3");
            assertThat(keepAlive(k).hits()).isEqualTo(2);
            Await.until("parked once", () -> keepAlive(k).count() == 1);
        }
    }

    @Test
    void clientThatStillTakesItsAnswerIsNotIdleYet() throws Exception {
        try (TestKernel k = new TestKernel(
                        clock, Map.of(), "keep-alive.timeout=10s", "time-outs.write=1h", "socket-readers=1");
                LineClient slow = k.client()) {
            k.echo.parkEarly();
            slow.send("big 20000000");
            Await.until("parked with bytes unsent", () -> k.echo.parked() == 1);
            Connection c = k.echo.connections().getFirst();
            Muxer m = c.muxer();
            for (int i = 0; i < 3; i++) {
                clock.step(Duration.ofSeconds(11));
                m.eventLoop().submit(m.deadlines()::advance).sync();
            }
            assertThat(m.eventLoop()
                            .submit(() -> keepAlive(k).flushOldest(c.waiting))
                            .get())
                    .isFalse();
            assertThat(slow.receive()).hasSize(20_000_000 - 1);
            clock.step(Duration.ofSeconds(22));
            assertThat(slow.end()).isEqualTo("closed");
            assertThat(keepAlive(k).timeOuts()).isOne();
        }
    }

    @Test
    void hitThatIsKeptAllocatesNothingInTheKernel() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient c = k.client()) {
            c.ask("x");
            Await.until("parked", () -> k.echo.parked() == 1);
            Connection connection = k.echo.connections().getFirst();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long bytes = connection
                    .channel()
                    .eventLoop()
                    .submit(() -> {
                        hits(k, connection, 20_000);
                        long before = threads.getCurrentThreadAllocatedBytes();
                        hits(k, connection, 10_000);
                        return threads.getCurrentThreadAllocatedBytes() - before;
                    })
                    .get();
            assertThat(bytes).isLessThan(10_000);
            assertThat(keepAlive(k).hits()).isEqualTo(30_000);
        }
    }

    private static void hits(TestKernel k, Connection c, int n) {
        for (int i = 0; i < n; i++) {
            c.busy();
            c.state().begin("GET", "/", "default", c.muxer().deadlines().now());
            k.kernel.connectionQueue().passed();
            keepAlive(k).reserve(c);
            c.idle();
        }
    }
}
