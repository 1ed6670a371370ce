package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.weir.base.Chance;
import io.weir.broker.loop.ReadBuffers;
import io.weir.broker.queue.Message;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.SendFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages wait where they were read, and pin little more than themselves. */
@Tag("slow")
class ReadBuffersTest {
    private static final int READ = 64 << 10;
    private final ReadBuffers buffers = new ReadBuffers();

    /** The messages of one read: a buffer full of blocks. */
    private static List<Message> read(ByteBuf into, int bodies) {
        List<Message> messages = new ArrayList<>();
        ByteBuf one = PooledByteBufAllocator.DEFAULT.directBuffer();
        Probe.block(one, new Probe.Draft("x".repeat(bodies)));
        int size = one.readableBytes();
        while (into.writableBytes() >= size) {
            int start = into.writerIndex();
            into.writeBytes(one, 0, size);
            ByteBuf block = into.retainedSlice(start, size);
            messages.add(new Message(block, new MessageView().wrap(block), 0).in(into, start));
        }
        one.release();
        return messages;
    }

    private static ByteBuf buffer() {
        return PooledByteBufAllocator.DEFAULT.directBuffer(READ, READ);
    }

    private void bounded() {
        assertThat(buffers.pinned()).isLessThanOrEqualTo(buffers.used() * 3 / 2 + ReadBuffers.SLACK);
    }

    @Test
    void messagesThatFillTheirBufferWaitWhereTheyWereRead() {
        ByteBuf in = buffer();
        List<Message> messages = read(in, 1024);
        messages.forEach(m -> m.settleDown(buffers));
        buffers.tidy(0);
        assertThat(buffers.pinned()).isEqualTo(READ);
        assertThat(buffers.used())
                .isEqualTo(messages.stream().mapToLong(Message::size).sum());
        assertThat(buffers.moved()).isZero();
        assertThat(messages).allMatch(Message::isSettled);
        assertThat(in.refCnt()).as("one reference for all of them").isEqualTo(2);
        assertThat(messages.getLast().block()).isEqualTo(messages.getFirst().block());
        messages.forEach(Message::discard);
        assertThat(in.refCnt()).isEqualTo(1);
        assertThat(buffers.pinned()).isZero();
        assertThat(buffers.used()).isZero();
        in.release();
    }

    @Test
    void oneOfManyThatStaysDoesNotKeepTheBuffer() {
        ByteBuf in = buffer();
        List<Message> messages = read(in, 1024);
        Message stays = messages.removeFirst();
        stays.settleDown(buffers);
        messages.forEach(Message::discard);
        assertThat(in.refCnt()).as("for a moment").isEqualTo(2);
        ByteBuf before = stays.block().copy();
        buffers.tidy(0);
        assertThat(in.refCnt()).as("the message has let go of it").isEqualTo(1);
        assertThat(stays.block()).isEqualTo(before);
        assertThat(buffers.pinned()).isZero();
        assertThat(buffers.moved()).isEqualTo(1);
        stays.discard();
        before.release();
        in.release();
    }

    @Test
    void smallMessagesOfManyReadsPinNoMoreThanTheSlackAtAnyTime() {
        List<Message> stay = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ByteBuf in = buffer();
            List<Message> messages = read(in, 4096);
            stay.add(messages.removeFirst());
            stay.getLast().settleDown(buffers);
            bounded();
            messages.forEach(Message::discard);
            in.release();
        }
        assertThat(buffers.moved()).isGreaterThan(150);
        stay.forEach(Message::discard);
        assertThat(buffers.pinned()).isZero();
    }

    @Test
    void whateverLeavesInWhateverOrderTheRestPinsLittleMore() {
        RandomGenerator random = Chance.seeded(3).random();
        List<Message> waiting = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            ByteBuf in = buffer();
            for (Message m : read(in, random.nextInt(1, 5000))) {
                if (random.nextInt(4) > 0) {
                    m.settleDown(buffers);
                    waiting.add(m);
                } else {
                    m.discard();
                }
                bounded();
            }
            in.release();
            while (waiting.size() > 5000 || (!waiting.isEmpty() && random.nextInt(100) > 1)) {
                waiting.remove(random.nextInt(waiting.size())).discard();
                bounded();
            }
        }
        assertThat(buffers.moved()).isPositive();
        waiting.forEach(Message::discard);
        assertThat(buffers.pinned()).isZero();
        assertThat(buffers.used()).isZero();
    }

    @Test
    void aBufferOfItsOwnOrALargeOneIsNotCopied() {
        ByteBuf own = PooledByteBufAllocator.DEFAULT.directBuffer(1200, 1200);
        Message small = read(own, 1024).getFirst();
        ByteBuf wide = PooledByteBufAllocator.DEFAULT.directBuffer(40 << 10, 40 << 10);
        Message large = read(wide, 21 << 10).getFirst();
        small.settleDown(buffers);
        large.settleDown(buffers);
        buffers.tidy(0);
        assertThat(own.refCnt()).isEqualTo(2);
        assertThat(wide.refCnt()).isEqualTo(2);
        assertThat(buffers.pinned()).isZero();
        small.discard();
        large.discard();
        own.release();
        wide.release();
    }

    @Test
    void whatWaitsInAQueueIsMovedOutByTheUpkeepOfEachSecond() {
        DestinationName q = Bench.queue("q");
        try (Bench bench = new Bench()) {
            Probe p = bench.client();
            p.session(1, Probe.AUTO);
            ByteBuf in = buffer();
            SendFrame.writeHead(in, 0, 7, 0, 0, q);
            Probe.block(in, new Probe.Draft("stays"));
            p.raw(FrameType.SEND, 1, in);
            assertThat(in.refCnt()).isEqualTo(2);
            LoopMaintenance upkeep = bench.maintenance();
            upkeep.round();
            assertThat(in.refCnt()).isEqualTo(1);
            in.release();
            p.consumer(1, 5, q);
            assertThat(p.received(p.receive(1, 5, 0))).isEqualTo(1);
            assertThat(p.bodies()).containsExactly("stays");
        }
    }
}
