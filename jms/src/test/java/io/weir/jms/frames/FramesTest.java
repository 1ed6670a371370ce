package io.weir.jms.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.WireFault;
import io.weir.wire.WireReader;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Every frame is read as it was written, and whatever is cut short or out of range is a fault. */
class FramesTest {
    private static final DestinationName QUEUE = new DestinationName(DestinationKind.QUEUE, "orders");
    private static final DestinationName TOPIC = new DestinationName(DestinationKind.TEMPORARY_TOPIC, "größe");

    private static <F> void roundTrip(F frame, Consumer<ByteBuf> write, Function<ByteBuf, F> read) {
        ByteBuf out = Unpooled.buffer();
        write.accept(out);
        ByteBuf whole = out.duplicate();
        assertThat(read.apply(whole)).isEqualTo(frame);
        WireReader.end(whole);
        for (int n = 0; n < out.readableBytes(); n++) {
            ByteBuf cut = out.slice(0, n);
            if (!(frame instanceof BrokerFrames.Ok && n == 4)) {
                assertThatExceptionOfType(WireFault.class)
                        .as("%s cut to %s", frame, n)
                        .isThrownBy(() -> read.apply(cut));
            }
        }
    }

    @Test
    void framesOfTheClientAreReadAsWritten() {
        var plain = new ClientFrames.Plain(7);
        roundTrip(plain, plain::write, ClientFrames.Plain::read);
        var undo = new ClientFrames.Undo(7, 1L << 40);
        roundTrip(undo, undo::write, ClientFrames.Undo::read);
        var id = new ClientFrames.SetClientId(7, true, "client");
        roundTrip(id, id::write, ClientFrames.SetClientId::read);
        var session = new ClientFrames.OpenSession(7, ClientFrames.OpenSession.NONE, -1, 1 << 20, true, 5000);
        roundTrip(session, session::write, ClientFrames.OpenSession::read);
        var consumer = new ClientFrames.OpenConsumer(7, 3, TOPIC, "a = 1", 0x0f, "sub");
        roundTrip(consumer, consumer::write, ClientFrames.OpenConsumer::read);
        assertThat(consumer.noLocal() && consumer.durable() && consumer.shared() && consumer.async())
                .isTrue();
        var bare = new ClientFrames.OpenConsumer(7, 3, QUEUE, null, 0, null);
        roundTrip(bare, bare::write, ClientFrames.OpenConsumer::read);
        assertThat(bare.noLocal() || bare.durable() || bare.shared() || bare.async())
                .isFalse();
        var close = new ClientFrames.CloseConsumer(7, 3, 99);
        roundTrip(close, close::write, ClientFrames.CloseConsumer::read);
        var mode = new ClientFrames.ConsumerMode(3, ClientFrames.ConsumerMode.PREFETCH);
        roundTrip(mode, mode::write, ClientFrames.ConsumerMode::read);
        var receive = new ClientFrames.Receive(7, 3, -1, 10, 65536);
        roundTrip(receive, receive::write, ClientFrames.Receive::read);
        var unsubscribe = new ClientFrames.Unsubscribe(7, "sub");
        roundTrip(unsubscribe, unsubscribe::write, ClientFrames.Unsubscribe::read);
        var create = new ClientFrames.CreateTemporary(7, DestinationKind.TEMPORARY_QUEUE);
        roundTrip(create, create::write, ClientFrames.CreateTemporary::read);
        var delete = new ClientFrames.DeleteTemporary(7, TOPIC);
        roundTrip(delete, delete::write, ClientFrames.DeleteTemporary::read);
        var browse = new ClientFrames.Browse(7, QUEUE, null, 1L << 40, 100, 1 << 20);
        roundTrip(browse, browse::write, ClientFrames.Browse::read);
        var check = new ClientFrames.CheckDestination(7, QUEUE);
        roundTrip(check, check::write, ClientFrames.CheckDestination::read);
    }

