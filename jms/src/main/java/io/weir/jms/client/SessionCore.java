package io.weir.jms.client;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.BrokerFrames.Ok;
import io.weir.jms.frames.BrokerFrames.OneWayFailed;
import io.weir.jms.frames.ClientFrames.OpenSession;
import io.weir.jms.frames.ClientFrames.Plain;
import io.weir.jms.frames.ClientFrames.Undo;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.message.MessageOwner;
import io.weir.jms.message.ObjectRules;
import io.weir.jms.message.WeirMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A session's state and its talk with the broker, below the application's interfaces. Its thread is the one that uses the
 * session: the application's, or a listener's; the loop brings deliveries and answers; close comes from any thread. Lives
 * from the session's creation to its close, over reconnections.
 */
final class SessionCore implements MessageOwner {
    private final ClientConnection connection;
    private final AckMode mode;
    private final ClientKnobs knobs;
    private final ObjectRules objectRules;
    private final Acknowledger acks;
    private final Dispatch dispatch;
    private final AsyncSends asyncSends;
    private final PrefetchRules prefetch;
    private final Listening listening;
    private final Transaction transaction = new Transaction(this);
    private final Slots<ClientConsumer> consumers = new Slots<>();
    private final Slots<ClientProducer> producers = new Slots<>();

    private volatile @Nullable Attachment attachment;
    private volatile @Nullable Thread receiver;
    private volatile boolean handing;
    private volatile int generation;
    private volatile int arriving;
    /** Nothing is handed out any more; a listener that runs still has all services until it returns (6.2.15). */
    private volatile boolean ending;

    private volatile boolean closing;

    SessionCore(ClientConnection connection, AckMode mode) {
        this.connection = connection;
        this.mode = mode;
        this.knobs = connection.knobs();
        this.objectRules = ObjectRules.allowing(knobs.deserializationAllowList());
        this.acks = new Acknowledger(this, mode, knobs.messagesMaximum(), connection.clock());
        this.dispatch = new Dispatch(connection.pool());
        this.asyncSends = new AsyncSends(dispatch);
        this.prefetch = new PrefetchRules(knobs.synchronousPrefetchMode());
        this.listening = new Listening(this);
        dispatch.does(listening);
        dispatch.completes(asyncSends);
    }

    // ---- the link

    /** Opens the session on a link, the first or another. */
    Attachment open(Link link) throws JMSException {
        Attachment a = new Attachment(link, link.attach(this));
        boolean unlimited = knobs.messagesMaximum() < 0;
        a.call(
                FrameType.OPEN_SESSION,
                (out, request) -> new OpenSession(
                                request,
                                mode.wire(),
                                knobs.messagesMaximum(),
                                unlimited ? -1 : knobs.windowBytes(),
                                knobs.acknowledgePolicy() == AcknowledgePolicy.PREVIOUS,
                                knobs.defaultRedeliveryDelay())
                        .write(out));
        attachment = a;
        return a;
    }

    /** Opens session, consumers and all on another link after a loss. */
    void reopen(Link link) throws JMSException {
        transaction.lost();
        int next = generation + 1;
        generation = next;
        arriving = next;
        acks.restart();
        Attachment attached = open(link);
        for (ClientConsumer c : consumers.all().filter(ClientConsumer::isOpened).toList()) {
            c.reopen(attached);
        }
    }

    /** The place on the link; waits for a lost one to come back, as long as ReconnectBlockingMillis. */
    Attachment link() throws JMSException {
        Attachment a = attachment;
        if (a != null && connection.isCurrent(a.link())) {
            return a;
        }
        checkOpen();
        Link now = connection.awaitLink();
        checkOpen();
        a = attachment;
        if (a == null || a.link() != now) {
            throw new JMSException("the connection was lost again", "LOST");
        }
        return a;
    }

    /** The place on the link, lost or not; null before it is opened. */
    @Nullable
    Attachment attachmentNow() {
        return attachment;
    }

    void tell(int type, int sizeHint, Consumer<ByteBuf> body) throws JMSException {
        Attachment a = attachment;
        if (a != null) {
            a.tell(type, sizeHint, body);
        }
    }

