package io.weir.broker;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.weir.broker.session.BrokerConnection;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.BlockWriter;
import io.weir.jms.frames.BranchFrames;
import io.weir.jms.frames.BranchId;
import io.weir.jms.frames.BrokerFrames;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.CreditFrame;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.MessageHeader;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.SendFrame;
import io.weir.jms.frames.Values;
import io.weir.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client made of frames. Requests get numbers of their own; what the broker sends is kept until it is asked for. */
final class Probe {
    static final int TRANSACTED = 0;
    static final int AUTO = 1;
    static final int CLIENT = 2;
    static final int NO_ACK = 4;

    /** A message that was delivered. */
    record Delivery(int stream, int consumer, long tag, boolean redelivered, int count, String body, int size) {}

    /** What to send. */
    static final class Draft {
        final MessageHeader head = new MessageHeader();
        final Map<String, Object> properties = new LinkedHashMap<>();
        final String body;

        Draft(String body) {
            this.body = body;
            head.persistent = false;
            head.bodyType = 1;
            head.hasId = true;
        }

        Draft with(Consumer<MessageHeader> change) {
            change.accept(head);
            return this;
        }

        Draft property(String name, Object value) {
            properties.put(name, value);
            return this;
        }

        Draft persistent() {
            head.persistent = true;
            return this;
        }
    }

    final Bench bench;
    final FakeWire wire;
    final BrokerConnection connection;
    /** Where its frames lie, and the messages that come of them. */
    ByteBufAllocator memory = PooledByteBufAllocator.DEFAULT;

    private final TestLoop loop;
    private int requests;
    private long sequence;
    private boolean lost;

    Probe(Bench bench, int loop, long id, String user, List<String> groups) {
        this.bench = bench;
        this.wire = new FakeWire(id, user, groups);
        this.loop = bench.loops.loops.get(loop);
        this.connection = new BrokerConnection(bench.engine, wire, this.loop);
        frame(FrameType.CONNECTION_START, 0, _ -> {});
    }

    void frame(int type, int stream, Consumer<ByteBuf> payload) {
        ByteBuf b = memory.directBuffer();
        try {
            payload.accept(b);
            loop.on(() -> connection.frame(type, stream, b));
        } finally {
            b.release();
        }
        bench.loops.settle();
    }

    /** Hands a frame over without anything around it. */
    void raw(int type, int stream, ByteBuf payload) {
        loop.on(() -> connection.frame(type, stream, payload));
    }

    /** Sends a request and gives its number. */
    int request(int type, int stream, java.util.function.BiConsumer<Integer, ByteBuf> payload) {
        int request = ++requests;
        frame(type, stream, b -> payload.accept(request, b));
        return request;
    }

    void session(int stream, int mode) {
        session(stream, mode, 10);
    }

    void session(int stream, int mode, int window) {
        session(stream, mode, window, -1, 0);
    }

    void session(int stream, int mode, int window, int bytes, long redeliveryDelay) {
        expectOk(request(
                FrameType.OPEN_SESSION,
                stream,
                (r, b) -> new ClientFrames.OpenSession(r, mode, window, bytes, false, redeliveryDelay).write(b)));
    }

    int open(int stream, int consumer, DestinationName d, int flags, @Nullable String selector, @Nullable String name) {
        return request(
                FrameType.OPEN_CONSUMER,
                stream,
                (r, b) -> new ClientFrames.OpenConsumer(r, consumer, d, selector, flags, name).write(b));
    }

    /** A consumer with a listener. */
    void listen(int stream, int consumer, DestinationName d) {
        listen(stream, consumer, d, null);
    }

    void listen(int stream, int consumer, DestinationName d, @Nullable String selector) {
        expectOk(open(stream, consumer, d, ClientFrames.OpenConsumer.ASYNC, selector, null));
    }

    /** A consumer without a listener. */
    void consumer(int stream, int consumer, DestinationName d) {
        expectOk(open(stream, consumer, d, 0, null, null));
    }

    int closeConsumer(int stream, int consumer, long consumedTo) {
        return request(
                FrameType.CLOSE_CONSUMER,
                stream,
                (r, b) -> new ClientFrames.CloseConsumer(r, consumer, consumedTo).write(b));
    }

    void send(int stream, DestinationName d, String body) {
        expectOk(send(stream, d, new Draft(body)));
    }

    int send(int stream, DestinationName d, Draft m) {
        return send(stream, d, m, 0);
    }

    int send(int stream, DestinationName d, Draft m, int timeOut) {
        int request = ++requests;
        sendAs(request, stream, d, m, timeOut, 0);
        return request;
    }

    /** The number of a request that {@link #sendAs} sends. */
    int nextRequest() {
        return ++requests;
    }

    int sendTransacted(int stream, DestinationName d, String body) {
        return sendTransacted(stream, d, new Draft(body));
    }

    int sendTransacted(int stream, DestinationName d, Draft draft) {
        int request = ++requests;
        sendAs(request, stream, d, draft, 0, SendFrame.TRANSACTED);
        return request;
    }

    void sendAs(int request, int stream, DestinationName d, Draft m, int timeOut, int flags) {
        frame(FrameType.SEND, stream, b -> {
            int all = flags | (m.head.persistent ? SendFrame.PERSISTENT : 0);
            SendFrame.writeHead(b, request, 7, all, timeOut, d);
            m.head.idConnection = wire.id();
            m.head.idSequence = ++sequence;
            block(b, m);
        });
    }

