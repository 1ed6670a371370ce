package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.weir.base.Chance;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.BlockWriter;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.MessageHeader;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Conversations with changed bytes, over sockets, against the whole server: it has no error of its own, holds nothing
 * afterwards, and a producer and a consumer beside lose nothing.
 */
@Timeout(300)
@Tag("slow")
class LiveFuzzTest {
    private static final int ROUNDS = 300;
    private static final DestinationName Q = new DestinationName(DestinationKind.QUEUE, "q");
    private static final DestinationName T = new DestinationName(DestinationKind.TOPIC, "t");

    @RegisterExtension
    static final OneServer SERVER = new OneServer("admin.enabled=on", "admin.port=0");

    /** Seeds that once found something, or stand for a kind; a new finding is added here. */
    @ParameterizedTest
    @ValueSource(longs = {1, 42, -7})
    void keptSeeds(long seed) throws Exception {
        rounds(seed);
    }

    @Test
    void aNewSeedEachTime() throws Exception {
        rounds(Chance.unseeded().random().nextLong());
    }

    private static void rounds(long seed) throws Exception {
        RandomGenerator random = Chance.seeded(seed).random();
        try (HealthyPair healthy = new HealthyPair(SERVER.get())) {
            double connections = value("weir_wire_connections");
            for (int round = 0; round < ROUNDS; round++) {
                conversation(random);
            }
            healthy.goesOn();
            assertThat(value("weir_wire_uncaught_total")).as("seed %d", seed).isZero();
            Await.until("all of seed " + seed + " are gone", () -> value("weir_wire_connections") == connections);
            assertThat(value("weir_jms_sessions_open")).as("seed %d", seed).isEqualTo(2);
            assertThat(value("weir_jms_temporary_destinations"))
                    .as("seed %d", seed)
                    .isZero();
        }
    }

    private static double value(String counter) {
        return SERVER.get().counter(counter, "");
    }

    private static void conversation(RandomGenerator random) throws IOException {
        try (RawPeer peer = RawPeer.session(SERVER.get())) {
            ByteBuf all = Unpooled.buffer();
            List<ByteBuf> frames = frames(random);
            for (int n = random.nextInt(1, 20); n > 0; n--) {
                all.writeBytes(frames.get(random.nextInt(frames.size())).duplicate());
            }
            byte[] bytes = ByteBufUtil.getBytes(all);
            for (int n = random.nextInt(4); n > 0; n--) {
                // a length of a frame is rarely hit, what is within it often
                int at = random.nextInt(bytes.length);
                bytes[at] =
                        random.nextBoolean() ? (byte) random.nextInt() : (byte) (bytes[at] ^ 1 << random.nextInt(8));
            }
            peer.writeAll(Unpooled.wrappedBuffer(bytes), 1);
        }
    }

    private static List<ByteBuf> frames(RandomGenerator random) {
        int n = random.nextInt(1, 4);
        DestinationName d = random.nextBoolean() ? Q : T;
        return List.of(
                RawPeer.send(random.nextInt(2) * 7, n, d, LiveFuzzTest::message),
                of(
                        FrameType.OPEN_CONSUMER,
                        b -> new ClientFrames.OpenConsumer(
                                        2,
                                        n,
                                        d,
                                        random.nextBoolean() ? "a > 1 OR a IS NULL" : null,
                                        random.nextInt(16),
                                        "s")
                                .write(b)),
                of(FrameType.CONSUMER_MODE, b -> new ClientFrames.ConsumerMode(n, random.nextInt(2)).write(b)),
                of(FrameType.RECEIVE, b -> new ClientFrames.Receive(3, n, random.nextInt(3) - 1, 5, 1000).write(b)),
                of(FrameType.CANCEL_RECEIVE, b -> b.writeInt(3)),
                of(FrameType.ACK, b -> AckFrame.write(b, random.nextInt(5), 5 + random.nextInt(99), random.nextInt(2))),
                of(FrameType.CREDIT, b -> b.writeInt(random.nextInt(9)).writeInt(random.nextInt(999))),
                of(FrameType.RECOVER, b -> new ClientFrames.Undo(4, random.nextInt(9)).write(b)),
                of(FrameType.ROLLBACK, b -> new ClientFrames.Undo(4, random.nextInt(9)).write(b)),
                of(FrameType.COMMIT, b -> b.writeInt(5)),
                of(FrameType.SYNC, b -> b.writeInt(5)),
                of(FrameType.BROWSE, b -> new ClientFrames.Browse(6, Q, null, 0, 10, 10_000).write(b)),
                of(FrameType.CREATE_TEMPORARY, b -> new ClientFrames.CreateTemporary(7, d.kind()).write(b)),
                of(FrameType.CLOSE_CONSUMER, b -> new ClientFrames.CloseConsumer(8, n, random.nextInt(9)).write(b)),
                of(FrameType.CLOSE_SESSION, b -> new ClientFrames.Undo(9, random.nextInt(9)).write(b)));
    }

    private static ByteBuf of(int type, java.util.function.Consumer<ByteBuf> payload) {
        ByteBuf p = Unpooled.buffer();
        payload.accept(p);
        return RawPeer.frame(type, 1, p);
    }

    private static void message(ByteBuf b) {
        MessageHeader head = new MessageHeader();
        head.persistent = false;
        head.bodyType = 2;
        BlockWriter.head(b, head);
        b.writeInt(0).writeInt(20).writeZero(20);
    }
}
