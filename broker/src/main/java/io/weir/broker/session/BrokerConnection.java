package io.weir.broker.session;

import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.weir.broker.destination.Destination;
import io.weir.broker.destination.Subscription;
import io.weir.broker.destination.SubscriptionKey;
import io.weir.broker.loop.Barrier;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.subscription.Subscriptions;
import io.weir.jms.frames.BranchFrames;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationCache;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.frames.SendFrame;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireReader;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: its sessions, its temporary destinations, whether it is started. Owned by the connection's
 * loop; other loops only read whether deliveries can be sent. Lives from login to close.
 */
public final class BrokerConnection implements FrameHandler {
    final BrokerEngine engine;
    public final WireConnection wire;
    public final BrokerLoop loop;
    /** Reusable frame readers, shared by the connection's sessions. */
    final SendFrame sendFrame = new SendFrame();

    final DestinationCache names = new DestinationCache();
    final MessageView view = new MessageView();
    /** Requests about branches of distributed transactions. */
    final BranchRequests branches;

    private final IntObjectMap<BrokerSession> sessions = new IntObjectHashMap<>();
    /** The same for monitoring, which reads it from other threads. */
    private final Set<BrokerSession> seen = ConcurrentHashMap.newKeySet();

    private final List<Destination> temporaries = new ArrayList<>();
    private final Replies replies;
    private volatile @Nullable String clientId;
    private volatile boolean started;
    /** Of all sessions opened so far. */
    private int highestStream;

    private boolean closed;
    /** Loops that were notified of its close and may not have handled it yet. */
    private List<BrokerLoop> freeing = List.of();

    public BrokerConnection(BrokerEngine engine, WireConnection wire, BrokerLoop loop) {
        this.engine = engine;
        this.wire = wire;
        this.loop = loop;
        this.replies = new Replies(wire, 0, engine.meters());
        this.branches = new BranchRequests(this, replies);
        engine.connections().add(this);
    }

    /** Whether deliveries can be sent: the connection is started and writable. From any thread. */
    boolean flowing() {
        return started && wire.isWritable();
    }

    public boolean isStarted() {
        return started;
    }

    @Nullable
    public String clientId() {
        return clientId;
    }

    @Override
    public void frame(int type, int stream, ByteBuf payload) {
        BrokerSession session = stream == 0 ? null : sessions.get(stream);
        if (session != null) {
            session.frame(type, payload);
        } else {
            connectionFrame(type, stream, payload);
        }
    }

    private void connectionFrame(int type, int stream, ByteBuf payload) {
        switch (type) {
            case FrameType.OPEN_SESSION -> open(stream, ClientFrames.OpenSession.read(payload));
            case FrameType.CONNECTION_START -> start();
            case FrameType.CONNECTION_STOP ->
                stop(ClientFrames.Plain.read(payload).request());
            case FrameType.SET_CLIENT_ID -> setClientId(ClientFrames.SetClientId.read(payload));
            case FrameType.CREATE_TEMPORARY -> createTemporary(ClientFrames.CreateTemporary.read(payload), replies);
            case FrameType.DELETE_TEMPORARY -> deleteTemporary(ClientFrames.DeleteTemporary.read(payload), replies);
            case FrameType.UNSUBSCRIBE -> unsubscribe(ClientFrames.Unsubscribe.read(payload), replies);
            case FrameType.CHECK_DESTINATION -> check(ClientFrames.CheckDestination.read(payload), replies);
            case FrameType.BRANCH -> branches.handle(null, BranchFrames.Request.read(payload));
            default -> stray(type, stream, payload);
        }
    }

