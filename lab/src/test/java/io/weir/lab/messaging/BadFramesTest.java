package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.jms.frames.BlockWriter;
import io.weir.jms.frames.BranchId;
import io.weir.jms.frames.BrokerFrames;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.MessageHeader;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.frames.Values;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireFrame;
import io.weir.wire.WireWriter;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Frames that break the protocol, over a socket, against the whole server: the peer is told why its connection ends, the
 * reason is counted, and a producer and a consumer beside it lose nothing.
 */
@Timeout(300)
@Tag("slow")
class BadFramesTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer("admin.enabled=on", "admin.port=0");

    private static final DestinationName Q = new DestinationName(DestinationKind.QUEUE, "q");
    private HealthyPair healthy = pair();

    private static HealthyPair pair() {
        try {
            return new HealthyPair(SERVER.get());
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private double faultsBefore;
    private double uncaughtBefore;

    @BeforeEach
    void count() {
        faultsBefore = SERVER.get().counter("weir_wire_faults_total", "");
        uncaughtBefore = SERVER.get().counter("weir_wire_uncaught_total", "");
    }

    @AfterEach
    void nobodyElseIsDisturbed() throws Exception {
        healthy.goesOn();
        healthy.close();
        assertThat(SERVER.get().counter("weir_wire_uncaught_total", "")).isEqualTo(uncaughtBefore);
    }

    private interface Attack {
        void on(RawPeer peer) throws IOException;
    }

    private void ends(RawPeer peer, Reason reason, Attack attack) throws IOException {
        String label = "{reason=\"" + reason.label() + "\"}";
        double before = SERVER.get().counter("weir_wire_faults_total", label);
        try (peer) {
            attack.on(peer);
            peer.expectEnd(reason);
        }
        assertThat(SERVER.get().counter("weir_wire_faults_total", label)).isEqualTo(before + 1);
    }

    private static ByteBuf head(int length, int type) {
        return Unpooled.buffer().writeInt(length).writeByte(type).writeInt(1);
    }

    @Test
    void aFrameOverTheLimitEndsItsConnection() throws Exception {
        ends(RawPeer.session(SERVER.get()), Reason.FRAME_LENGTH, p -> p.write(head(10304 * 1024 + 1, FrameType.SEND)));
        ends(RawPeer.session(SERVER.get()), Reason.FRAME_LENGTH, p -> p.write(head(-1, FrameType.SEND)));
        ends(RawPeer.session(SERVER.get()), Reason.FRAME_LENGTH, p -> p.write(head(4, FrameType.SEND)));
        ends(RawPeer.stranger(SERVER.get()), Reason.FRAME_LENGTH, p -> p.write(head(4097, WireFrame.HELLO.code())));
    }

    @Test
    void aLengthThatAnnouncesMoreThanComesHoldsOnlyWhatCame() throws Exception {
        double before = SERVER.get().counter("netty_direct_memory_used_bytes", "");
        RawPeer[] peers = new RawPeer[20];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = RawPeer.session(SERVER.get());
            peers[i].write(head(10_000_000, FrameType.SEND));
        }
        healthy.goesOn();
        // 200 MB were announced
        assertThat(SERVER.get().counter("netty_direct_memory_used_bytes", "") - before)
                .isLessThan(50_000_000);
        double lost = SERVER.get().counter("weir_wire_lost_total", "");
        for (RawPeer p : peers) {
            p.close();
        }
        Await.until(
                "their ends are counted",
                () -> SERVER.get().counter("weir_wire_lost_total", "") == lost + peers.length);
        assertThat(SERVER.get().counter("weir_wire_faults_total", "")).isEqualTo(faultsBefore);
    }

    @Test
    void aLengthThatLiesWithinAFrameEndsItsConnection() throws Exception {
        Consumer<ByteBuf> longText = b -> b.writeByte(0xff).writeByte(0x7f).writeByte('x');
        Consumer<ByteBuf> endlessNumber = b -> b.writeLong(-1L).writeLong(-1L);
        for (Consumer<ByteBuf> text : List.of(longText, endlessNumber)) {
            malformed(
                    FrameType.OPEN_CONSUMER,
                    b -> text.accept(b.writeInt(1).writeInt(1).writeByte(0)));
            malformed(
                    FrameType.CHECK_DESTINATION, b -> text.accept(b.writeInt(1).writeByte(0)));
            malformed(FrameType.UNSUBSCRIBE, b -> text.accept(b.writeInt(1)));
            malformed(
                    FrameType.SEND,
                    b -> text.accept(
                            b.writeInt(1).writeInt(1).writeByte(0).writeInt(0).writeByte(0)));
        }
        malformed(FrameType.ACK, b -> b.writeLong(5).writeLong(4).writeByte(0));
        malformed(FrameType.ACK, b -> b.writeLong(1));
        malformed(FrameType.CREDIT, b -> b.writeInt(1));
        malformed(FrameType.RECEIVE, b -> b.writeInt(1));
        malformed(FrameType.CREATE_TEMPORARY, b -> b.writeInt(1).writeByte(9));
        malformed(FrameType.BROWSE, b -> {
            b.writeInt(1);
            Q.write(b);
            b.writeByte(0).writeLong(0).writeInt(-5).writeInt(1);
        });
    }

    private void malformed(int type, Consumer<ByteBuf> payload) throws IOException {
        ends(RawPeer.session(SERVER.get()), Reason.MALFORMED, p -> p.frame(type, 1, payload));
    }

    @Test
    void anUnknownTypeEndsItsConnection() throws Exception {
        for (int type : new int[] {0x00, 0x1f, 0x38, 0x5f, 0x6f, 0x80, 0xff}) {
            ends(RawPeer.session(SERVER.get()), Reason.UNKNOWN_TYPE, p -> p.frame(type, 0, _ -> {}));
        }
    }

    @Test
    void aBranchThatIsNoneEndsItsConnection() throws Exception {
        BranchId id = new BranchId(1, "ab", "");
        malformed(FrameType.BRANCH, b -> b.writeInt(1).writeByte(9));
        malformed(FrameType.BRANCH, b -> b.writeInt(1).writeByte(0).writeInt(0).writeLong(0));
        malformed(
                FrameType.BRANCH,
                b -> id.write(b.writeInt(1).writeByte(0).writeInt(0).writeLong(-1)));
        malformed(
                FrameType.BRANCH,
                b -> b.writeInt(1)
                        .writeByte(0)
                        .writeInt(0)
                        .writeLong(0)
                        .writeInt(1)
                        .writeByte(65));
        malformed(FrameType.BRANCH, b -> {
            id.write(b.writeInt(1).writeByte(2).writeInt(0).writeLong(0));
            b.writeByte(7);
        });
    }

    @Test
    void aFrameInTheWrongStateEndsItsConnection() throws Exception {
        ByteBuf send = RawPeer.send(1, 1, Q, b -> block(b, 0, 0));
        ends(RawPeer.stranger(SERVER.get()), Reason.WRONG_STATE, p -> p.write(send));
        ends(RawPeer.stranger(SERVER.get()), Reason.WRONG_STATE, p -> p.write(RawPeer.login(null, null)));
        ends(RawPeer.guest(SERVER.get()), Reason.WRONG_STATE, p -> p.write(send));
        ends(RawPeer.guest(SERVER.get()), Reason.WRONG_STATE, p -> p.write(RawPeer.hello()));
        ends(RawPeer.session(SERVER.get()), Reason.WRONG_STATE, p -> p.write(RawPeer.login(null, null)));
        ends(RawPeer.guest(SERVER.get()), Reason.WRONG_STATE, p -> open(p, 0));
        ends(RawPeer.session(SERVER.get()), Reason.WRONG_STATE, p -> open(p, 1));
        ends(RawPeer.session(SERVER.get()), Reason.WRONG_STATE, p -> p.frame(FrameType.COMMIT, 2, b -> b.writeInt(1)));
        ends(
                RawPeer.session(SERVER.get()),
                Reason.WRONG_STATE,
                p -> p.frame(FrameType.SET_CLIENT_ID, 1, b -> b.writeInt(1)));
    }

    private static void open(RawPeer p, int stream) throws IOException {
        p.frame(FrameType.OPEN_SESSION, stream, b -> new ClientFrames.OpenSession(1, 1, -1, -1, false, 0).write(b));
    }

    /** A message block whose properties and body say these lengths and are empty. */
    private static void block(ByteBuf b, int properties, int body) {
        MessageHeader head = new MessageHeader();
        head.persistent = false;
        head.bodyType = 1;
        BlockWriter.head(b, head);
        b.writeInt(properties).writeInt(body);
    }

    @Test
    void aMessageWhoseBlockLiesEndsItsConnectionAndIsNotDelivered() throws Exception {
        int[][] lies = {{1, 0}, {0, 1}, {-1, 0}, {0, Integer.MIN_VALUE}, {Integer.MAX_VALUE, 0}, {5, -5}};
        for (int[] lie : lies) {
            ends(
                    RawPeer.session(SERVER.get()),
                    Reason.MALFORMED,
                    p -> p.write(RawPeer.send(1, 1, Q, b -> block(b, lie[0], lie[1]))));
        }
        ends(
                RawPeer.session(SERVER.get()),
                Reason.MALFORMED,
                p -> p.write(RawPeer.send(1, 1, Q, b -> b.writeBytes(new byte[7]))));
        ends(
                RawPeer.session(SERVER.get()),
                Reason.MALFORMED,
                p -> p.write(RawPeer.send(1, 1, Q, BadFramesTest::lyingProperty)));
        try (var context = SERVER.factory().createContext();
                var consumer = context.createConsumer(context.createQueue("q"))) {
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    private static void lyingProperty(ByteBuf b) {
        MessageHeader head = new MessageHeader();
        head.persistent = false;
        BlockWriter.head(b, head);
        int mark = BlockWriter.beginSection(b);
        WireWriter.varint(b, 3);
        WireWriter.text(b, "one");
        b.writeByte(0x55);
        BlockWriter.endSection(b, mark);
        b.writeInt(0);
    }

    @Test
    void aGroupNameIsBounded() throws Exception {
        try (RawPeer peer = RawPeer.session(SERVER.get())) {
            for (int length : new int[] {1024, 1025}) {
                peer.write(RawPeer.send(length, 1, Q, b -> grouped(b, "g".repeat(length))));
            }
            assertThat(peer.expect(FrameType.OK).payload().readInt()).isEqualTo(1024);
            var refused =
                    BrokerFrames.Refused.read(peer.expect(FrameType.REFUSED).payload());
            assertThat(refused.code()).isEqualTo(RefusalCode.MESSAGE_TOO_LARGE);
            assertThat(refused.text()).contains("JMSXGroupID").contains("1025").contains("1024");
        }
    }

    private static void grouped(ByteBuf b, String group) {
        MessageHeader head = new MessageHeader();
        head.persistent = false;
        BlockWriter.head(b, head);
        int mark = BlockWriter.beginSection(b);
        WireWriter.varint(b, 1);
        WireWriter.text(b, "JMSXGroupID");
        Values.write(b, group);
        BlockWriter.endSection(b, mark);
        b.writeInt(0);
    }

    @Test
    void numbersOfProducersWithoutEndAreForgotten() throws Exception {
        try (RawPeer peer = RawPeer.session(SERVER.get())) {
            ByteBuf many = Unpooled.buffer();
            for (int producer = 1; producer <= 20_000; producer++) {
                int request = producer == 20_000 ? 9 : 0;
                int number = producer;
                many.writeBytes(RawPeer.send(
                        request, number, new DestinationName(DestinationKind.TOPIC, "u"), b -> block(b, 0, 0)));
            }
            peer.write(many);
            assertThat(peer.expect(FrameType.OK).payload().readInt()).isEqualTo(9);
            assertThat(SERVER.get().counter("weir_destination_producers", "{destination=\"topic/u\"}"))
                    .isBetween(1.0, 10_000.0);
        }
    }
}
