package io.weir.jms.client.consumer;

import io.netty.buffer.ByteBuf;
import io.weir.jms.client.delivery.Acknowledger;
import io.weir.jms.client.delivery.Attachment;
import io.weir.jms.client.delivery.Delivery;
import io.weir.jms.client.delivery.DeliveryTarget;
import io.weir.jms.client.link.Call;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.frames.ClientFrames.CloseConsumer;
import io.weir.jms.frames.ClientFrames.ConsumerMode;
import io.weir.jms.frames.ClientFrames.OpenConsumer;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.FrameType;
import io.weir.jms.message.WeirDestination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a queue or a subscription. Used by its session's thread; close can be called from any thread. Lives
 * until it, its session or its connection is closed, or the server closes it.
 */
public final class ClientConsumer implements DeliveryTarget, Puller.Consumer, QueueReceiver, TopicSubscriber {
    /**
     * The specification of a consumer.
     *
     * @param flags those of {@link OpenConsumer}
     * @param subscription name of a durable or shared subscription
     */
    public record Spec(
            WeirDestination destination,
            @Nullable String selector,
            int flags,
            @Nullable String subscription) {}

    private final ConsumerParts parts;
    private final SessionLife session;
    private final Spec spec;
    private final Puller puller;
    private final int number;
    private volatile @Nullable MessageListener listener;
    private volatile boolean pushed;
    private volatile boolean opened;
    private volatile boolean closed;
    private volatile boolean listening;
    private volatile boolean receiving;
    private volatile @Nullable JMSException closedByServer;
    /** Held while it is reopened or closed at the broker, which must not overlap. */
    private final ReentrantLock atServer = new ReentrantLock();

    /** How often its listener threw; written by the session's dispatch. */
    private long threw;

    /** Creates a consumer that is opened at the broker by {@link #open}. */
    public ClientConsumer(ConsumerParts parts, Spec spec) {
        this.parts = parts;
        this.session = parts.session();
        this.spec = spec;
        this.puller = new Puller(parts, this);
        this.number = parts.consumers().add(this);
    }

    /** Opens it at the broker, or removes it if the broker refuses. */
    public void open() throws JMSException {
        try {
            openOn(session.link(), new Call() {
                @Override
                public void ok(ByteBuf payload) {
                    opened = true;
                    super.ok(payload);
                }
            });
        } catch (JMSException e) {
            closed = true;
            parts.consumers().remove(number, this);
            throw e;
        }
    }

    /** Opens it on another link after a loss, unless it has been closed. */
    public void reopen(Attachment link) throws JMSException {
        atServer.lock();
        try {
            if (!closed) {
                openOn(link, new Call());
            }
        } finally {
            atServer.unlock();
        }
    }

    /** Whether it was opened at the broker, on this link or on a lost one; one that is being opened is not restored. */
    public boolean isOpened() {
        return opened;
    }