    static void block(ByteBuf b, Draft m) {
        BlockWriter.head(b, m.head);
        int mark = BlockWriter.beginSection(b);
        if (!m.properties.isEmpty()) {
            WireWriter.varint(b, m.properties.size());
            m.properties.forEach((name, value) -> {
                WireWriter.text(b, name);
                Values.write(b, value);
            });
        }
        BlockWriter.endSection(b, mark);
        mark = BlockWriter.beginSection(b);
        b.writeByte(1);
        b.writeCharSequence(m.body, StandardCharsets.UTF_8);
        BlockWriter.endSection(b, mark);
    }

    int receive(int stream, int consumer, long timeOut) {
        return receive(stream, consumer, timeOut, 1);
    }

    int receive(int stream, int consumer, long timeOut, int most) {
        return request(
                FrameType.RECEIVE,
                stream,
                (r, b) -> new ClientFrames.Receive(r, consumer, timeOut, most, Integer.MAX_VALUE).write(b));
    }

    void ack(int stream, long from, long to) {
        frame(FrameType.ACK, stream, b -> AckFrame.write(b, from, to, AckFrame.CONSUMED));
    }

    void credit(int stream, int messages, int bytes) {
        frame(FrameType.CREDIT, stream, b -> CreditFrame.write(b, messages, bytes));
    }

    int plain(int type, int stream) {
        return request(type, stream, (r, b) -> new ClientFrames.Plain(r).write(b));
    }

    int undo(int type, int stream, long consumedTo) {
        return request(type, stream, (r, b) -> new ClientFrames.Undo(r, consumedTo).write(b));
    }

    int sync(int stream) {
        return plain(FrameType.SYNC, stream);
    }

    int commit(int stream) {
        return plain(FrameType.COMMIT, stream);
    }

    DestinationName temporary(DestinationKind kind) {
        int r = request(FrameType.CREATE_TEMPORARY, 0, (n, b) -> new ClientFrames.CreateTemporary(n, kind).write(b));
        for (FakeWire.Frame f : wire.sent) {
            if (f.type() == FrameType.OK && f.payload().getInt(f.payload().readerIndex()) == r) {
                wire.sent.remove(f);
                String name = BrokerFrames.Ok.read(f.payload()).value();
                return new DestinationName(kind, String.valueOf(name));
            }
        }
        throw new AssertionError("no temporary destination: " + refusal(r));
    }

    /** The connection is lost. */
    void lose() {
        if (!lost) {
            lost = true;
            loop.on(() -> connection.closed(null));
            bench.loops.settle();
        }
    }

    /** Calls back when nothing of the lost connection is in use any more. */
    void whenFree(Runnable then) {
        loop.on(() -> connection.whenFree(then));
        bench.loops.settle();
    }

    // what came

    /** Deliveries since this was asked last, in order. */
    List<Delivery> deliveries() {
        List<Delivery> all = new ArrayList<>();
        wire.sent.removeIf(f -> {
            if (f.type() != FrameType.DELIVER) {
                return false;
            }
            DeliverFrame d = new DeliverFrame().read(f.payload());
            MessageView v = new MessageView().wrap(f.payload());
            String body = f.payload().toString(v.bodyAt() + 1, v.bodyLength() - 1, StandardCharsets.UTF_8);
            all.add(new Delivery(
                    f.stream(), d.consumer(), d.tag(), d.redelivered(), d.deliveryCount(), body, v.size()));
            return true;
        });
        return all;
    }

    List<String> bodies() {
        return deliveries().stream().map(Delivery::body).toList();
    }

    private FakeWire.@Nullable Frame answer(int type, int request) {
        for (FakeWire.Frame f : wire.sent) {
            if (f.type() == type && f.payload().getInt(f.payload().readerIndex()) == request) {
                wire.sent.remove(f);
                return f;
            }
        }
        return null;
    }

    boolean ok(int request) {
        return answer(FrameType.OK, request) != null;
    }

    void expectOk(int request) {
        if (!ok(request)) {
            throw new AssertionError("no OK for " + request + " but " + refusal(request));
        }
    }

    /** The refusal that answers a request, or null. */
    BrokerFrames.@Nullable Refused refusal(int request) {
        FakeWire.Frame f = answer(FrameType.REFUSED, request);
        return f == null ? null : BrokerFrames.Refused.read(f.payload());
    }

    BrokerFrames.Refused expectRefusal(int request) {
        BrokerFrames.Refused r = refusal(request);
        if (r == null) {
            throw new AssertionError("no refusal of " + request);
        }
        return r;
    }

    /** Asks for something to be done with a branch. */
    int branch(int stream, BranchFrames.Operation operation, int flags, BranchId id) {
        return request(
                FrameType.BRANCH, stream, (r, b) -> new BranchFrames.Request(r, operation, flags, 0, id).write(b));
    }

    /** How that ended: a code of XAException, or null while it has not. */
    @Nullable
    Integer branchCode(int request) {
        FakeWire.Frame f = answer(FrameType.BRANCH_DONE, request);
        return f == null ? null : BranchFrames.Done.read(f.payload()).code();
    }

    /** How many messages answered a RECEIVE; -1 while it is not answered. */
    int received(int request) {
        FakeWire.Frame f = answer(FrameType.RECEIVE_DONE, request);
        return f == null ? -1 : BrokerFrames.ReceiveDone.read(f.payload()).count();
    }

    /** Frames of a type since they were asked for last. */
    List<ByteBuf> frames(int type) {
        List<ByteBuf> all = new ArrayList<>();
        wire.sent.removeIf(f -> f.type() == type && all.add(f.payload()));
        return all;
    }
}
