package io.weir.jms.client;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.ClientFrames.CloseConsumer;
import io.weir.jms.frames.ClientFrames.ConsumerMode;
import io.weir.jms.frames.ClientFrames.OpenConsumer;
import io.weir.jms.frames.ClientFrames.OpenSession;
import io.weir.jms.frames.ClientFrames.Plain;
import io.weir.jms.frames.ClientFrames.Receive;
import io.weir.jms.frames.ClientFrames.Undo;
import io.weir.jms.frames.CreditFrame;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A session of the fake broker. On its loop. */
final class FakeSession {
    /** A consumer, and what it consumes from. */
    static final class FakeConsumer {
        final int number;
        final DestinationName destination;
        final Deque<FakeBroker.Stored> from;
        boolean async;

        @Nullable
        Receive waiting;

        @Nullable
        ScheduledFuture<?> timer;

        FakeConsumer(int number, DestinationName destination, Deque<FakeBroker.Stored> from) {
            this.number = number;
            this.destination = destination;
            this.from = from;
        }
    }

    private record Given(FakeConsumer to, FakeBroker.Stored message, boolean pushed) {}

    final TreeMap<Integer, FakeConsumer> consumers = new TreeMap<>();
    final List<Runnable> staged = new ArrayList<>();
    private final TreeMap<Long, Given> outstanding = new TreeMap<>();
    private final FakePeer peer;
    private final FakeBroker broker;
    private final int stream;
    private final OpenSession open;
    private final AckFrame ack = new AckFrame();
    private final CreditFrame credit = new CreditFrame();
    private long lastTag;
    private int window;

    FakeSession(FakePeer peer, int stream, OpenSession open) {
        this.peer = peer;
        this.broker = peer.broker;
        this.stream = stream;
        this.open = open;
        this.window = full();
    }

    private int full() {
        return open.windowMessages() < 0 ? Integer.MAX_VALUE : open.windowMessages();
    }

    void frame(int type, ByteBuf in) {
        switch (type) {
            case FrameType.OPEN_CONSUMER -> open(OpenConsumer.read(in));
            case FrameType.CONSUMER_MODE -> mode(ConsumerMode.read(in));
            case FrameType.RECEIVE -> receive(Receive.read(in));
            case FrameType.CANCEL_RECEIVE -> cancel(Plain.read(in).request());
            case FrameType.ACK -> acknowledge(in, FrameType.ACK);
            case FrameType.SETTLE -> {
                int request = in.readInt();
                acknowledge(in, FrameType.SETTLE);
                broker.answer(peer, FrameType.SETTLE, stream, request, () -> peer.ok(stream, request, null));
            }
            case FrameType.CREDIT -> {
                credit.read(in);
                broker.hear(type, stream, "" + credit.messages());
                window = Math.min(full(), window + credit.messages());
                serve();
            }
            case FrameType.CLOSE_CONSUMER -> close(CloseConsumer.read(in));
            case FrameType.RECOVER, FrameType.ROLLBACK -> {
                Undo undo = Undo.read(in);
                staged.clear();
                undo(undo.consumedTo());
                window = full();
                peer.plain(type, stream, undo.request(), "seen " + undo.consumedTo());
                serve();
            }
            case FrameType.COMMIT -> commit(Plain.read(in).request());
            case FrameType.SYNC -> peer.plain(type, stream, Plain.read(in).request(), "");
            default -> throw new IllegalStateException(FrameType.name(type));
        }
    }

    private void open(OpenConsumer o) {
        broker.hear(
                FrameType.OPEN_CONSUMER,
                stream,
                o.destination() + " selector " + o.selector() + " flags " + o.flags() + " subscription "
                        + o.subscription());
        broker.answer(peer, FrameType.OPEN_CONSUMER, stream, o.request(), () -> {
            if (o.destination().name().startsWith("missing")) {
                peer.refused(stream, o.request(), RefusalCode.INVALID_DESTINATION, "there is no " + o.destination());
                return;
            }
            Deque<FakeBroker.Stored> from =
                    o.destination().kind().topic() ? new ArrayDeque<>() : broker.queue(o.destination());
            FakeConsumer c = new FakeConsumer(o.consumer(), o.destination(), from);
            c.async = o.async();
            consumers.put(o.consumer(), c);
            peer.ok(stream, o.request(), null);
            serve();
        });
    }