    @Test
    void framesOfTheBrokerAreReadAsWritten() {
        var ok = new BrokerFrames.Ok(7, null, 0);
        roundTrip(ok, ok::write, BrokerFrames.Ok::read);
        var named = new BrokerFrames.Ok(7, "temp", 5);
        roundTrip(named, named::write, BrokerFrames.Ok::read);
        var refused = new BrokerFrames.Refused(7, RefusalCode.CLOSED, "stopping");
        roundTrip(refused, refused::write, BrokerFrames.Refused::read);
        var done = new BrokerFrames.ReceiveDone(7, 2);
        roundTrip(done, out -> BrokerFrames.ReceiveDone.write(out, 7, 2), BrokerFrames.ReceiveDone::read);
        var closed = new BrokerFrames.ConsumerClosed(3, RefusalCode.DESTINATION_DELETED, "gone");
        roundTrip(closed, closed::write, BrokerFrames.ConsumerClosed::read);
        var error = new BrokerFrames.ConnectionError(RefusalCode.INTERNAL, "x");
        roundTrip(error, error::write, BrokerFrames.ConnectionError::read);
        var failed = new BrokerFrames.OneWayFailed(1, 2, RefusalCode.RESOURCE_ALLOCATION, "quota");
        roundTrip(failed, failed::write, BrokerFrames.OneWayFailed::read);
        var browsed = new BrokerFrames.BrowseDone(7, 10, 99);
        roundTrip(browsed, browsed::write, BrokerFrames.BrowseDone::read);
        ByteBuf out = Unpooled.buffer();
        BrokerFrames.Ok.writePlain(out, 8);
        assertThat(BrokerFrames.Ok.readRequest(out)).isEqualTo(8);
    }

    @Test
    void aSendIsReadAsWritten() {
        ByteBuf out = Unpooled.buffer();
        SendFrame.writeHead(out, 7, 2, SendFrame.PERSISTENT | SendFrame.TRANSACTED, -1, TOPIC);
        assertThat(out.readableBytes()).isLessThanOrEqualTo(SendFrame.headBytes(TOPIC));
        out.writeByte(99);
        SendFrame frame = new SendFrame().read(out, new DestinationCache());
        assertThat(frame.request()).isEqualTo(7);
        assertThat(frame.producer()).isEqualTo(2);
        assertThat(frame.persistent() && frame.transacted()).isTrue();
        assertThat(frame.flags()).isEqualTo(3);
        assertThat(frame.sendTimeoutMillis()).isEqualTo(-1);
        assertThat(frame.destination()).isEqualTo(TOPIC);
        assertThat(out.readByte()).isEqualTo((byte) 99);
    }

    @Test
    void aDeliveryIsReadAsWritten() {
        ByteBuf out = Unpooled.buffer();
        DeliverFrame.writeHead(out, 3, 1L << 40, DeliverFrame.REDELIVERED, 2);
        assertThat(out.readableBytes()).isEqualTo(DeliverFrame.HEAD_BYTES);
        DeliverFrame frame = new DeliverFrame().read(out);
        assertThat(frame.consumer()).isEqualTo(3);
        assertThat(frame.tag()).isEqualTo(1L << 40);
        assertThat(frame.redelivered()).isTrue();
        assertThat(frame.browsed()).isFalse();
        assertThat(frame.deliveryCount()).isEqualTo(2);
        assertThatExceptionOfType(WireFault.class).isThrownBy(() -> frame.read(out));
    }

    @Test
    void rangesOfAcknowledgementsFollowEachOther() {
        ByteBuf out = Unpooled.buffer();
        AckFrame.write(out, 1, 5, AckFrame.CONSUMED);
        AckFrame.write(out, 7, 7, AckFrame.RETURNED);
        AckFrame frame = new AckFrame();
        assertThat(frame.next(out)).isTrue();
        assertThat(frame.from()).isEqualTo(1);
        assertThat(frame.to()).isEqualTo(5);
        assertThat(frame.kind()).isEqualTo(AckFrame.CONSUMED);
        assertThat(frame.next(out)).isTrue();
        assertThat(frame.kind()).isEqualTo(AckFrame.RETURNED);
        assertThat(frame.next(out)).isFalse();
        for (long[] bad : new long[][] {{5, 4, 0}, {-1, 4, 0}, {1, 2, 3}}) {
            ByteBuf in = Unpooled.buffer();
            AckFrame.write(in, bad[0], bad[1], (int) bad[2]);
            assertThatExceptionOfType(WireFault.class).isThrownBy(() -> frame.next(in));
        }
    }

    @Test
    void creditIsNeverNegative() {
        ByteBuf out = Unpooled.buffer();
        CreditFrame.write(out, 3, 4096);
        CreditFrame frame = new CreditFrame().read(out);
        assertThat(frame.messages()).isEqualTo(3);
        assertThat(frame.bytes()).isEqualTo(4096);
        CreditFrame.write(out, -1, 0);
        assertThatExceptionOfType(WireFault.class).isThrownBy(() -> frame.read(out));
    }

