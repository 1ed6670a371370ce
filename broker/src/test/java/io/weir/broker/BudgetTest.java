package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.CreditFrame;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.SendFrame;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the way of a non-persistent message through the broker allocates: {@code docs/hot-paths.md}. */
class BudgetTest {
    private static final int ROUNDS = 20_000;
    /** A message, its entry, and slices and lambdas that come and go. */
    private static final long BYTES = 600;

    private ResourceLeakDetector.Level level = ResourceLeakDetector.Level.PARANOID;

    /** Leak detection records where each buffer was touched, which is far more than what is measured. */
    @BeforeEach
    void withoutLeakDetection() {
        level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @AfterEach
    void withLeakDetection() {
        ResourceLeakDetector.setLevel(level);
    }

    @Test
    void aMessageFromSendToAcknowledgementStaysWithinItsBudget() {
        try (Bench bench = new Bench()) {
            Probe p = bench.client();
            p.session(1, Probe.AUTO, -1);
            p.listen(1, 5, Bench.queue("q"));
            p.wire.dropping = true;
            ByteBuf send = PooledByteBufAllocator.DEFAULT.directBuffer(4096);
            SendFrame.writeHead(send, 0, 7, 0, 0, Bench.queue("q"));
            Probe.block(send, new Probe.Draft("x".repeat(1024)));
            ByteBuf answer = PooledByteBufAllocator.DEFAULT.directBuffer(64);
            run(p, send, answer, 0);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            run(p, send, answer, ROUNDS);
            long each = (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS;
            send.release();
            answer.release();
            assertThat(each).as("bytes for each message").isLessThanOrEqualTo(BYTES);
            assertThat(bench.q().entries().total()).isEqualTo(2L * ROUNDS);
            assertThat(bench.q().entries().current()).isZero();
        }
    }

    private static void run(Probe p, ByteBuf send, ByteBuf answer, int from) {
        for (int i = 1; i <= ROUNDS; i++) {
            send.readerIndex(0);
            p.raw(FrameType.SEND, 1, send);
            answer.clear();
            AckFrame.write(answer, from + i, from + i, AckFrame.CONSUMED);
            p.raw(FrameType.ACK, 1, answer);
            answer.clear();
            CreditFrame.write(answer, 1, 1100);
            p.raw(FrameType.CREDIT, 1, answer);
        }
    }
}