    @Nullable
    Ok call(int type, Attachment.Body body) throws JMSException {
        return link().call(type, body);
    }

    void later(Runnable task, long nanos) {
        Attachment a = attachment;
        if (a != null) {
            a.link().later(task, nanos);
        }
    }

    void quiet(String what, Throwable cause) {
        connection.quiet(what, cause);
    }

    // ---- parts

    ClientConnection connection() {
        return connection;
    }

    ClientKnobs knobs() {
        return knobs;
    }

    AckMode mode() {
        return mode;
    }

    Acknowledger acks() {
        return acks;
    }

    AsyncSends asyncSends() {
        return asyncSends;
    }

    Dispatch dispatch() {
        return dispatch;
    }

    Listening listening() {
        return listening;
    }

    PrefetchRules prefetch() {
        return prefetch;
    }

    Slots<ClientConsumer> consumers() {
        return consumers;
    }

    Slots<ClientProducer> producers() {
        return producers;
    }

    @Override
    public ObjectRules objectRules() {
        return objectRules;
    }

    /** Whether it has consumers at the broker. */
    boolean consumes() {
        return consumers.any(ClientConsumer::isOpened);
    }

    /** Whether it is closed or going to be. */
    boolean isClosed() {
        return ending;
    }

    void checkOpen() throws JMSException {
        if (closing || (ending && !dispatch.isCurrent())) {
            throw Refusals.closed("the session");
        }
    }

    /** Whether messages may be handed to the application now. */
    boolean running() {
        return connection.isStarted() && !ending;
    }

    // ---- arrivals, on the loop

    private final MessageView view = new MessageView();

    /** A message for one of the consumers; false when it has none of that number. */
    boolean delivered(DeliverFrame head, ByteBuf block) {
        ClientConsumer c = consumers.get(head.consumer());
        if (c == null) {
            return false;
        }
        WeirMessage message = WeirMessage.received(
                view.wrap(block), c.destination(), head.redelivered(), head.deliveryCount(), head.tag(), this);
        if (message.getJMSDeliveryTime() == 0) {
            message.setJMSDeliveryTime(message.getJMSTimestamp());
        }
        boolean pushed = c.isPushed();
        Delivery d = new Delivery(c, head.tag(), pushed, arriving, block.readableBytes(), message);
        if (pushed) {
            listening.add(d);
        } else {
            c.puller().add(d);
        }
        return true;
    }

    /** The read that brought deliveries is over. */
    void arrived() {
        if (listening.waits()) {
            dispatch.wake();
        }
        wakeReceiver();
    }

    void consumerClosed(int consumer, RefusalCode code, String text) {
        ClientConsumer c = consumers.get(consumer);
        if (c != null) {
            c.closedByServer(Refusals.of(code, text));
        }
    }

    void oneWayFailed(OneWayFailed failed) {
        ClientProducer p = producers.get(failed.producer());
        if (p != null) {
            p.oneWay().failed(failed);
        }
    }

    // ---- receiving

    /** The current thread is going to wait for messages of this session. */
    void beginReceive() throws JMSException {
        Thread other = receiver;
        if (other != null && !other.equals(Thread.currentThread())) {
            throw new IllegalStateException(
                    "the session is used by two threads: " + other.getName() + " receives already", "THREADS");
        }
        receiver = Thread.currentThread();
    }

    void endReceive() {
        handing = false;
        receiver = null;
    }

    /** Says that a message is being handed out, so that stop waits for it; false when delivery is stopped. */
    boolean beginHanding() {
        handing = true;
        if (running()) {
            return true;
        }
        handing = false;
        return false;
    }

    void endHanding() {
        handing = false;
    }

    /** Whether the current thread is the one that listens or receives. */
    boolean isUsedHere() {
        return dispatch.isCurrent() || Thread.currentThread().equals(receiver);
    }

    void wakeReceiver() {
        Thread t = receiver;
        if (t != null) {
            LockSupport.unpark(t);
        }
    }

    /** Whether the delivery came before the last recovery, which made it void. */
    boolean isVoid(Delivery d) {
        return d.generation != generation;
    }

    int generation() {
        return generation;
    }

    /** Delivery goes on. */
    void started() {
        dispatch.wake();
        wakeReceiver();
    }

