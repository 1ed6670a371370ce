package io.weir.wire.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.Ends;
import io.weir.wire.LostConnection;
import io.weir.wire.Recorder;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireFrame;
import io.weir.wire.WireStats;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A connection that is logged in, seen from the server. */
final class ConnectionTest {
    private static ByteBuf threeFrames() {
        return Unpooled.wrappedBuffer(
                Ends.frame(0x20, 1, "first"), Ends.frame(0x20, 2, ""), Ends.frame(0x20, 3, "x".repeat(600)));
    }

    private static void sees(Ends e) {
        assertThat(e.handler().frames)
                .containsExactly(
                        new Recorder.Seen(0x20, 1, "first"),
                        new Recorder.Seen(0x20, 2, ""),
                        new Recorder.Seen(0x20, 3, "x".repeat(600)));
    }

    @Test
    void framesAreTheSameWhereverTheyAreSplit() {
        int length = threeFrames().readableBytes();
        for (int at = 0; at <= length; at++) {
            try (Ends e = new Ends().loggedIn()) {
                ByteBuf all = threeFrames();
                e.in(all.readBytes(at));
                e.in(all.readBytes(length - at));
                all.release();
                sees(e);
            }
        }
    }

    @Test
    void framesMayComeByteForByte() {
        try (Ends e = new Ends().loggedIn()) {
            ByteBuf all = threeFrames();
            while (all.isReadable()) {
                e.in(all.readBytes(1));
            }
            all.release();
            sees(e);
        }
    }

    @Test
    void theHandshakeMayComeByteForByte() {
        try (Ends e = new Ends()) {
            ByteBuf all = Unpooled.wrappedBuffer(Ends.hello(), Ends.auth("anna", "secret"));
            while (all.isReadable()) {
                e.in(all.readBytes(1));
            }
            all.release();
            assertThat(e.handler().connection.user()).isEqualTo("anna");
        }
    }

    @Test
    void aPayloadsSliceMayBeKept() {
        ByteBuf[] kept = new ByteBuf[2];
        FrameDecoder decoder = new FrameDecoder(new FrameDecoder.Sink() {
            @Override
            public int maxFrame() {
                return 100;
            }

            @Override
            public void frame(int type, int stream, ByteBuf payload) {
                kept[stream] = payload.readRetainedSlice(payload.readableBytes());
            }

            @Override
            public boolean stopped() {
                return false;
            }
        });
        ByteBuf in = Unpooled.wrappedBuffer(Ends.frame(0x20, 0, "first"), Ends.frame(0x20, 1, "second"));
        decoder.read(in, io.netty.buffer.UnpooledByteBufAllocator.DEFAULT);
        assertThat(kept[0].toString(StandardCharsets.UTF_8)).isEqualTo("first");
        assertThat(kept[1].toString(StandardCharsets.UTF_8)).isEqualTo("second");
        assertThat(kept[0].release()).isFalse();
        assertThat(kept[1].release()).isTrue();
    }

    @Test
    void readCompleteFollowsTheFramesOfOneReadAndOneFlushTheirAnswers() {
        try (Ends e = new Ends().loggedIn()) {
            long before = e.stats.value(WireStats.FLUSHES);
            int reads = e.handler().reads.get();
            e.in(Unpooled.wrappedBuffer(
                    Ends.frame(Recorder.ECHO, 1, "a"),
                    Ends.frame(Recorder.ECHO, 2, "b"),
                    Ends.frame(Recorder.ECHO, 3, "c")));
            assertThat(e.handler().reads).hasValue(reads + 1);
            assertThat(e.out()).extracting(Ends.Sent::stream).containsExactly(1, 2, 3);
            assertThat(e.stats.value(WireStats.FLUSHES) - before).isEqualTo(1);
        }
    }