    /**
     * A frame for a session that is not open. If it was open, the frame may have been sent by a thread of the
     * application while another one closed the session: requests are refused, reports dropped. Any other is a fault.
     */
    private void stray(int type, int stream, ByteBuf payload) {
        if (type < FrameType.CONNECTION_START || type > FrameType.SETTLE) {
            throw new WireFault(WireFault.Reason.UNKNOWN_TYPE, "a frame of type " + FrameType.name(type));
        }
        if (stream == 0) {
            throw new WireFault(
                    WireFault.Reason.WRONG_STATE,
                    FrameType.name(type) + " belongs to a session, not to the connection");
        }
        if (stream > highestStream) {
            throw new WireFault(
                    WireFault.Reason.WRONG_STATE,
                    FrameType.name(type) + " for session " + stream + ", which is not open");
        }
        if (type != FrameType.ACK
                && type != FrameType.CREDIT
                && type != FrameType.CANCEL_RECEIVE
                && type != FrameType.CONSUMER_MODE) {
            refuseClosed(type, stream, payload);
        }
    }

    private void refuseClosed(int type, int stream, ByteBuf payload) {
        Replies answers = new Replies(wire, stream, engine.meters());
        String what = "session " + stream + " is closed";
        RequestRefusal closed = type == FrameType.SETTLE
                ? new RequestRefusal(RefusalCode.CLOSED, what + ": its messages are redelivered")
                : new RequestRefusal(RefusalCode.ILLEGAL_STATE, what);
        if (type != FrameType.SEND) {
            answers.refused(WireReader.i32(payload), closed);
            return;
        }
        SendFrame send = sendFrame.read(payload, names);
        if (send.request() == 0) {
            answers.oneWayFailed(send.producer(), closed);
        } else {
            answers.refused(send.request(), closed);
        }
    }

    private void open(int stream, ClientFrames.OpenSession open) {
        int most = engine.config().limits().sessionsPerConnection();
        if (stream == 0) {
            throw new WireFault(WireFault.Reason.WRONG_STATE, "a session needs a stream of its own");
        }
        Replies answers = new Replies(wire, stream, engine.meters());
        if (sessions.size() >= most) {
            answers.refused(
                    open.request(),
                    new RequestRefusal(
                            RefusalCode.RESOURCE_ALLOCATION,
                            "the connection has " + most + " sessions, the most allowed: close some, or raise"
                                    + " limits.sessions-per-connection"));
            return;
        }
        if (open.acknowledgeMode() == ClientFrames.OpenSession.BRANCHES && wire.version() < BranchFrames.VERSION) {
            throw new WireFault(
                    WireFault.Reason.MALFORMED,
                    "sessions in branches require version " + BranchFrames.VERSION + " of the protocol");
        }
        BrokerSession session = new BrokerSession(this, stream, open);
        sessions.put(stream, session);
        highestStream = Math.max(highestStream, stream);
        seen.add(session);
        engine.meters().sessions.incrementAndGet();
        answers.ok(open.request());
    }

    /** Removes a closed session. */
    void closed(int stream) {
        BrokerSession session = sessions.remove(stream);
        if (session != null) {
            seen.remove(session);
            engine.meters().sessions.decrementAndGet();
        }
    }

    /** Sessions whose window is full. From any thread. */
    public long blockedSessions() {
        return seen.stream().filter(s -> !s.window().isOpen()).count();
    }

    /** From any thread. */
    public int sessionCount() {
        return seen.size();
    }

    public int temporaryDestinations() {
        return temporaries.size();
    }

    private void start() {
        started = true;
        wake();
    }

    private void stop(int request) {
        started = false;
        wake(); // answers RECEIVEs that wait for the client to read
        Barrier.through(loop, loops(), () -> replies.ok(request));
    }

    private List<BrokerLoop> loops() {
        List<BrokerLoop> all = new ArrayList<>();
        for (BrokerSession s : sessions.values()) {
            s.consumerLoops(all);
        }
        return all;
    }

    private void wake() {
        for (BrokerSession s : sessions.values()) {
            s.wake();
        }
    }

    @Override
    public void writable(boolean now) {
        if (now) {
            wake();
        }
    }

    private void setClientId(ClientFrames.SetClientId set) {
        try {
            if (clientId != null) {
                throw new RequestRefusal(
                        RefusalCode.ILLEGAL_STATE, "the connection has the client identifier " + clientId + " already");
            }
            if (set.clientId().length() > Subscriptions.LONGEST_NAME) {
                throw new RequestRefusal(
                        RefusalCode.INVALID_CLIENT_ID,
                        "a client identifier of " + set.clientId().length() + " characters, the maximum is "
                                + Subscriptions.LONGEST_NAME);
            }
            engine.clientIds().claim(set.clientId(), set.unrestricted());
            clientId = set.clientId();
            replies.ok(set.request());
        } catch (RequestRefusal r) {
            replies.refused(set.request(), r);
        }
    }

