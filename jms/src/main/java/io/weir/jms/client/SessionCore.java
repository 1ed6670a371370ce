package io.weir.jms.client;

import io.weir.base.Clock;
import io.weir.jms.client.delivery.Attachment;
import io.weir.jms.client.delivery.Delivery;
import io.weir.jms.client.delivery.DeliverySession;
import io.weir.jms.client.delivery.DeliveryTarget;
import io.weir.jms.client.delivery.LostConsumption;
import io.weir.jms.client.link.Link;
import io.weir.jms.client.link.LinkStream;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.client.link.Slots;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.frames.BrokerFrames.Ok;
import io.weir.jms.frames.BrokerFrames.OneWayFailed;
import io.weir.jms.frames.FrameType;
import io.weir.jms.message.ObjectRules;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A session's state and its talk with the broker, below the application's interfaces. Its thread is the one that uses the
 * session: the application's, or a listener's; the loop brings deliveries and answers; close comes from any thread. Lives
 * from the session's creation to its close, over reconnections.
 */
final class SessionCore implements DeliverySession {
    private final ClientConnection connection;
    private final AckMode mode;
    private final ClientKnobs knobs;
    private final ObjectRules objectRules;
    private final Dispatch dispatch;
    private final AsyncSends asyncSends;
    private final PrefetchRules prefetch;
    private final ListenerDelivery listening;
    private final Transaction transaction = new Transaction(this);
    private final LostConsumption lost = new LostConsumption();
    private final Slots<ClientConsumer> consumers = new Slots<>();
    private final Slots<ClientProducer> producers = new Slots<>();

    private volatile @Nullable Attachment attachment;
    private volatile @Nullable Thread receiver;
    private volatile boolean handing;
    /** Held while it is opened on another link or closed: one comes after the other. */
    private final ReentrantLock atServer = new ReentrantLock();

    /** Nothing is handed out any more; a listener that runs still has all services until it returns (6.2.15). */
    private volatile boolean ending;

    private volatile boolean closing;

    SessionCore(ClientConnection connection, AckMode mode) {
        this.connection = connection;
        this.mode = mode;
        this.knobs = connection.knobs();
        this.objectRules = ObjectRules.allowing(knobs.deserializationAllowList());
        this.dispatch = new Dispatch(connection.pool());
        this.asyncSends = new AsyncSends(dispatch, connection::quiet);
        this.prefetch = new PrefetchRules(knobs.synchronousPrefetchMode());
        this.listening = new ListenerDelivery(this);
        dispatch.does(listening);
        dispatch.completes(asyncSends);
    }

    // ---- the link

    /** Opens the session on a link, the first or another. */
    Attachment open(Link link) throws JMSException {
        Attachment a = new Attachment(this, link);
        a.open();
        attachment = a;
        return a;
    }

    /** Opens session, consumers and all on another link after a loss; not if it was closed meanwhile. */
    void reopen(Link link) throws JMSException {
        atServer.lock();
        try {
            if (closing) {
                return;
            }
            Attachment before = attachment;
            if (before != null && mode == AckMode.CLIENT) {
                lost.add(before);
            }
            Attachment attached = open(link);
            for (ClientConsumer c :
                    consumers.all().filter(ClientConsumer::isOpened).toList()) {
                c.reopen(attached);
            }
        } finally {
            atServer.unlock();
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

    @Nullable
    Ok call(int type, LinkStream.Body body) throws JMSException {
        return link().call(type, body);
    }

    @Override
    public void quiet(String what, Throwable cause) {
        connection.quiet(what, cause);
    }

    // ---- parts

    ClientConnection connection() {
        return connection;
    }

    @Override
    public ClientKnobs knobs() {
        return knobs;
    }

    @Override
    public AckMode mode() {
        return mode;
    }

    AsyncSends asyncSends() {
        return asyncSends;
    }

    Dispatch dispatch() {
        return dispatch;
    }

    ListenerDelivery listening() {
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
    public Clock clock() {
        return connection.clock();
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

    @Override
    public void checkOpen() throws JMSException {
        if (closing || (ending && !dispatch.isCurrent())) {
            throw Refusals.closed("the session");
        }
    }

    /** Whether messages may be handed to the application now. */
    boolean running() {
        return connection.isStarted() && !ending;
    }

    // ---- arrivals, on the loop

    @Override
    public @Nullable DeliveryTarget consumer(int number) {
        return consumers.get(number);
    }

    @Override
    public void pushed(Delivery d) {
        listening.add(d);
    }

    @Override
    public void oneWayFailed(OneWayFailed failed) {
        ClientProducer p = producers.get(failed.producer());
        if (p != null) {
            p.oneWay().failed(failed);
        }
    }

    @Override
    public void arrived() {
        if (listening.waits()) {
            dispatch.wake();
        }
        wakeReceiver();
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

    @Override
    public void wakeReceiver() {
        Thread t = receiver;
        if (t != null) {
            LockSupport.unpark(t);
        }
    }

    @Override
    public void confirmed() {
        dispatch.wake();
        wakeReceiver();
    }

    /** Delivery goes on. */
    void started() {
        dispatch.wake();
        wakeReceiver();
    }

    /** Waits until no message is being handed out. */
    void awaitPaused() {
        dispatch.awaitNoMessage();
        while (handing && !Thread.currentThread().equals(receiver)) {
            LockSupport.parkNanos(this, TimeUnit.MICROSECONDS.toNanos(100));
        }
        wakeReceiver();
    }

    // ---- acknowledgement and transactions

    /** Acknowledges all that the session consumed, or says that it can not. */
    void acknowledgeAll() throws JMSException {
        Attachment a = attachment;
        if (mode == AckMode.CLIENT && a != null) {
            acknowledge(a, Long.MAX_VALUE);
        }
    }

    @Override
    public void acknowledge(Attachment a, long to) throws JMSException {
        lost.check(attachment);
        if (a.acks().owes(to) || !a.isLost()) {
            a.acknowledgeTo(to);
        } else if (to == Long.MAX_VALUE && !a.equals(attachment)) {
            // all that came there was acknowledged before; what came since was not
            acknowledgeAll();
        }
    }

    /** Waits until the broker has done all that was told to it before. */
    void sync() throws JMSException {
        link().sync();
    }

    Transaction transaction() {
        return transaction;
    }

    void recover() throws JMSException {
        checkOpen();
        if (mode == AckMode.TRANSACTED) {
            throw new IllegalStateException("a transacted session is rolled back, not recovered", "MODE");
        }
        lost.forget();
        if (mode != AckMode.NONE) {
            // without acknowledgements nothing would come again, what waits here would only be dropped
            link().undo(FrameType.RECOVER);
        }
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
        if (dispatch.isCompleting()) {
            throw new IllegalStateException(
                    "a completion listener must not close its own session or connection", "LISTENER");
        }
        if (dispatch.isCurrent() && !knobs.allowCloseInOnMessage()) {
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
        atServer.lock();
        try {
            Attachment a = attachment;
            if (a != null && !a.isLost()) {
                a.close();
            }
        } finally {
            atServer.unlock();
        }
    }

    private void finish() {
        ending = true;
        closing = true;
        Attachment a = attachment;
        if (a != null) {
            a.detach();
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
