package io.weir.kernel.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SteppedClock;
import io.weir.kernel.Await;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.mux.Muxer;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** While clients hold nearly all that there is for them, slow ones get less time. */
@Tag("slow")
class PressureTest {
    private static final int LARGE = 40_000_000;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private static void second(TestKernel k) throws InterruptedException {
        k.kernel.muxers().get(0).eventLoop().submit(k.kernel::second).sync();
    }

    @Test
    void fromAHalfOnEachConnectionMoreTightensWhatClientsMayTake() throws Exception {
        List<LineClient> held = new ArrayList<>();
        try (TestKernel k = new TestKernel("max-connections=16", "socket-readers=1")) {
            for (int open = 1; open <= 16; open++) {
                LineClient client = k.client();
                held.add(client);
                client.send("hold " + open);
                int now = open;
                Await.until("it is handled", () -> k.echo.held() == now);
                second(k);
                int step = Math.max(0, open - 8);
                assertThat(k.kernel.pressure().step()).isEqualTo(step);
                assertThat(k.kernel.pressure().time(MINUTE)).isEqualTo(MINUTE >> (step / 2));
                assertThat(k.kernel.pressure().rate(240)).isEqualTo(240L << step);
                assertThat(k.kernel.pressure().rate(0)).as("no bound").isZero();
            }
            assertThat(k.stats.value(KernelStats.PRESSURE)).isEqualTo(Pressure.STEPS);
            assertThat(k.log.count(KernelMessages.PRESSURE)).isOne();
            for (LineClient client : held) {
                k.echo.release();
                assertThat(client.receive()).startsWith("hold");
            }
            second(k);
            assertThat(k.kernel.pressure().step())
                    .as("idle connections are closed for new ones, so they do not count")
                    .isZero();
        } finally {
            for (LineClient client : held) {
                client.close();
            }
        }
    }

    @Test
    void whoReadsSlowlyIsNotIdle() throws Exception {
        List<LineClient> slow = new ArrayList<>();
        try (TestKernel k = new TestKernel("max-connections=8", "socket-readers=1")) {
            for (int i = 0; i < 8; i++) {
                LineClient client = k.client();
                slow.add(client);
                client.send("big 8000000");
                assertThat(client.socket().getInputStream().readNBytes(1)).hasSize(1);
            }
            assertThat(k.kernel.keepAlive().count())
                    .as("each has a place for later")
                    .isEqualTo(8);
            second(k);
            assertThat(k.kernel.pressure().step()).isEqualTo(Pressure.STEPS);
        } finally {
            for (LineClient client : slow) {
                client.close();
            }
        }
    }

    @Test
    void whoIsSlowAlreadyIsLookedAtAgain() throws Exception {
        SteppedClock clock = new SteppedClock(0);
        try (TestKernel k = new TestKernel(clock, Map.of(), "time-outs.write=10m", "socket-readers=1");
                LineClient slow = k.client()) {
            slow.send("big " + LARGE);
            InputStream in = slow.socket().getInputStream();
            assertThat(in.readNBytes(1)).hasSize(1);
            Await.until("it is watched", () -> k.stats.value(KernelStats.UNSENT) > 0);
            for (int i = 0; i < 10; i++) {
                clock.step(Duration.ofSeconds(5));
                wheelTurned(k);
            }
            assertThat(k.kernel.connections()).as("it has ten minutes").isOne();
            k.kernel.pressure().also(() -> 1);
            second(k);
            for (int i = 0; i < 2; i++) {
                clock.step(Duration.ofSeconds(20));
                wheelTurned(k);
            }
            Await.until("reset", () -> k.kernel.connections() == 0);
            assertThat(k.stats.value(KernelStats.WRITE_TIMEOUTS)).isOne();
            assertThat(k.stats.value(KernelStats.UNSENT)).isZero();
        }
    }

    @Test
    void whatWaitsForClientsIsCountedAndGoneWithThem() throws Exception {
        try (TestKernel k = new TestKernel("socket-readers=1")) {
            for (int i = 0; i < 3; i++) {
                try (LineClient slow = k.client()) {
                    slow.send("big " + LARGE);
                    Await.until("it waits", () -> k.stats.value(KernelStats.UNSENT) > 0);
                }
                Await.until("gone", () -> k.stats.value(KernelStats.UNSENT) == 0);
            }
        }
    }

    private static void wheelTurned(TestKernel k) throws InterruptedException {
        Muxer m = k.kernel.muxers().get(0);
        m.eventLoop().submit(m.deadlines()::advance).sync();
    }
}