    /**
     * The origin whose messages noLocal excludes: this connection, or all with its client identifier (section 8.3.3).
     */
    long origin() {
        String id = clientId;
        return id == null ? wire.id() : Subscription.origin(id);
    }

    void createTemporary(ClientFrames.CreateTemporary create, Replies answers) {
        int most = engine.config().limits().temporaryDestinationsPerConnection();
        if (!engine.config().jmsServer().hostingTemporaryDestinations() || temporaries.size() >= most) {
            answers.refused(
                    create.request(),
                    new RequestRefusal(
                            RefusalCode.RESOURCE_ALLOCATION,
                            "no further temporary destination for this connection, which has " + temporaries.size()
                                    + ": delete some, or see limits.temporary-destinations-per-connection and"
                                    + " jms-server.hosting-temporary-destinations"));
            return;
        }
        Destination d = engine.destinations().temporary(create.kind(), wire.id(), loop);
        temporaries.add(d);
        answers.ok(create.request(), d.name.name());
    }

    void deleteTemporary(ClientFrames.DeleteTemporary delete, Replies answers) {
        try {
            Destination d = engine.destinations().get(delete.destination());
            if (d.owner != wire.id()) {
                throw new RequestRefusal(
                        RefusalCode.INVALID_DESTINATION,
                        delete.destination() + " belongs to another connection, which alone may delete it");
            }
            if (d.counts.consumers.get() > 0) {
                throw new RequestRefusal(
                        RefusalCode.ILLEGAL_STATE, delete.destination() + " has consumers: close them before");
            }
            temporaries.remove(d);
            engine.destinations().delete(d);
            answers.ok(delete.request());
        } catch (RequestRefusal r) {
            answers.refused(delete.request(), r);
        }
    }

    void unsubscribe(ClientFrames.Unsubscribe u, Replies answers) {
        SubscriptionKey key = new SubscriptionKey(clientId, u.name(), true);
        Subscription s = engine.subscriptions().find(key);
        if (s == null) {
            unsubscribe(key, false, u.request(), answers);
            return;
        }
        s.topic.loop.run(() -> {
            boolean held = s.queue.isHeld();
            loop.run(() -> unsubscribe(key, held, u.request(), answers));
        });
    }

    private void unsubscribe(SubscriptionKey key, boolean held, int request, Replies answers) {
        engine.subscriptions().unsubscribe(key, held, loop, why -> {
            if (closed) {
                return;
            }
            if (why == null) {
                answers.ok(request);
            } else {
                answers.refused(request, why);
            }
        });
    }

    void check(ClientFrames.CheckDestination c, Replies answers) {
        try {
            DestinationName name = c.destination();
            engine.destinations().get(name);
            answers.ok(c.request());
        } catch (RequestRefusal r) {
            answers.refused(c.request(), r);
        }
    }

    /** Host and port of the client, in the format of a URL. */
    public String address() {
        InetSocketAddress at = wire.remote();
        String host = at.isUnresolved() ? at.getHostString() : at.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + at.getPort();
    }

    boolean isClosed() {
        return closed;
    }

    /** Its open sessions. On its loop. */
    public List<BrokerSession> sessions() {
        return new ArrayList<>(sessions.values());
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        closed = true;
        started = false;
        engine.connections().remove(this);
        freeing = loops();
        for (BrokerSession s : sessions()) {
            s.lost();
        }
        branches.closed();
        for (Destination d : temporaries) {
            engine.destinations().delete(d);
        }
        temporaries.clear();
        String id = clientId;
        if (id != null) {
            clientId = null;
            engine.clientIds().release(id);
        }
    }

    @Override
    public void whenFree(Runnable then) {
        Barrier.through(loop, freeing, then);
    }
}
