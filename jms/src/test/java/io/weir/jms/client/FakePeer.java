package io.weir.jms.client;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BrokerFrames.BrowseDone;
import io.weir.jms.frames.BrokerFrames.ConsumerClosed;
import io.weir.jms.frames.BrokerFrames.Ok;
import io.weir.jms.frames.BrokerFrames.OneWayFailed;
import io.weir.jms.frames.BrokerFrames.ReceiveDone;
import io.weir.jms.frames.BrokerFrames.Refused;
import io.weir.jms.frames.ClientFrames.Browse;
import io.weir.jms.frames.ClientFrames.CheckDestination;
import io.weir.jms.frames.ClientFrames.CreateTemporary;
import io.weir.jms.frames.ClientFrames.DeleteTemporary;
import io.weir.jms.frames.ClientFrames.OpenSession;
import io.weir.jms.frames.ClientFrames.Plain;
import io.weir.jms.frames.ClientFrames.SetClientId;
import io.weir.jms.frames.ClientFrames.Undo;
import io.weir.jms.frames.ClientFrames.Unsubscribe;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.DestinationCache;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.frames.SendFrame;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The fake broker's end of one connection. On the broker's loop. */
public final class FakePeer implements FrameHandler {
    final FakeBroker broker;
    final WireConnection wire;
    final Map<Integer, FakeSession> sessions = new HashMap<>();
    private final SendFrame send = new SendFrame();
    private final DestinationCache destinations = new DestinationCache();
    boolean started;

    FakePeer(FakeBroker broker, WireConnection wire) {
        this.broker = broker;
        this.wire = wire;
    }

    @Override
    public void frame(int type, int stream, ByteBuf in) {
        switch (type) {
            case FrameType.CONNECTION_START -> {
                broker.hear(type, stream, "");
                started = true;
                serve();
            }
            case FrameType.CONNECTION_STOP -> {
                started = false;
                plain(type, stream, Plain.read(in).request(), "");
            }
            case FrameType.SET_CLIENT_ID -> {
                SetClientId id = SetClientId.read(in);
                plain(type, stream, id.request(), id.clientId() + (id.unrestricted() ? " unrestricted" : ""));
            }
            case FrameType.OPEN_SESSION -> {
                OpenSession open = OpenSession.read(in);
                sessions.put(stream, new FakeSession(this, stream, open));
                plain(type, stream, open.request(), open.toString());
            }
            case FrameType.SEND -> send(stream, in);
            case FrameType.CHECK_DESTINATION -> check(CheckDestination.read(in), stream);
            case FrameType.CREATE_TEMPORARY -> temporary(CreateTemporary.read(in), stream);
            case FrameType.DELETE_TEMPORARY -> {
                DeleteTemporary delete = DeleteTemporary.read(in);
                plain(type, stream, delete.request(), delete.destination().toString());
            }
            case FrameType.UNSUBSCRIBE -> {
                Unsubscribe u = Unsubscribe.read(in);
                plain(type, stream, u.request(), u.name());
            }
            case FrameType.BROWSE -> browse(Browse.read(in), stream);
            case FrameType.CLOSE_SESSION -> {
                Undo undo = Undo.read(in);
                FakeSession session = sessions.remove(stream);
                if (session != null) {
                    session.undo(undo.consumedTo());
                }
                plain(type, stream, undo.request(), "seen " + undo.consumedTo());
            }
            default -> session(stream).frame(type, in);
        }
    }

    private FakeSession session(int stream) {
        return Objects.requireNonNull(sessions.get(stream));
    }

    /** Records a request and answers OK, unless told otherwise. */
    void plain(int type, int stream, int request, String what) {
        broker.hear(type, stream, what);
        broker.answer(this, type, stream, request, () -> ok(stream, request, null));
    }

    void say(int type, int stream, Consumer<ByteBuf> body) {
        ByteBuf frame = wire.newFrame(type, stream, 64);
        body.accept(frame);
        wire.send(frame);
    }

    void ok(int stream, int request, @Nullable String value) {
        say(FrameType.OK, stream, out -> new Ok(request, value, 0).write(out));
    }

    void refused(int stream, int request, RefusalCode code, String text) {
        say(FrameType.REFUSED, stream, out -> new Refused(request, code, text).write(out));
    }

    void receiveDone(int stream, int request, int count) {
        say(FrameType.RECEIVE_DONE, stream, out -> ReceiveDone.write(out, request, count));
    }

