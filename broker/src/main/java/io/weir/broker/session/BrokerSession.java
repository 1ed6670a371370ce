package io.weir.broker.session;

import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.weir.broker.loop.Barrier;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.ApplicationSaw;
import io.weir.broker.queue.ConsumerSession;
import io.weir.broker.queue.QueueConsumer;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.queue.Returning;
import io.weir.broker.queue.SessionWindow;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.transaction.Work;
import io.weir.broker.xa.Branch;
import io.weir.broker.xa.BranchMember;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.BranchFrames;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.CreditFrame;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.FrameType;
import io.weir.wire.WireFault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A session: its consumers, its unacknowledged messages, its transaction. Owned by its connection's loop; destinations
 * of other loops post deliveries to it. Lives until it or its connection is closed.
 */
public final class BrokerSession implements ConsumerSession, BranchMember {
    final BrokerConnection connection;
    final BrokerEngine engine;
    final BrokerLoop loop;
    public final int stream;
    final Replies replies;
    public final Unacked unacked = new Unacked();
    final Settlement settling;
    public final PendingOperations quiet = new PendingOperations();

    private final int mode;
    /** Whether the client reports which messages it passed to the application. */
    final boolean reportsPassed;

    private final SessionWindow window;
    private final long redeliveryDelay;
    private final IntObjectMap<SessionConsumer> consumers = new IntObjectHashMap<>();
    private final Set<Integer> joining = new HashSet<>();
    /** Loops of consumers that are closing: earlier deliveries to them may be in flight. */
    private final List<BrokerLoop> leaving = new ArrayList<>();

    private final SessionSends sends;
    private final LocalTransaction transaction;
    private final Acknowledgements acks;
    private final CreditFrame credit = new CreditFrame();
    private @Nullable Branch branch;
    private volatile boolean resting;
    private volatile int generation;
    private boolean closed;

    public BrokerSession(BrokerConnection connection, int stream, ClientFrames.OpenSession open) {
        this.connection = connection;
        this.engine = connection.engine;
        this.loop = connection.loop;
        this.stream = stream;
        this.replies = new Replies(connection.wire, stream, engine.meters());
        this.mode = open.acknowledgeMode();
        this.reportsPassed = connection.wire.version() >= AckFrame.PASSED_VERSION;
        this.window = new SessionWindow(open.windowMessages(), open.windowBytes());
        this.redeliveryDelay = open.redeliveryDelay();
        this.settling = new Settlement(loop);
        this.transaction = new LocalTransaction(this);
        this.sends = new SessionSends(this);
        this.acks = new Acknowledgements(this);
    }

    boolean transacted() {
        return mode == ClientFrames.OpenSession.TRANSACTED;
    }

    /** Whether it takes part in branches of distributed transactions. */
    boolean takesBranches() {
        return mode == ClientFrames.OpenSession.BRANCHES;
    }

    /** The branch that it works in, or null. */
    @Nullable
    Branch branch() {
        return branch;
    }

    @Override
    public void aborted() {
        List<QueueEntry> back = new ArrayList<>();
        long last = unacked.newest();
        for (QueueEntry e = unacked.first(1, last); e != null; e = unacked.first(e.tag + 1, last)) {
            if (e.passed) {
                unacked.remove(e.tag);
                back.add(e);
            }
        }
        Returning.takeBack(back, _ -> ApplicationSaw.YES, redeliveryDelay);
    }

    /** Begins or ends its work in a branch. */
    void branch(@Nullable Branch next) {
        branch = next;
    }

    /** The transaction of a send or an acknowledgement that comes now; null if it is in none. */
    @Nullable
    Work work() {
        Branch b = branch;
        if (b != null) {
            return b.work();
        }
        return transacted() ? transaction.work() : null;
    }

    public int acknowledgeMode() {
        return mode;
    }

    long redeliveryDelay() {
        return redeliveryDelay;
    }

    boolean isClosed() {
        return closed;
    }

    public SessionSends sends() {
        return sends;
    }

    void frame(int type, ByteBuf in) {
        switch (type) {
            case FrameType.SEND -> sends.send(in);
            case FrameType.ACK -> acks.acknowledge(in);
            case FrameType.SETTLE -> acks.settle(in);
            case FrameType.CREDIT -> credited(in);
            case FrameType.RECEIVE -> receive(ClientFrames.Receive.read(in));
            case FrameType.COMMIT ->
                transaction.commit(ClientFrames.Plain.read(in).request());
            case FrameType.ROLLBACK -> undo(ClientFrames.Undo.read(in), true);
            case FrameType.RECOVER -> undo(ClientFrames.Undo.read(in), false);
            case FrameType.SYNC -> acks.sync(ClientFrames.Plain.read(in).request());
            case FrameType.BRANCH -> connection.branches.handle(this, BranchFrames.Request.read(in));
            default -> rareFrame(type, in);
        }
    }