    /** Waits until no message is being handed out. */
    void awaitPaused() {
        dispatch.awaitIdle();
        while (handing && !Thread.currentThread().equals(receiver)) {
            LockSupport.parkNanos(this, TimeUnit.MICROSECONDS.toNanos(100));
        }
        wakeReceiver();
    }

    // ---- acknowledgement and transactions

    /** Message.acknowledge of a message of this session. */
    @Override
    public void acknowledge(WeirMessage message) throws JMSException {
        checkOpen();
        if (mode != AckMode.CLIENT) {
            return;
        }
        if (knobs.acknowledgePolicy() == AcknowledgePolicy.PREVIOUS) {
            acks.acknowledgeTo(message.deliveryTag());
        } else {
            acks.acknowledgeAll();
        }
        sync();
    }

    /** Acknowledges all that the session consumed. */
    void acknowledgeAll() throws JMSException {
        if (mode == AckMode.CLIENT) {
            acks.acknowledgeAll();
            sync();
        }
    }

    /** Waits until the broker has done all that was told to it before. */
    void sync() throws JMSException {
        call(FrameType.SYNC, (out, request) -> new Plain(request).write(out));
    }

    Transaction transaction() {
        return transaction;
    }

    void recover() throws JMSException {
        checkOpen();
        if (mode == AckMode.TRANSACTED) {
            throw new IllegalStateException("a transacted session is rolled back, not recovered", "MODE");
        }
        undo(FrameType.RECOVER);
    }

    /** Has the broker deliver anew what was not acknowledged, and forgets what waits here. */
    void undo(int type) throws JMSException {
        Attachment a = link();
        acks.drain();
        int next = generation + 1;
        generation = next;
        long seen = acks.seen();
        Call call = new Call() {
            @Override
            void ok(ByteBuf payload) {
                arriving = next;
                super.ok(payload);
            }
        };
        acks.reset();
        a.call(call, type, (out, request) -> new Undo(request, seen).write(out));
    }

    /** Gives single messages back that were below those that the application saw, and that it did not see. */
    void giveBack(long tag) throws JMSException {
        tell(FrameType.ACK, AckFrame.RANGE_BYTES, out -> AckFrame.write(out, tag, tag, AckFrame.RETURNED));
    }

    // ---- close

    /** Closes at the application's wish: waits for listeners, gives back what was not consumed. */
    void close() throws JMSException {
        if (ending) {
            return;
        }
        checkMayClose();
        if (dispatch.isCurrent()) {
            listening.afterListener(this::closeNow);
            return;
        }
        closeNow();
    }

    /** Refuses within a listener, but where AllowCloseInOnMessage allows it. */
    void checkMayClose() throws JMSException {
        if (dispatch.isCompleting() || (dispatch.isCurrent() && !knobs.allowCloseInOnMessage())) {
            throw new IllegalStateException(
                    "a listener must not close its own session or connection (AllowCloseInOnMessage)", "LISTENER");
        }
    }

    /** Closes without asking whether it may. */
    void closeNow() {
        ending = true;
        dispatch.awaitIdle();
        closing = true;
        try {
            asyncSends.awaitAll();
            closeAtServer();
        } catch (JMSException e) {
            Attachment a = attachment;
            if (a != null && !a.isLost()) {
                // A lost connection has its ExceptionListener, and takes its sessions with it.
                quiet("a session was closed, the server did not hear of it", e);
            }
        }
        finish();
    }

    private void closeAtServer() throws JMSException {
        Attachment a = attachment;
        if (a == null || a.isLost()) {
            return;
        }
        acks.drain();
        long seen = acks.seen();
        a.call(FrameType.CLOSE_SESSION, (out, request) -> new Undo(request, seen).write(out));
    }

    private void finish() {
        ending = true;
        closing = true;
        Attachment a = attachment;
        if (a != null) {
            a.link().detach(a.stream(), this);
        }
        consumers.all().forEach(ClientConsumer::sessionClosed);
        wakeReceiver();
        connection.forget(this);
    }

    /** Closes because the connection is gone for good, or the policy does not bring this session back. */
    void abandon() {
        finish();
        dispatch.wake();
    }
}