    private void openOn(Attachment link, Call call) throws JMSException {
        int flags = spec.flags() | (listener != null ? OpenConsumer.ASYNC : 0);
        link.call(
                call,
                FrameType.OPEN_CONSUMER,
                (out, request) -> new OpenConsumer(
                                request,
                                number,
                                spec.destination().wireName(),
                                spec.selector(),
                                flags,
                                spec.subscription())
                        .write(out));
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public WeirDestination destination() {
        return spec.destination();
    }

    @Override
    public boolean isDurable() {
        DestinationKind kind = destination().kind();
        return !kind.temporary() && (!kind.topic() || (spec.flags() & OpenConsumer.DURABLE) != 0);
    }

    /** Fetches its messages for receives. */
    Puller puller() {
        return puller;
    }

    @Override
    public boolean isPushed() {
        return pushed;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public @Nullable MessageListener listener() {
        return listener;
    }

    @Override
    public void keep(Delivery d) {
        puller.add(d);
    }

    @Override
    public void enter() {
        listening = true;
    }

    @Override
    public void leave() {
        listening = false;
    }

    @Override
    public long threw() {
        return ++threw;
    }

    private void checkOpen() throws JMSException {
        session.checkOpen();
        JMSException why = closedByServer;
        if (why != null) {
            throw Refusals.caused(
                    new IllegalStateException(
                            "the server closed the consumer: " + why.getMessage(), why.getErrorCode()),
                    why);
        }
        if (closed) {
            throw Refusals.closed("the consumer");
        }
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return spec.selector();
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener next) throws JMSException {
        checkOpen();
        MessageListener before = listener;
        if (next != null && before == null) {
            push(next);
        } else if (next == null && before != null) {
            unpush();
        } else {
            listener = next;
        }
    }

    private void push(MessageListener next) throws JMSException {
        listener = next;
        pushed = true;
        for (Delivery d = puller.poll(); d != null; d = puller.poll()) {
            parts.listening().addEarlier(d);
        }
        mode(ConsumerMode.ASYNC);
        parts.dispatch().wake();
    }

    /** After the answer no more messages are pushed; earlier ones wait for a receive. */
    private void unpush() throws JMSException {
        listener = null;
        parts.dispatch().awaitIdle();
        mode(ConsumerMode.SYNC);
        session.link().sync();
        pushed = false;
        parts.dispatch().wake();
    }

    private void mode(int mode) throws JMSException {
        session.link().send(FrameType.CONSUMER_MODE, 8, out -> new ConsumerMode(number, mode).write(out));
    }

    @Override
    public @Nullable Message receive() throws JMSException {
        return receiveWithin(Puller.FOR_EVER);
    }

    /** 0 waits forever, as the specification requires; a negative time is treated as 0. */
    @Override
    public @Nullable Message receive(long timeout) throws JMSException {
        return receiveWithin(timeout <= 0 ? Puller.FOR_EVER : timeout);
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        return receiveWithin(Puller.NO_WAIT);
    }

    private @Nullable Message receiveWithin(long millis) throws JMSException {
        return receiveWithin(millis, this::hand);
    }

    /** Converts a delivery into the application's result. */
    @FunctionalInterface
    private interface Handing<T> {
        T of(Delivery d) throws JMSException;
    }

    private <T> @Nullable T receiveWithin(long millis, Handing<T> handing) throws JMSException {
        checkReceive();
        boolean batches = parts.prefetch()
                .receiving(
                        parts.consumers().count(),
                        destination().kind().topic(),
                        parts.mode() == AckMode.BRANCHES && session.transacted());
        parts.receiver().begin();
        receiving = true;
        try {
            Delivery d = puller.take(millis, batches ? parts.knobs().messagesMaximum() : 1);
            return d == null ? null : handing.of(d);
        } finally {
            receiving = false;
            parts.receiver().end();
        }
    }

    /**
     * Receives the body of the next message. A message whose body cannot be converted to the type is, in an automatic
     * session, not received: it is delivered again, not flagged as redelivered; in other sessions it counts as received
     * (specification 8.6).
     *
     * @param millis how long to wait; {@link Puller#FOR_EVER}, {@link Puller#NO_WAIT}
     * @throws MessageFormatException if the message has no body of the type
     */
    public <T> @Nullable T receiveBody(Class<T> type, long millis) throws JMSException {
        return this.<T>receiveWithin(millis, d -> {
            if (!session.automatic()) {
                return body(hand(d), type);
            }
            boolean had = false;
            try {
                T body = body(d.message, type);
                had = true;
                hand(d);
                return body;
            } finally {
                if (!had) {
                    puller.putBack(d);
                }
            }
        });
    }

    private static <T> T body(Message message, Class<T> type) throws JMSException {
        T body = message.getBody(type);
        if (body == null) {
            throw new MessageFormatException("the message has no body");
        }
        return body;
    }

    private void checkReceive() throws JMSException {
        checkOpen();
        if (parts.consumers().any(c -> c.listener != null)) {
            throw new IllegalStateException(
                    "the session has a message listener, it can not receive synchronously too", "LISTENER");
        }
    }

    private Message hand(Delivery d) {
        if (d.attachment.isLost()) {
            // the broker redelivers it to another consumer, if it has not already
            d.message.setJMSRedelivered(true);
        }
        Acknowledger acks = d.attachment.acks();
        acks.pass(d);
        parts.transaction().touched(d.attachment);
        if (d.automatic) {
            acks.consume(d);
        }
        acks.flush(puller.isEmpty());
        return d.message;
    }

    /** Waits for its listener if that runs on another thread; messages that were not consumed are returned. */
    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        closed = true;
        awaitUse();
        atServer.lock();
        try {
            if (closedByServer == null) {
                closeAtServer();
            }
        } finally {
            parts.consumers().remove(number, this);
            atServer.unlock();
        }
    }

    private void awaitUse() {
        while ((listening || receiving) && !parts.isUsedHere()) {
            parts.receiver().wake();
            LockSupport.parkNanos(this, TimeUnit.MICROSECONDS.toNanos(200));
        }
    }

    private void closeAtServer() throws JMSException {
        Attachment a = session.attachmentNow();
        if (a == null || a.isLost() || session.isClosed()) {
            return;
        }
        puller.cancel();
        if (!parts.dispatch().isCurrent()) {
            a.acks().drain();
        }
        long seen = a.acks().seen();
        for (Delivery d = puller.poll(); d != null; d = puller.poll()) {
            if (a.equals(d.attachment) && d.tag <= seen && !d.isVoid()) {
                a.giveBack(d);
            }
        }
        a.call(FrameType.CLOSE_CONSUMER, (out, request) -> new CloseConsumer(request, number, seen).write(out));
    }

    /** Marks it closed with its session. */
    public void sessionClosed() {
        closed = true;
    }

    @Override
    public void closedByServer(JMSException why) {
        closedByServer = why;
        closed = true;
        parts.consumers().remove(number, this);
        parts.receiver().wake();
        session.consumerFailed(why);
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        if (spec.destination() instanceof Queue queue) {
            return queue;
        }
        throw new IllegalStateException(spec.destination() + " is not a queue", "DOMAIN");
    }

    @Override
    public Topic getTopic() throws JMSException {
        checkOpen();
        if (spec.destination() instanceof Topic topic) {
            return topic;
        }
        throw new IllegalStateException(spec.destination() + " is not a topic", "DOMAIN");
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        checkOpen();
        return (spec.flags() & OpenConsumer.NO_LOCAL) != 0;
    }
}