    private void rareFrame(int type, ByteBuf in) {
        switch (type) {
            case FrameType.OPEN_CONSUMER -> SessionConsumer.open(this, ClientFrames.OpenConsumer.read(in));
            case FrameType.CLOSE_CONSUMER -> closeConsumer(ClientFrames.CloseConsumer.read(in));
            case FrameType.CONSUMER_MODE -> mode(ClientFrames.ConsumerMode.read(in));
            case FrameType.CANCEL_RECEIVE -> cancel(ClientFrames.Plain.read(in).request());
            case FrameType.BROWSE -> Browsing.browse(this, ClientFrames.Browse.read(in));
            case FrameType.CLOSE_SESSION -> close(ClientFrames.Undo.read(in));
            case FrameType.CREATE_TEMPORARY ->
                connection.createTemporary(ClientFrames.CreateTemporary.read(in), replies);
            case FrameType.DELETE_TEMPORARY ->
                connection.deleteTemporary(ClientFrames.DeleteTemporary.read(in), replies);
            case FrameType.UNSUBSCRIBE -> connection.unsubscribe(ClientFrames.Unsubscribe.read(in), replies);
            case FrameType.CHECK_DESTINATION -> connection.check(ClientFrames.CheckDestination.read(in), replies);
            default ->
                throw new WireFault(
                        WireFault.Reason.WRONG_STATE, FrameType.name(type) + " on the open session " + stream);
        }
    }

    // consumers

    public IntObjectMap<SessionConsumer> consumers() {
        return consumers;
    }

    /** Numbers of consumers whose subscription is being stored. */
    Set<Integer> joining() {
        return joining;
    }

    /** The loops from which deliveries to this session can arrive. */
    void consumerLoops(List<BrokerLoop> into) {
        for (SessionConsumer c : consumers.values()) {
            into.add(c.queue().loop);
        }
        into.addAll(leaving);
    }

    /** Answers the request after a consumer was attached to its queue. */
    void opened(int request) {
        if (!closed) {
            replies.ok(request);
        }
    }

    private void mode(ClientFrames.ConsumerMode m) {
        SessionConsumer c = consumers.get(m.consumer());
        if (c != null) {
            c.mode(m.mode() == ClientFrames.ConsumerMode.ASYNC ? QueueConsumer.Mode.PUSHED : QueueConsumer.Mode.SYNC);
        }
    }

    private void receive(ClientFrames.Receive r) {
        engine.meters().receives.inc();
        SessionConsumer c = consumers.get(r.consumer());
        if (c == null) {
            replies.receiveDone(r.request(), 0);
        } else {
            c.receive(r);
        }
    }

    private void cancel(int request) {
        for (SessionConsumer c : consumers.values()) {
            c.cancelReceive(request);
        }
    }

    private void closeConsumer(ClientFrames.CloseConsumer close) {
        SessionConsumer c = consumers.remove(close.consumer());
        if (c == null) {
            // its destination was deleted: its unseen messages are removed with it
            takeBackUnseen(close);
            replies.ok(close.request());
            return;
        }
        c.leave();
        BrokerLoop left = c.queue().loop;
        leaving.add(left);
        Barrier.through(loop, List.of(left), () -> {
            leaving.remove(left);
            if (!closed) {
                takeBackUnseen(close);
                wake();
            }
            c.left();
            replies.ok(close.request());
        });
    }

    private void takeBackUnseen(ClientFrames.CloseConsumer close) {
        Returning.takeBack(unseenOf(close.consumer(), close.consumedTo()), _ -> ApplicationSaw.NO, redeliveryDelay);
    }

    /** Removes the consumer's deliveries above a tag from the unacknowledged ones, and returns their window credits. */
    private List<QueueEntry> unseenOf(int consumer, long consumedTo) {
        List<QueueEntry> unseen = new ArrayList<>();
        long last = unacked.newest();
        for (QueueEntry e = unacked.first(consumedTo + 1, last); e != null; e = unacked.first(e.tag + 1, last)) {
            QueueConsumer c = e.consumer;
            if (c != null && c.id == consumer) {
                unacked.remove(e.tag);
                unwindow(e);
                unseen.add(e);
            }
        }
        return unseen;
    }

    void unwindow(QueueEntry e) {
        if (e.windowed) {
            e.windowed = false;
            window.credit(1, e.message.size());
        }
    }

    /** Makes the queues of starved consumers dispatch again. */
    void wake() {
        for (SessionConsumer c : consumers.values()) {
            c.wake();
        }
    }

    private void credited(ByteBuf in) {
        credit.read(in);
        window.credit(credit.messages(), credit.bytes());
        wake();
    }

