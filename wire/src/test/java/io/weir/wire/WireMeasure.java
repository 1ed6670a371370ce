package io.weir.wire;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.login.Credentials;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Prints the processor time that a frame costs a server's loop: read, cut, answered with the same payload, gathered,
 * written. No test: run its main with a payload's size and a number of frames, and with
 * {@code -Dio.netty.leakDetection.level=disabled}.
 */
public final class WireMeasure {
    private static final int ROUNDS = 8;

    private WireMeasure() {}

    private static final class Echo implements FrameHandler {
        private final WireConnection connection;
        private final AtomicLong seen = new AtomicLong();

        Echo(WireConnection connection) {
            this.connection = connection;
        }

        @Override
        public void frame(int type, int stream, ByteBuf payload) {
            seen.incrementAndGet();
            if (type == Recorder.ECHO) {
                connection.send(connection.newFrame(Recorder.ECHOED, stream, 0), payload);
            }
        }

        @Override
        public void closed(@Nullable Throwable cause) {
            // nothing to release
        }
    }

    public static void main(String[] arguments) {
        int size = Integer.parseInt(arguments[0]);
        int frames = Integer.parseInt(arguments[1]);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        PrintStream out = System.out;
        CompletableFuture<Echo> served = new CompletableFuture<>();
        CompletableFuture<Echo> made = new CompletableFuture<>();
        try (TestServer server = new TestServer(c -> made(c, served));
                WireClient client = WireClient.open()) {
            WireConnection connection = client.connect(
                            server.addresses(), Credentials.NONE, ClientOptions.DEFAULT, c -> made(c, made))
                    .join();
            long loop = CompletableFuture.supplyAsync(
                            () -> Thread.currentThread().threadId(),
                            served.join().connection.loop())
                    .join();
            for (int round = 0; round < ROUNDS; round++) {
                long before = threads.getThreadCpuTime(loop);
                echo(connection, made.join(), size, frames);
                double each = (threads.getThreadCpuTime(loop) - before) / 1000.0 / frames;
                out.println(String.format(Locale.ROOT, "%d bytes: %.2f us of the loop a frame", size, each));
            }
            connection.close();
        }
    }

    private static Echo made(WireConnection connection, CompletableFuture<Echo> into) {
        Echo echo = new Echo(connection);
        into.complete(echo);
        return echo;
    }

    private static void echo(WireConnection connection, Echo answers, int size, int frames) {
        long upTo = answers.seen.get() + frames;
        for (int i = 0; i < frames; i++) {
            connection.send(connection.newFrame(Recorder.ECHO, 1, size).writeZero(size));
            if (!connection.isWritable()) {
                Awaited.until(connection::isWritable);
            }
        }
        Awaited.until(() -> answers.seen.get() >= upTo);
    }
}
