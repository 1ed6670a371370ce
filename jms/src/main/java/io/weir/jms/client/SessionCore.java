package io.weir.jms.client;

import io.weir.base.Clock;
import io.weir.jms.client.consumer.ClientConsumer;
import io.weir.jms.client.consumer.ConsumerParts;
import io.weir.jms.client.consumer.ListenerDelivery;
import io.weir.jms.client.consumer.PrefetchRules;
import io.weir.jms.client.consumer.ReceivingThread;
import io.weir.jms.client.consumer.SessionLife;
import io.weir.jms.client.delivery.Attachment;
import io.weir.jms.client.delivery.Delivery;
import io.weir.jms.client.delivery.DeliverySession;
import io.weir.jms.client.delivery.DeliveryTarget;
import io.weir.jms.client.delivery.LostConsumption;
import io.weir.jms.client.delivery.Transaction;
import io.weir.jms.client.link.Link;
import io.weir.jms.client.link.LinkStream;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.client.link.Slots;
import io.weir.jms.client.listener.Dispatch;
import io.weir.jms.client.producer.AsyncSends;
import io.weir.jms.client.producer.ClientProducer;
import io.weir.jms.client.producer.MessageIds;
import io.weir.jms.client.producer.ProducerParts;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.client.xa.BranchSession;
import io.weir.jms.client.xa.SessionResource;
import io.weir.jms.frames.BrokerFrames.Ok;
import io.weir.jms.frames.BrokerFrames.OneWayFailed;
import io.weir.jms.frames.FrameType;
import io.weir.jms.message.ObjectRules;
import io.weir.jms.message.WeirDestination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A session's state and its communication with the broker, below the application's interfaces. Its thread is the one
 * that uses the session: the application's, or a listener's; the loop passes in deliveries and answers; close can be
 * called from any thread. Lives from the session's creation to its close, across reconnections.
 */
final class SessionCore implements DeliverySession, SessionLife, BranchSession {
    /** The connection of the session. */
    interface Owner {
        /** Whether the link is the current one: not lost, and all restored objects are open on it. */
        boolean isCurrent(Link link);

        /** The current link; waits until a lost one is restored. */
        Link awaitLink() throws JMSException;

        /** Whether messages are delivered. */
        boolean isStarted();

        /** Notifies the application's ExceptionListener of a failure without a waiting caller. */
        void notifyListener(JMSException why);

        /** Reports a failure that cannot be thrown to a caller. */
        void quiet(String what, Throwable cause);

        /** The connection's own stream on the current link. */
        LinkStream control() throws JMSException;

        /** Removes a closed session. */
        void forget(SessionCore session);
    }

    private final Owner owner;
    private final AckMode mode;
    private final ClientKnobs knobs;
    private final ObjectRules objectRules;
    private final Clock clock;
    private final Dispatch dispatch;
    private final ReceivingThread receiver = new ReceivingThread(this::running);
    private final AsyncSends asyncSends;
    private final Transaction transaction;
    private final ListenerDelivery listening;
    private final LostConsumption lost = new LostConsumption();
    private final ConsumerParts consumers;
    private final ProducerParts producers;

    /** Of an XA session. */
    private final @Nullable SessionResource resource;

    private volatile @Nullable Attachment attachment;
    /** Held while it is opened on another link or closed, so that these do not overlap. */
    private final ReentrantLock atServer = new ReentrantLock();

    /**
     * No more messages are passed to the application; a running listener can use all services until it returns
     * (6.2.15).
     */
    private volatile boolean ending;

    private volatile boolean closing;

    /**
     * Creates a session that is not open yet.
     *
     * @param pool runs its listeners
     * @param ids the source of ids of messages that its connection sends
     */
    SessionCore(Owner owner, AckMode mode, ClientKnobs knobs, Clock clock, Executor pool, MessageIds ids) {
        this.owner = owner;
        this.mode = mode;
        this.knobs = knobs;
        this.clock = clock;
        this.objectRules = ObjectRules.allowing(knobs.deserializationAllowList());
        this.dispatch = new Dispatch(pool);
        this.asyncSends = new AsyncSends(dispatch, owner::quiet);
        this.transaction = new Transaction(this, mode, asyncSends);
        this.listening = new ListenerDelivery(this, transaction, receiver);
        this.consumers = new ConsumerParts(
                this,
                mode,
                knobs,
                clock,
                receiver,
                dispatch,
                listening,
                new PrefetchRules(knobs.synchronousPrefetchMode()),
                transaction,
                new Slots<>());
        this.producers = new ProducerParts(this, mode, knobs, clock, ids, asyncSends, transaction, new Slots<>());
        this.resource = mode == AckMode.BRANCHES ? new SessionResource(this) : null;
        dispatch.does(asyncSends, listening);
    }

    // ---- the link

    /** Opens the session on a link, the first or another. */
    Attachment open(Link link) throws JMSException {
        Attachment a = new Attachment(this, link);
        a.open();
        attachment = a;
        return a;
    }