    @Test
    void valuesOutOfRangeAreFaults() {
        faulty(
                out -> out.writeInt(7).writeByte(5).writeInt(1).writeInt(1).writeByte(0),
                ClientFrames.OpenSession::read);
        faulty(
                out -> out.writeInt(7).writeByte(1).writeInt(-2).writeInt(1).writeByte(0),
                ClientFrames.OpenSession::read);
        faulty(
                out -> out.writeInt(7).writeByte(1).writeInt(1).writeInt(1).writeByte(2),
                ClientFrames.OpenSession::read);
        faulty(out -> out.writeInt(3).writeByte(3), ClientFrames.ConsumerMode::read);
        faulty(out -> out.writeInt(7).writeByte(0), ClientFrames.CreateTemporary::read);
        faulty(out -> out.writeInt(7).writeByte(4).writeByte(0), ClientFrames.CheckDestination::read);
        faulty(out -> out.writeInt(7).writeInt(3).writeLong(0).writeInt(-1).writeInt(0), ClientFrames.Receive::read);
        faulty(out -> out.writeInt(7).writeByte(200).writeByte(0), BrokerFrames.Refused::read);
    }

    private static void faulty(Consumer<ByteBuf> write, Function<ByteBuf, ?> read) {
        ByteBuf out = Unpooled.buffer();
        write.accept(out);
        assertThatExceptionOfType(WireFault.class).isThrownBy(() -> read.apply(out));
    }

    @Test
    void aKnownDestinationIsTheSameObject() {
        DestinationCache cache = new DestinationCache();
        ByteBuf out = Unpooled.buffer();
        for (int i = 0; i < 2; i++) {
            QUEUE.write(out);
            TOPIC.write(out);
        }
        DestinationName first = cache.read(out);
        DestinationName second = cache.read(out);
        assertThat(first).isEqualTo(QUEUE);
        assertThat(second).isEqualTo(TOPIC);
        assertThat(cache.read(out)).isSameAs(first);
        assertThat(cache.read(out)).isSameAs(second);
    }

    @Test
    void theCacheOfDestinationsStaysSmallAndRight() {
        DestinationCache cache = new DestinationCache();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 1000; i++) {
                DestinationName name = new DestinationName(DestinationKind.TOPIC, "t".repeat(i));
                ByteBuf out = Unpooled.buffer();
                name.write(out);
                assertThat(cache.read(out)).isEqualTo(name);
                assertThat(out.isReadable()).isFalse();
            }
        }
    }

    @Test
    void branchesComeBack() {
        BranchId branch = new BranchId(-7, "00ff" + "ab".repeat(62), "");
        assertThat(BranchId.of(branch.xid())).isEqualTo(branch);
        assertThat(BranchId.parse(branch.toString())).isEqualTo(branch);
        for (BranchFrames.Operation operation : BranchFrames.Operation.values()) {
            BranchFrames.Request request = new BranchFrames.Request(
                    1, operation, 2, 3, operation == BranchFrames.Operation.RECOVER ? null : branch);
            roundTrip(request, request::write, BranchFrames.Request::read);
        }
        BranchFrames.Done done = new BranchFrames.Done(1, -7, "why", 9, List.of(branch, branch));
        roundTrip(done, done::write, BranchFrames.Done::read);
    }

    @Test
    void textsThatAreNoBranchesAreNone() {
        for (String wrong :
                List.of("", "1:2", "1:ab:cd:ef", "x:ab:", "1::ab", "1:abc:", "1:zz:", "1:ab:" + "00".repeat(65))) {
            assertThat(BranchId.parse(wrong)).as(wrong).isNull();
        }
        assertThat(BranchId.parse("131077:AB:")).isEqualTo(new BranchId(131077, "ab", ""));
        assertThat(BranchId.of(null)).isNull();
        assertThat(BranchId.of(new BranchId(-1, "ab", "").xid()))
                .as("format -1 is the null XID")
                .isNull();
    }

    @Test
    void everyTypeHasItsName() throws IllegalAccessException {
        int types = 0;
        for (var field : FrameType.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                assertThat(FrameType.name(field.getInt(null))).isEqualTo(field.getName());
                types++;
            }
        }
        assertThat(types).isEqualTo(33);
        assertThat(FrameType.name(0x5f)).isEqualTo("0x5f");
    }
}