    /** Frames that end in shared bytes: small ones are written where they wait to be sent, large ones beside it. */
    @Test
    void framesWithSharedBytesArriveWholeAndInOrderWhateverTheirSize() throws Exception {
        try (Ends e = new Ends().loggedIn()) {
            WireConnection c = e.handler().connection;
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                // up to and beyond the size that is copied, and together more than a batch
                int size = i * 37 % (Outbound.COPY + 400);
                ByteBuf shared = Unpooled.copiedBuffer("b".repeat(size), StandardCharsets.UTF_8);
                ByteBuf frame = c.newFrame(0x23, i, 2, shared);
                c.send(frame.writeByte('h').writeByte('0' + i % 10), shared);
                assertThat(shared.readerIndex()).isZero();
                assertThat(shared.readableBytes()).isEqualTo(size);
                shared.release();
                sent.add(i + "h" + i % 10 + "b".repeat(size));
                if (i % 3 == 0) {
                    c.send(c.newFrame(0x24, i, 1).writeByte('x'));
                    sent.add(i + "x");
                }
            }
            assertThat(e.out().stream().map(f -> f.stream() + f.payload().toString(StandardCharsets.UTF_8)))
                    .containsExactlyElementsOf(sent);
        }
    }

    @Test
    void aFrameWithSharedBytesOfAnotherThreadIsSentToo() throws Exception {
        try (Ends e = new Ends().loggedIn()) {
            WireConnection c = e.handler().connection;
            ByteBuf waiting = Unpooled.copiedBuffer("first", StandardCharsets.UTF_8);
            c.send(c.newFrame(0x23, 1, 0, waiting), waiting);
            ByteBuf shared = Unpooled.copiedBuffer("second", StandardCharsets.UTF_8);
            Thread other = Thread.ofPlatform().start(() -> c.send(c.newFrame(0x23, 2, 0, shared), shared));
            other.join();
            shared.release();
            waiting.release();
            assertThat(e.out()).extracting(Ends.Sent::stream).containsExactly(1, 2);
        }
    }

    @Test
    void aFrameWithSharedBytesOnAClosedConnectionIsDropped() {
        try (Ends e = new Ends().loggedIn()) {
            WireConnection c = e.handler().connection;
            var _ = e.channel.close();
            ByteBuf shared = Unpooled.copiedBuffer("late", StandardCharsets.UTF_8);
            ByteBuf frame = c.newFrame(0x23, 1, 1, shared);
            c.send(frame.writeByte(7), shared);
            assertThat(frame.refCnt()).isZero();
            assertThat(shared.release()).isTrue();
        }
    }

    @Test
    void aPingIsAnsweredWithItsToken() {
        try (Ends e = new Ends().loggedIn()) {
            e.in(Ends.frame(WireFrame.PING.code(), 0, "12345678"));
            Ends.Sent pong = e.out().getFirst();
            assertThat(pong.frame()).isEqualTo(WireFrame.PONG);
            assertThat(pong.payload().toString(StandardCharsets.UTF_8)).isEqualTo("12345678");
        }
    }

    @Test
    void aQuietConnectionIsKeptAliveByPings() {
        try (Ends e = new Ends("heartbeat=1s", "heartbeats-missed=3").loggedIn()) {
            for (int i = 0; i < 10; i++) {
                e.channel.advanceTimeBy(1, TimeUnit.SECONDS);
                e.channel.runScheduledPendingTasks();
                // AUTH_OK was sent within the first interval.
                assertThat(e.out()).hasSize(i == 0 ? 0 : 1).allMatch(f -> f.frame() == WireFrame.PING);
                e.in(Ends.frame(WireFrame.PONG.code(), 0, "12345678"));
            }
            assertThat(e.channel.isOpen()).isTrue();
        }
    }

    @Test
    void aSilentPeerIsCutOffAfterThreeHeartbeats() {
        try (Ends e = new Ends("heartbeat=1s", "heartbeats-missed=3").loggedIn()) {
            for (int i = 0; i < 2; i++) {
                e.channel.advanceTimeBy(1, TimeUnit.SECONDS);
                e.channel.runScheduledPendingTasks();
                assertThat(e.faults(Reason.SILENT)).isZero();
            }
            e.channel.advanceTimeBy(1, TimeUnit.SECONDS);
            e.channel.runScheduledPendingTasks();
            assertThat(e.faults(Reason.SILENT)).isEqualTo(1);
            assertThat(e.error()).isEqualTo(Reason.SILENT);
            assertThat(e.handler().connection.isOpen()).isFalse();
        }
    }

    @Test
    void whileNothingIsReadNothingCanBeSilent() {
        try (Ends e = new Ends("heartbeat=1s").loggedIn()) {
            e.handler().connection.reading(false);
            e.channel.advanceTimeBy(20, TimeUnit.SECONDS);
            e.channel.runScheduledPendingTasks();
            assertThat(e.channel.config().isAutoRead()).isFalse();
            assertThat(e.faults(Reason.SILENT)).isZero();
            e.handler().connection.reading(true);
            assertThat(e.channel.config().isAutoRead()).isTrue();
        }
    }

    @Test
    void anUnknownTypeOfTheWiresOwnIsAFault() {
        for (int type : new int[] {0x00, 0x0a, 0x0f}) {
            try (Ends e = new Ends().loggedIn()) {
                e.in(Ends.frame(type, 0, ""));
                assertThat(e.error()).isEqualTo(Reason.UNKNOWN_TYPE);
            }
        }
    }

    @Test
    void whatFollowsAFaultIsDropped() {
        try (Ends e = new Ends().loggedIn()) {
            e.in(Unpooled.wrappedBuffer(Ends.frame(0x3f, 0, ""), Ends.frame(0x20, 1, "late")));
            assertThat(e.handler().frames).isEmpty();
        }
    }

    @Test
    void aFaultyConnectionIsClosedEvenWhenThePeerStays() {
        try (Ends e = new Ends().loggedIn()) {
            e.in(Ends.frame(0x3f, 0, ""));
            e.channel.advanceTimeBy(2, TimeUnit.SECONDS);
            e.channel.runScheduledPendingTasks();
            assertThat(e.channel.isOpen()).isFalse();
            assertThat(e.handler().cause())
                    .isInstanceOfSatisfying(
                            WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.UNKNOWN_TYPE));
        }
    }

    @Test
    void aGoodbyeIsACleanEnd() {
        try (Ends e = new Ends().loggedIn()) {
            e.in(Ends.frame(WireFrame.GOODBYE.code(), 0, ""));
            assertThat(e.channel.isOpen()).isFalse();
            assertThat(e.handler().cause()).isNull();
            assertThat(e.stats.value(WireStats.LOST)).isZero();
        }
    }

    @Test
    void anEndWithoutAWordIsALostConnection() {
        try (Ends e = new Ends().loggedIn()) {
            var _ = e.channel.close();
            assertThat(e.handler().cause()).isInstanceOf(LostConnection.class);
            assertThat(e.stats.value(WireStats.LOST)).isEqualTo(1);
        }
    }

    @Test
    void sendingOnAClosedConnectionDropsTheFrame() {
        try (Ends e = new Ends().loggedIn()) {
            var _ = e.channel.close();
            ByteBuf frame = e.handler().connection.newFrame(0x20, 0, 10);
            e.handler().connection.send(frame);
            assertThat(frame.refCnt()).isZero();
        }
    }
}