    /** Opens session and consumers on another link after a loss, unless it has been closed. */
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
                    consumers.consumers().all().filter(ClientConsumer::isOpened).toList()) {
                c.reopen(attached);
            }
        } finally {
            atServer.unlock();
        }
    }

    @Override
    public Attachment link() throws JMSException {
        Attachment a = attachment;
        if (a != null && owner.isCurrent(a.link())) {
            return a;
        }
        checkOpen();
        Link now = owner.awaitLink();
        checkOpen();
        a = attachment;
        if (a == null || a.link() != now) {
            throw new JMSException("the connection was lost again", "LOST");
        }
        return a;
    }

    @Override
    public @Nullable Attachment attachmentNow() {
        return attachment;
    }

    @Nullable
    Ok call(int type, LinkStream.Body body) throws JMSException {
        return link().call(type, body);
    }

    @Override
    public void quiet(String what, Throwable cause) {
        owner.quiet(what, cause);
    }

    @Override
    public void consumerFailed(JMSException why) {
        owner.notifyListener(why);
    }

    // ---- parts

    @Override
    public ClientKnobs knobs() {
        return knobs;
    }

    @Override
    public AckMode mode() {
        return mode;
    }

    /** The resource of an XA session. */
    SessionResource resource() {
        SessionResource r = resource;
        if (r == null) {
            throw new java.lang.IllegalStateException("not an XA session");
        }
        return r;
    }

    @Override
    public boolean transacted() {
        SessionResource r = resource;
        return r == null ? mode == AckMode.TRANSACTED : r.isActive();
    }

    @Override
    public boolean automatic() {
        SessionResource r = resource;
        return r == null ? mode.automatic() : !r.isActive();
    }

    @Override
    public boolean isCompleting() {
        return asyncSends.isCompleting();
    }

    @Override
    public void awaitSends() throws JMSException {
        asyncSends.awaitAll();
    }

    @Override
    public LinkStream control() throws JMSException {
        return owner.control();
    }

    @Override
    public Object connection() {
        return owner;
    }

    Dispatch dispatch() {
        return dispatch;
    }

    ListenerDelivery listening() {
        return listening;
    }

    /** The state that its consumers share. */
    ConsumerParts consumers() {
        return consumers;
    }

    /** The state that its producers share. */
    ProducerParts producers() {
        return producers;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public ObjectRules objectRules() {
        return objectRules;
    }

    /** Whether it has consumers that are open at the broker. */
    boolean consumes() {
        return consumers.consumers().any(ClientConsumer::isOpened);
    }

    /** Whether it has a consumer of the destination. */
    boolean hasConsumerOf(WeirDestination destination) {
        return consumers.consumers().any(c -> c.destination().equals(destination));
    }

    @Override
    public boolean isClosed() {
        return ending;
    }

    @Override
    public void checkOpen() throws JMSException {
        if (closing || (ending && !dispatch.isCurrent())) {
            throw Refusals.closed("the session");
        }
    }

    @Override
    public boolean running() {
        return owner.isStarted() && !ending;
    }

    // ---- arrivals, on the loop

    @Override
    public @Nullable DeliveryTarget consumer(int number) {
        return consumers.consumers().get(number);
    }

    @Override
    public void pushed(Delivery d) {
        listening.add(d);
    }

    @Override
    public void oneWayFailed(OneWayFailed failed) {
        ClientProducer p = producers.producers().get(failed.producer());
        if (p != null) {
            p.oneWayFailed(failed);
        }
    }

    @Override
    public void arrived() {
        if (listening.waits()) {
            dispatch.wake();
        }
        receiver.wake();
    }

    // ---- receiving

    @Override
    public void wakeReceiver() {
        receiver.wake();
    }

    @Override
    public void confirmed() {
        dispatch.wake();
        receiver.wake();
    }

    /** Resumes delivery. */
    void started() {
        dispatch.wake();
        receiver.wake();
    }

    /** Waits until no message is being passed to the application. */
    void awaitPaused() {
        dispatch.awaitNoMessage();
        receiver.awaitPaused();
    }

    // ---- acknowledgement and transactions

    /** Acknowledges all messages that the session consumed; throws if that is not possible any more. */
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
            // all messages of the lost link were acknowledged before; later ones were not
            acknowledgeAll();
        }
    }

    Transaction transaction() {
        return transaction;
    }

    void recover() throws JMSException {
        checkOpen();
        if (mode == AckMode.TRANSACTED || mode == AckMode.BRANCHES) {
            throw new IllegalStateException("a transacted session is rolled back, not recovered", "MODE");
        }
        lost.forget();
        if (mode != AckMode.NONE) {
            // without acknowledgements nothing would be redelivered, waiting messages would only be dropped
            link().undo(FrameType.RECOVER);
        }
    }

    // ---- close

    /** Closes on behalf of the application: waits for listeners, returns messages that were not consumed. */
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

    /** Refuses within a listener, unless AllowCloseInOnMessage allows it. */
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

    /** Closes without the check of {@link #checkMayClose}. */
    void closeNow() {
        ending = true;
        dispatch.awaitIdle();
        closing = true;
        // a receive in progress completes first: it would send requests for a session that the server has closed
        receiver.awaitEnd(this::isLinkLost);
        try {
            asyncSends.awaitAll();
            SessionResource r = resource;
            if (r != null) {
                r.closing();
            }
            closeAtServer();
        } catch (JMSException e) {
            Attachment a = attachment;
            if (a != null && !a.isLost()) {
                // The loss of a connection is reported to its ExceptionListener and ends its sessions anyway.
                quiet("a session was closed, but the server was not notified", e);
            }
        }
        finish();
    }

    private boolean isLinkLost() {
        Attachment a = attachment;
        return a == null || a.isLost();
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
        consumers.consumers().all().forEach(ClientConsumer::sessionClosed);
        receiver.wake();
        owner.forget(this);
    }

    /** Closes because the connection has failed permanently, or the policy does not restore this session. */
    void abandon() {
        finish();
        dispatch.wake();
    }
}