    public void oneWayFailed(int stream, int producer, int count) {
        say(
                FrameType.ONE_WAY_FAILED,
                stream,
                out -> new OneWayFailed(producer, count, RefusalCode.RESOURCE_ALLOCATION, "over quota").write(out));
    }

    public void closeConsumer(int stream, int consumer) {
        say(
                FrameType.CONSUMER_CLOSED,
                stream,
                out -> new ConsumerClosed(consumer, RefusalCode.DESTINATION_DELETED, "the destination was deleted")
                        .write(out));
    }

    void deliver(int stream, int consumer, long tag, int flags, FakeBroker.Stored m) {
        say(FrameType.DELIVER, stream, out -> {
            int redelivered = m.deliveries > 0 ? DeliverFrame.REDELIVERED : 0;
            DeliverFrame.writeHead(out, consumer, tag, flags | redelivered, m.deliveries + 1);
            out.writeBytes(m.block);
        });
    }

    private void send(int stream, ByteBuf in) {
        send.read(in, destinations);
        DestinationName to = send.destination();
        int request = send.request();
        int producer = send.producer();
        boolean transacted = send.transacted();
        byte[] block = FakeBroker.bytes(in);
        String how = (request == 0 ? "one-way" : "two-way")
                + (send.persistent() ? " persistent" : "")
                + (transacted ? " transacted" : "")
                + " producer " + producer + " timeout " + send.sendTimeoutMillis();
        broker.hear(FrameType.SEND, stream, how + " to " + to);
        if (to.name().startsWith("missing")) {
            refused(stream, request, RefusalCode.INVALID_DESTINATION, "there is no " + to);
            return;
        }
        Runnable accept = () -> {
            if (transacted) {
                session(stream).staged.add(() -> broker.arrived(to, block));
            } else {
                broker.arrived(to, block);
            }
            if (request != 0) {
                ok(stream, request, null);
            }
        };
        broker.answer(this, FrameType.SEND, stream, request, accept);
    }

    private void check(CheckDestination check, int stream) {
        broker.hear(FrameType.CHECK_DESTINATION, stream, check.destination().toString());
        if (check.destination().name().startsWith("missing")) {
            refused(stream, check.request(), RefusalCode.INVALID_DESTINATION, "there is no " + check.destination());
        } else {
            ok(stream, check.request(), null);
        }
    }

    private void temporary(CreateTemporary create, int stream) {
        String name = "temp-" + broker.temporaries.incrementAndGet();
        broker.hear(FrameType.CREATE_TEMPORARY, stream, name);
        broker.answer(
                this, FrameType.CREATE_TEMPORARY, stream, create.request(), () -> ok(stream, create.request(), name));
    }

    private void browse(Browse browse, int stream) {
        broker.hear(FrameType.BROWSE, stream, browse.destination() + " from " + browse.cursor());
        broker.answer(this, FrameType.BROWSE, stream, browse.request(), () -> {
            List<FakeBroker.Stored> all = new ArrayList<>(broker.queue(browse.destination()));
            int from = (int) browse.cursor();
            int to = Math.min(all.size(), from + browse.maxMessages());
            for (FakeBroker.Stored m : all.subList(from, to)) {
                deliver(stream, browse.request(), 0, DeliverFrame.BROWSED, m);
            }
            long next = to < all.size() && to > from ? to : 0;
            say(FrameType.BROWSE_DONE, stream, out -> new BrowseDone(browse.request(), to - from, next).write(out));
        });
    }

    List<FakeSession.FakeConsumer> consumersOf(DestinationName topic) {
        return sessions.values().stream()
                .flatMap(s -> s.consumers.values().stream())
                .filter(c -> c.destination.equals(topic))
                .toList();
    }

    void serve() {
        if (started) {
            List.copyOf(sessions.values()).forEach(FakeSession::serve);
        }
    }

    public static DestinationName queue(String name) {
        return new DestinationName(DestinationKind.QUEUE, name);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        sessions.values().forEach(s -> s.undo(Long.MAX_VALUE));
        sessions.clear();
        broker.peers.remove(this);
    }

    @Override
    public void whenFree(Runnable then) {
        var _ = wire.loop()
                .schedule(
                        () -> {
                            broker.freed.incrementAndGet();
                            then.run();
                        },
                        broker.freeingMillis,
                        TimeUnit.MILLISECONDS);
    }
}
