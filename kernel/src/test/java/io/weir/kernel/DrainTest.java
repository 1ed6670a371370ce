package io.weir.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SteppedClock;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DrainTest {
    @Test
    void idleConnectionsAreClosedAndBusyOnesFinish() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient idle = k.client();
                LineClient fresh = k.client();
                LineClient busy = k.client()) {
            idle.ask("x");
            busy.send("hold on");
            Await.until("one idles, one is busy", () -> k.echo.parked() == 1 && k.echo.held() == 1);
            Await.until("three are there", () -> k.echo.connections().size() == 3);
            CompletableFuture<DrainReport> drain = k.kernel.drain(Duration.ofMinutes(1));
            assertThat(idle.end()).isEqualTo("closed");
            assertThat(fresh.end()).isEqualTo("closed");
            assertThatThrownBy(k::client).isInstanceOf(ConnectException.class);
            assertThat(drain).isNotDone();
            k.echo.release();
            assertThat(busy.receive()).isEqualTo("hold on close");
            DrainReport report = drain.get(3, TimeUnit.MINUTES);
            assertThat(report.open()).isEqualTo(3);
            assertThat(report.idle()).isEqualTo(2);
            assertThat(report.finished()).isOne();
            assertThat(report.clean()).isTrue();
            assertThat(k.kernel.drain(Duration.ZERO)).isSameAs(drain);
        }
    }

    @Test
    void whatIsBusyAfterTheTimeOutIsReset() throws Exception {
        SteppedClock clock = new SteppedClock(0);
        try (TestKernel k = new TestKernel(clock, Map.of());
                LineClient busy = k.client()) {
            busy.send("hold for ever");
            Await.until("handled", () -> k.echo.held() == 1);
            CompletableFuture<DrainReport> drain = k.kernel.drain(Duration.ofSeconds(5));
            Await.until("draining", () -> k.log.count(KernelMessages.DRAINING) == 1);
            assertThat(drain).isNotDone();
            clock.step(Duration.ofSeconds(6));
            assertThat(drain.get(3, TimeUnit.MINUTES).reset()).isOne();
            assertThat(busy.end()).isEqualTo("reset");
            assertThat(k.stats.value(KernelStats.DRAIN_RESET)).isOne();
        }
    }

    @Test
    void busyConnectionIsToldOnce() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient busy = k.client()) {
            busy.send("hold");
            Await.until("handled", () -> k.echo.held() == 1);
            Connection c = k.echo.connections().getFirst();
            CompletableFuture<String> told = new CompletableFuture<>();
            c.channel()
                    .eventLoop()
                    .submit(() ->
                            c.onDrain(() -> told.complete(Thread.currentThread().getName())))
                    .sync();
            CompletableFuture<DrainReport> drain = k.kernel.drain(Duration.ofMinutes(1));
            assertThat(told.get(3, TimeUnit.MINUTES)).contains("weir.socket.Muxer");
            k.echo.release();
            assertThat(drain.get(3, TimeUnit.MINUTES).clean()).isTrue();
        }
    }

    @Test
    void nothingOpenIsDrainedAtOnce() throws Exception {
        try (TestKernel k = new TestKernel()) {
            assertThat(k.kernel
                            .drain(Duration.ofMinutes(1))
                            .get(3, TimeUnit.MINUTES)
                            .open())
                    .isZero();
        }
    }

    @Test
    void clientThatIsIdleAtARetirementIsAnsweredOnceMoreAndToldToGo() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient idle = k.client()) {
            idle.ask("x");
            Await.until("idle", () -> k.echo.parked() == 1);
            CompletableFuture<DrainReport> retired = k.kernel.retire(Duration.ofMinutes(1), Duration.ofMinutes(1));
            assertThatThrownBy(k::client).isInstanceOf(ConnectException.class);
            assertThat(retired).isNotDone();
            idle.send("once more");
            assertThat(idle.receive()).isEqualTo("once more close");
            assertThat(retired.get(3, TimeUnit.MINUTES).clean()).isTrue();
        }
    }

    @Test
    void whoIsIdleForTheWholeGraceIsClosed() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient idle = k.client()) {
            idle.ask("x");
            Await.until("idle", () -> k.echo.parked() == 1);
            CompletableFuture<DrainReport> retired = k.kernel.retire(Duration.ofMillis(10), Duration.ofMinutes(1));
            assertThat(idle.end()).isEqualTo("closed");
            assertThat(retired.get(3, TimeUnit.MINUTES).clean()).isTrue();
        }
    }
}
