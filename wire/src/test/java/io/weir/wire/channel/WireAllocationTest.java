package io.weir.wire.channel;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.weir.wire.Awaited;
import io.weir.wire.FrameHandler;
import io.weir.wire.Recorder;
import io.weir.wire.TestServer;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFrame;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.login.Credentials;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds the wire's hot paths to the budgets of docs/hot-paths.md: bytes allocated per frame, warm. */
final class WireAllocationTest {
    private static final int FRAMES = 20_000;
    private static final int PAYLOAD = 1024;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();

    /** Tracking each buffer allocates. */
    @BeforeEach
    void trackNothing() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @AfterEach
    void trackAgain() {
        ResourceLeakDetector.setLevel(level);
    }

    /** Answers each frame with its payload, and counts. */
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

    @Test
    void cuttingReadsIntoFramesAllocatesNothing() {
        long[] seen = {0};
        FrameDecoder decoder = new FrameDecoder(new FrameDecoder.Sink() {
            @Override
            public int maxFrame() {
                return 1 << 20;
            }

            @Override
            public void frame(int type, int stream, ByteBuf payload) {
                seen[0] += payload.readableBytes();
            }

            @Override
            public boolean stopped() {
                return false;
            }
        });
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
        ByteBuf read = allocator.directBuffer(64 * 1024);
        while (read.isWritable(PAYLOAD + WireFrame.HEAD)) {
            read.writeInt(FrameDecoder.LEAST + PAYLOAD)
                    .writeByte(0x20)
                    .writeInt(1)
                    .writeZero(PAYLOAD);
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 200; i++) {
                decoder.read(read.retain().readerIndex(0), allocator);
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        read.release();
        assertThat(least).isZero();
        assertThat(seen[0]).isPositive();
    }

    @Test
    void aFrameThereAndBackAllocatesNextToNothingOnTheServersLoop() {
        CompletableFuture<Echo> served = new CompletableFuture<>();
        try (TestServer server = new TestServer(c -> {
                    Echo e = new Echo(c);
                    served.complete(e);
                    return e;
                });
                WireClient client = WireClient.open()) {
            CompletableFuture<Echo> made = new CompletableFuture<>();
            WireConnection connection = client.connect(
                            server.addresses(), Credentials.NONE, ClientOptions.DEFAULT, c -> {
                                Echo e = new Echo(c);
                                made.complete(e);
                                return e;
                            })
                    .join();
            long thread = CompletableFuture.supplyAsync(
                            () -> Thread.currentThread().threadId(),
                            served.join().connection.loop())
                    .join();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long before = THREADS.getThreadAllocatedBytes(thread);
                echo(connection, made.join());
                least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - before);
            }
            assertThat(least / FRAMES).isLessThanOrEqualTo(8);
            connection.close();
        }
    }

    private static void echo(WireConnection connection, Echo answers) {
        long upTo = answers.seen.get() + FRAMES;
        for (int i = 0; i < FRAMES; i++) {
            ByteBuf frame = connection.newFrame(Recorder.ECHO, i, PAYLOAD);
            connection.send(frame.writeZero(PAYLOAD));
            if (!connection.isWritable()) {
                Awaited.until(connection::isWritable);
            }
        }
        Awaited.until(() -> answers.seen.get() >= upTo);
    }
}
