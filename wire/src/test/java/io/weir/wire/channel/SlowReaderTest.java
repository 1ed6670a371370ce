package io.weir.wire.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.weir.wire.Awaited;
import io.weir.wire.Configs;
import io.weir.wire.Connected;
import io.weir.wire.Ends;
import io.weir.wire.Recorder;
import io.weir.wire.TestServer;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireStats;
import io.weir.wire.client.WireClient;
import io.weir.wire.naming.NamingDirectory;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A client that stops reading. */
final class SlowReaderTest {
    private final BlockingQueue<Recorder> served = new LinkedBlockingQueue<>();

    private TestServer server(String... settings) {
        return new TestServer(
                Configs.config(settings),
                TestServer.ANNA,
                NamingDirectory.empty(),
                c -> {
                    Recorder r = new Recorder(c);
                    served.add(r);
                    return r;
                },
                null);
    }

    private static void sendFrames(Recorder from, int frames, int size) {
        for (int i = 0; i < frames; i++) {
            ByteBuf frame = from.connection.newFrame(0x20, i, size);
            frame.writeZero(size);
            from.connection.send(frame);
        }
    }

    @Test
    void theHandlerIsToldToPauseAndToResume() throws Exception {
        try (TestServer server = server();
                WireClient client = WireClient.open()) {
            Recorder c = new Connected(client, server).handler();
            Recorder s = served.poll(3, TimeUnit.MINUTES);
            c.connection.reading(false);
            int sent = 0;
            // the sockets between may take more after it was not writable for a moment
            while (!s.writability.contains(false) || s.connection.isWritable()) {
                if (s.connection.isWritable()) {
                    sendFrames(s, 10, 1000);
                    sent += 10;
                }
                assertThat(s.connection.pendingBytes()).isLessThan(1 << 20);
            }
            c.connection.reading(true);
            Awaited.until(() -> s.writability.contains(true) && s.connection.isWritable());
            for (int i = 0; i < sent; i++) {
                c.next();
            }
            assertThat(server.stats.value(WireStats.WRITABILITY)).isPositive();
            c.connection.close();
        }
    }

    @Test
    void overTheLimitItIsCutOffAndCountedAndOthersGoOn() throws Exception {
        try (TestServer server = server("outbound.limit=1MiB");
                WireClient client = WireClient.open()) {
            Recorder c = new Connected(client, server).handler();
            Recorder s = served.poll(3, TimeUnit.MINUTES);
            Recorder other = new Connected(client, server).handler();
            c.connection.reading(false);
            while (s.connection.isOpen()) {
                sendFrames(s, 10, 10_000);
            }
            assertThat(s.cause())
                    .isInstanceOfSatisfying(
                            WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.SLOW_READER));
            assertThat(server.faults(Reason.SLOW_READER)).isEqualTo(1);
            other.send(Recorder.ECHO, 1, "undisturbed");
            assertThat(other.next().payload()).isEqualTo("undisturbed");
            c.connection.reading(true);
            other.connection.close();
            c.cause();
        }
    }

    @Test
    void manySmallFramesToASlowReaderLieDenseInMemory() {
        try (Ends e = new Ends("outbound.high=64KiB", "outbound.low=16KiB").loggedIn()) {
            WireConnection c = e.handler().connection;
            for (int i = 0; i < 200; i++) {
                ByteBuf frame = c.newFrame(0x20, i, 11);
                frame.writeZero(11);
                c.send(frame);
            }
            assertThat(c.pendingBytes()).isEqualTo(200 * 20);
            assertThat(e.out()).hasSize(200);
        }
    }
}