    private void mode(ConsumerMode m) {
        broker.hear(FrameType.CONSUMER_MODE, stream, m.mode() == ConsumerMode.ASYNC ? "async" : "sync");
        Objects.requireNonNull(consumers.get(m.consumer())).async = m.mode() == ConsumerMode.ASYNC;
        serve();
    }

    private void receive(Receive r) {
        broker.hear(FrameType.RECEIVE, stream, "max " + r.maxMessages() + " timeout " + r.timeoutMillis());
        FakeConsumer c = consumers.get(r.consumer());
        if (c == null) {
            peer.receiveDone(stream, r.request(), 0);
            return;
        }
        c.waiting = r;
        serve();
        if (c.waiting != null && r.timeoutMillis() == 0) {
            done(c, 0);
        } else if (c.waiting != null && r.timeoutMillis() > 0) {
            c.timer = peer.wire.loop().schedule(() -> done(c, 0), r.timeoutMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void cancel(int request) {
        broker.hear(FrameType.CANCEL_RECEIVE, stream, "");
        for (FakeConsumer c : consumers.values()) {
            if (c.waiting != null && c.waiting.request() == request) {
                done(c, 0);
            }
        }
    }

    private void done(FakeConsumer c, int count) {
        Receive r = c.waiting;
        c.waiting = null;
        if (c.timer != null) {
            c.timer.cancel(false);
            c.timer = null;
        }
        if (r != null) {
            peer.receiveDone(stream, r.request(), count);
        }
    }

    void serve() {
        if (!peer.started) {
            return;
        }
        for (FakeConsumer c : List.copyOf(consumers.values())) {
            while (c.async && window > 0 && !c.from.isEmpty()) {
                window--;
                give(c, true);
            }
            Receive r = c.waiting;
            int count = 0;
            while (r != null && count < r.maxMessages() && !c.from.isEmpty()) {
                give(c, false);
                count++;
            }
            if (count > 0) {
                done(c, count);
            }
        }
    }

    private void give(FakeConsumer c, boolean pushed) {
        FakeBroker.Stored m = c.from.remove();
        long tag = ++lastTag;
        peer.deliver(stream, c.number, tag, 0, m);
        if (open.acknowledgeMode() != OpenSession.NONE) {
            outstanding.put(tag, new Given(c, m, pushed));
        }
    }

    private void acknowledge(ByteBuf in, int type) {
        while (ack.next(in)) {
            boolean returned = ack.kind() == AckFrame.RETURNED;
            String tags = ack.from() + "-" + ack.to();
            if (ack.kind() == AckFrame.PASSED) {
                broker.heardPassed(type, stream, tags);
                continue;
            }
            broker.hear(type, stream, (returned ? "returned " : "") + tags);
            var range = outstanding.subMap(ack.from(), true, ack.to(), true);
            if (open.acknowledgeMode() == OpenSession.TRANSACTED) {
                List<Long> consumed = List.copyOf(range.keySet());
                staged.add(() -> consumed.forEach(outstanding::remove));
            } else {
                range.clear();
            }
        }
    }

    private void commit(int request) {
        broker.hear(FrameType.COMMIT, stream, "");
        broker.answer(peer, FrameType.COMMIT, stream, request, () -> {
            List<Runnable> work = List.copyOf(staged);
            staged.clear();
            work.forEach(Runnable::run);
            peer.ok(stream, request, null);
        });
    }

    private void close(CloseConsumer close) {
        broker.hear(FrameType.CLOSE_CONSUMER, stream, "seen " + close.consumedTo());
        FakeConsumer c = consumers.remove(close.consumer());
        for (Long tag :
                List.copyOf(outstanding.tailMap(close.consumedTo(), false).descendingKeySet())) {
            Given g = Objects.requireNonNull(outstanding.get(tag));
            if (g.to() == c) {
                outstanding.remove(tag);
                window += g.pushed() && window < full() ? 1 : 0;
                g.to().from.addFirst(g.message());
            }
        }
        peer.ok(stream, close.request(), null);
        broker.serve();
    }

    /** Takes everything back; what was seen counts as delivered. */
    void undo(long seen) {
        outstanding.descendingMap().forEach((tag, g) -> {
            if (tag <= seen) {
                g.message().deliveries++;
            }
            g.to().from.addFirst(g.message());
        });
        outstanding.clear();
    }
}
