package io.weir.kernel.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SteppedClock;
import io.weir.kernel.Await;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.mux.Muxer;
import io.weir.kernel.settings.KernelStats;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class WriteTimeOutTest {
    private static final int LARGE = 40_000_000;

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io_uring", "nio"})
    void clientThatTakesNothingIsResetAndOneThatTakesALittleIsNot(String muxer) throws Exception {
        takesNothingOrALittle(muxer, "big " + LARGE);
    }

    /** Netty's own accounting takes them for nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void partsOfFilesCountAsWell(String muxer, @TempDir Path folder) throws Exception {
        Path file = folder.resolve("large");
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(LARGE);
        }
        takesNothingOrALittle(muxer, "file " + file);
    }

    private static void takesNothingOrALittle(String muxer, String line) throws Exception {
        SteppedClock clock = new SteppedClock(0);
        try (TestKernel k =
                        new TestKernel(clock, Map.of(), "muxer=" + muxer, "time-outs.write=30s", "socket-readers=1");
                LineClient slow = k.client()) {
            slow.send(line);
            InputStream in = slow.socket().getInputStream();
            for (int i = 0; i < 8; i++) {
                // Seven pauses and 14 MB lie between two looks that would end it: more than all buffers on the way
                // hold.
                assertThat(in.readNBytes(2_000_000)).hasSize(2_000_000);
                clock.step(Duration.ofSeconds(4));
                wheelTurned(k);
            }
            assertThat(k.stats.value(KernelStats.WRITE_TIMEOUTS)).isZero();
            assertThat(k.kernel.connections()).isOne();
            for (int i = 0; i < 20 && k.kernel.connections() == 1; i++) {
                clock.step(Duration.ofSeconds(4));
                wheelTurned(k);
            }
            Await.until("reset", () -> k.kernel.connections() == 0);
            assertThat(k.stats.value(KernelStats.WRITE_TIMEOUTS)).isOne();
            assertThat(slow.end()).isEqualTo("reset");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void clientThatTakesALittleAtATimeIsResetWhenItFallsBehindTheRate(String muxer) throws Exception {
        SteppedClock clock = new SteppedClock(0);
        try (TestKernel k = new TestKernel(
                        clock,
                        Map.of(),
                        "muxer=" + muxer,
                        "time-outs.write=30s",
                        "time-outs.write-rate=1GiB",
                        "socket-readers=1");
                LineClient slow = k.client()) {
            slow.send("big " + 3 * LARGE);
            InputStream in = slow.socket().getInputStream();
            assertThat(in.readNBytes(1)).hasSize(1);
            for (int i = 0; i < 10 && k.kernel.connections() == 1; i++) {
                // more than lies between two looks, and worth a few milliseconds
                assertThat(in.readNBytes(8_000_000)).isNotEmpty();
                clock.step(Duration.ofSeconds(4));
                wheelTurned(k);
            }
            Await.until("reset", () -> k.kernel.connections() == 0);
            assertThat(k.stats.value(KernelStats.WRITE_RATE_TIMEOUTS)).isOne();
            assertThat(k.stats.value(KernelStats.WRITE_TIMEOUTS)).isZero();
        }
    }

    /** Waits until a probe, armed to expire at once, has. */
    private static void wheelTurned(TestKernel k) throws InterruptedException {
        Muxer m = k.kernel.muxers().get(0);
        m.eventLoop().submit(m.deadlines()::advance).sync();
    }
}