    /** RECOVER and ROLLBACK: all messages are returned, and redelivered after the answer. */
    private void undo(ClientFrames.Undo undo, boolean rollback) {
        quiet.whenQuiet(() -> rest(() -> {
            if (rollback) {
                transaction.rollback("client", undo.consumedTo());
            }
            List<QueueEntry> back = unacked.removeAll();
            window.credit(Integer.MAX_VALUE, Long.MAX_VALUE);
            replies.ok(undo.request());
            Returning.takeBack(back, e -> ApplicationSaw.upTo(undo.consumedTo(), e), redeliveryDelay);
        }));
    }

    /** Stops deliveries, waits for those in flight, runs the action, and resumes deliveries. */
    private void rest(Runnable action) {
        resting = true;
        // written by this loop only
        int next = generation + 1;
        generation = next;
        List<BrokerLoop> loops = new ArrayList<>();
        consumerLoops(loops);
        Barrier.through(loop, loops, () -> {
            if (!closed) {
                action.run();
                resting = false;
                wake();
            }
        });
    }

    // end

    private void close(ClientFrames.Undo undo) {
        quiet.whenQuiet(() -> {
            List<BrokerLoop> loops = new ArrayList<>();
            consumerLoops(loops);
            end("close", undo.consumedTo(), e -> ApplicationSaw.upTo(undo.consumedTo(), e));
            connection.closed(stream);
            // answered when the consumers are detached, so that the client can open new ones in their place
            Barrier.through(loop, loops, () -> replies.ok(undo.request()));
        });
    }

    /**
     * Ends the session after its connection was lost. The application saw the deliveries that the client reported; the
     * rest may have been passed to it just before. Older clients report nothing: then all count as seen.
     */
    void lost() {
        end("connection", Long.MAX_VALUE, e -> e.passed || !reportsPassed ? ApplicationSaw.YES : ApplicationSaw.MAYBE);
        connection.closed(stream);
    }

    private void end(String cause, long consumedTo, Function<QueueEntry, ApplicationSaw> seen) {
        if (closed) {
            return;
        }
        closed = true;
        for (SessionConsumer c : consumers.values()) {
            c.leave();
            c.left();
        }
        consumers.clear();
        transaction.rollback(cause, consumedTo);
        Branch b = branch;
        if (b != null) {
            branch = null;
            b.leave(this);
        }
        Returning.takeBack(unacked.removeAll(), seen, redeliveryDelay);
        sends.close();
    }

    // called by destinations

    @Override
    public BrokerLoop loop() {
        return loop;
    }

    @Override
    public SessionWindow window() {
        return window;
    }

    @Override
    public boolean flowing() {
        return !resting && connection.flowing();
    }

    @Override
    public boolean isStarted() {
        return connection.isStarted();
    }

    @Override
    public boolean returnsParts() {
        return takesBranches();
    }

    @Override
    public boolean noAcknowledge() {
        return mode == ClientFrames.OpenSession.NONE;
    }

    @Override
    public long origin() {
        return connection.origin();
    }

    @Override
    public int generation() {
        return generation;
    }

    @Override
    public String who() {
        String id = connection.clientId();
        return connection.wire.user() + " from " + connection.address() + ", connection "
                + Long.toHexString(connection.wire.id()) + (id == null ? "" : ", client id " + id) + ", session "
                + stream;
    }

    @Override
    public void deliver(QueueEntry e, QueueConsumer c) {
        ByteBuf block = e.message.block();
        if (loop.isCurrent()) {
            arrived(e, c, block);
        } else {
            block.retain();
            loop.post(() -> {
                arrived(e, c, block);
                block.release();
            });
        }
    }

    private void arrived(QueueEntry e, QueueConsumer c, ByteBuf block) {
        if (closed || connection.isClosed()) {
            Returning.takeBack(List.of(e), _ -> ApplicationSaw.NO, 0);
            return;
        }
        boolean keep = !noAcknowledge();
        e.passed = false;
        long tag = keep ? unacked.add(e) : unacked.skip();
        ByteBuf frame = connection.wire.newFrame(FrameType.DELIVER, stream, DeliverFrame.HEAD_BYTES, block);
        DeliverFrame.writeHead(frame, c.id, tag, e.redelivered() ? DeliverFrame.REDELIVERED : 0, e.attempt());
        connection.wire.send(frame, block);
        if (!keep) {
            settling.acknowledge(e);
            settling.flush();
        }
    }

    @Override
    public void receiveDone(int request, int count) {
        loop.run(() -> {
            if (!closed) {
                replies.receiveDone(request, count);
            }
        });
    }

    @Override
    public void evicted(QueueConsumer c, RequestRefusal why) {
        loop.run(() -> {
            SessionConsumer gone = closed ? null : consumers.remove(c.id);
            if (gone != null) {
                gone.left();
                replies.consumerClosed(c.id, why.code(), why.text());
            }
        });
    }
}
