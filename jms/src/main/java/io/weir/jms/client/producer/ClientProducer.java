package io.weir.jms.client.producer;

import io.netty.buffer.ByteBuf;
import io.weir.jms.client.delivery.Attachment;
import io.weir.jms.client.delivery.SessionLink;
import io.weir.jms.client.link.Call;
import io.weir.jms.client.link.Pending;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.frames.BrokerFrames.OneWayFailed;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.frames.SendFrame;
import io.weir.jms.message.ForeignMessages;
import io.weir.jms.message.WeirDestination;
import io.weir.jms.message.WeirMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import org.jspecify.annotations.Nullable;

/**
 * A producer. Encodes a message once, into the frame that goes to the socket. Used by its session's thread. Lives until
 * it, its session or its connection is closed, across reconnections.
 */
public final class ClientProducer implements QueueSender, TopicPublisher {
    private final ProducerParts parts;
    private final SessionLink session;
    private final @Nullable WeirDestination destination;
    private final OneWay oneWay;
    private final int number;
    private int deliveryMode;
    private int priority;
    private long timeToLive;
    private long deliveryDelay;
    private boolean noMessageId;
    private boolean noTimestamp;
    private volatile boolean closed;

    /**
     * Creates a producer of a session; the broker learns of it with its first message.
     *
     * @param destination its destination; null if each send specifies one
     */
    public ClientProducer(ProducerParts parts, @Nullable WeirDestination destination) {
        this.parts = parts;
        this.session = parts.session();
        this.destination = destination;
        ClientKnobs knobs = parts.knobs();
        this.oneWay = new OneWay(knobs.oneWaySendMode(), knobs.oneWaySendWindowSize());
        this.deliveryMode = knobs.defaultDeliveryMode().jms();
        this.priority = knobs.defaultPriority();
        this.timeToLive = knobs.defaultTimeToLive();
        this.deliveryDelay = knobs.defaultTimeToDeliver();
        this.number = parts.producers().add(this);
    }

    /** One-way sends were refused: a later send reports it. On the link's loop. */
    public void oneWayFailed(OneWayFailed failed) {
        oneWay.failed(failed);
    }

    private void checkOpen() throws JMSException {
        session.checkOpen();
        if (closed) {
            throw Refusals.closed("the producer");
        }
    }

    @Override
    public void setDisableMessageID(boolean value) throws JMSException {
        checkOpen();
        noMessageId = value;
    }

    @Override
    public boolean getDisableMessageID() throws JMSException {
        checkOpen();
        return noMessageId;
    }

    @Override
    public void setDisableMessageTimestamp(boolean value) throws JMSException {
        checkOpen();
        noTimestamp = value;
    }

    @Override
    public boolean getDisableMessageTimestamp() throws JMSException {
        checkOpen();
        return noTimestamp;
    }

    @Override
    public void setDeliveryMode(int mode) throws JMSException {
        checkOpen();
        deliveryMode = checkedMode(mode);
    }

    @Override
    public int getDeliveryMode() throws JMSException {
        checkOpen();
        return deliveryMode;
    }

    @Override
    public void setPriority(int value) throws JMSException {
        checkOpen();
        priority = checkedPriority(value);
    }

    @Override
    public int getPriority() throws JMSException {
        checkOpen();
        return priority;
    }

    @Override
    public void setTimeToLive(long millis) throws JMSException {
        checkOpen();
        timeToLive = checkedTime(millis, "time to live");
    }

    @Override
    public long getTimeToLive() throws JMSException {
        checkOpen();
        return timeToLive;
    }

    @Override
    public void setDeliveryDelay(long millis) throws JMSException {
        checkOpen();
        deliveryDelay = checkedTime(millis, "delivery delay");
    }

    @Override
    public long getDeliveryDelay() throws JMSException {
        checkOpen();
        return deliveryDelay;
    }

    @Override
    public @Nullable Destination getDestination() throws JMSException {
        checkOpen();
        return destination;
    }

    @Override
    public @Nullable Queue getQueue() throws JMSException {
        checkOpen();
        return (Queue) destination;
    }

    @Override
    public @Nullable Topic getTopic() throws JMSException {
        checkOpen();
        return (Topic) destination;
    }

    /** Waits until the completion listeners of its sends were called. */
    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        if (parts.asyncSends().isCompleting()) {
            throw new IllegalStateException("a completion listener must not close its producer", "LISTENER");
        }
        closed = true;
        parts.asyncSends().awaitAll();
        parts.producers().remove(number, this);
    }

    @Override
    public void send(Message message) throws JMSException {
        send(message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void send(Message message, int mode, int prio, long ttl) throws JMSException {
        transmit(own(), message, mode, prio, ttl, null);
    }

    @Override
    public void send(Destination to, Message message) throws JMSException {
        send(to, message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void send(Destination to, Message message, int mode, int prio, long ttl) throws JMSException {
        transmit(given(to), message, mode, prio, ttl, null);
    }

    @Override
    public void send(Message message, CompletionListener listener) throws JMSException {
        send(message, deliveryMode, priority, timeToLive, listener);
    }

    @Override
    public void send(Message message, int mode, int prio, long ttl, CompletionListener listener) throws JMSException {
        transmit(own(), message, mode, prio, ttl, present(listener));
    }

    @Override
    public void send(Destination to, Message message, CompletionListener listener) throws JMSException {
        send(to, message, deliveryMode, priority, timeToLive, listener);
    }

    @Override
    public void send(Destination to, Message message, int mode, int prio, long ttl, CompletionListener listener)
            throws JMSException {
        transmit(given(to), message, mode, prio, ttl, present(listener));
    }

    @Override
    public void send(Queue to, Message message) throws JMSException {
        send((Destination) to, message);
    }

    @Override
    public void send(Queue to, Message message, int mode, int prio, long ttl) throws JMSException {
        send((Destination) to, message, mode, prio, ttl);
    }

    @Override
    public void publish(Message message) throws JMSException {
        send(message);
    }

    @Override
    public void publish(Message message, int mode, int prio, long ttl) throws JMSException {
        send(message, mode, prio, ttl);
    }

    @Override
    public void publish(Topic to, Message message) throws JMSException {
        send((Destination) to, message);
    }

    @Override
    public void publish(Topic to, Message message, int mode, int prio, long ttl) throws JMSException {
        send((Destination) to, message, mode, prio, ttl);
    }

    private WeirDestination own() throws JMSException {
        checkOpen();
        if (destination == null) {
            throw new UnsupportedOperationException("the producer has no destination of its own: name one");
        }
        return destination;
    }

    private WeirDestination given(@Nullable Destination to) throws JMSException {
        checkOpen();
        if (destination != null) {
            throw new UnsupportedOperationException("the producer has a destination of its own: " + destination);
        }
        return WeirDestination.of(to);
    }

    private static CompletionListener present(@Nullable CompletionListener listener) {
        if (listener == null) {
            throw new IllegalArgumentException("no completion listener was given");
        }
        return listener;
    }

    /** Returns the delivery mode if it is valid. */
    public static int checkedMode(int mode) throws JMSException {
        if (mode != DeliveryMode.PERSISTENT && mode != DeliveryMode.NON_PERSISTENT) {
            throw new JMSException("not a delivery mode: " + mode, "MODE");
        }
        return mode;
    }

    /** Returns the priority if it is 0 to 9. */
    public static int checkedPriority(int priority) throws JMSException {
        if (priority < 0 || priority > 9) {
            throw new JMSException("a priority is 0 to 9, not " + priority, "PRIORITY");
        }
        return priority;
    }

    /**
     * Returns the time in milliseconds if it is not negative.
     *
     * @param what its name, for the exception
     */
    public static long checkedTime(long millis, String what) throws JMSException {
        if (millis < 0) {
            throw new JMSException("a " + what + " is not negative: " + millis, "TIME");
        }
        return millis;
    }

    private void transmit(
            WeirDestination to,
            @Nullable Message message,
            int mode,
            int prio,
            long ttl,
            @Nullable CompletionListener listener)
            throws JMSException {
        if (message == null) {
            throw new MessageFormatException("no message was given");
        }
        WeirMessage ours = ForeignMessages.ours(message);
        stamp(ours, to, checkedMode(mode), checkedPriority(prio), checkedTime(ttl, "time to live"));
        boolean transacted = parts.session().transacted();
        Outgoing out = new Outgoing(ours, message, to);
        if (listener != null) {
            sendLater(new AsyncSend(parts.asyncSends(), ours, message, listener), out);
        } else if (oneWay.next(
                mode == DeliveryMode.NON_PERSISTENT && !transacted, to.kind().topic())) {
            sendOneWay(out);
        } else {
            sendAndWait(out);
        }
    }

    /**
     * A message in flight.
     *
     * @param ours the message, or a copy of another provider's message
     */
    private record Outgoing(WeirMessage ours, Message message, WeirDestination to) {
        /**
         * Sets the message's delivery time, also without a delay, and copies the header fields to another provider's
         * message.
         */
        void settle() throws JMSException {
            if (ours.getJMSDeliveryTime() == 0) {
                ours.setJMSDeliveryTime(ours.getJMSTimestamp());
            }
            if (ours != message) {
                ForeignMessages.copyStamp(ours, message);
            }
        }
    }

    private void stamp(WeirMessage ours, WeirDestination to, int mode, int prio, long ttl) {
        MessageIds ids = parts.ids();
        long now = parts.clock().millis();
        ours.stamp(
                to,
                mode,
                prio,
                ids.connection(),
                noMessageId ? 0 : ids.next(),
                noTimestamp ? 0 : now,
                ttl == 0 ? 0 : now + ttl,
                deliveryDelay == 0 ? 0 : now + deliveryDelay);
    }

    private void sendOneWay(Outgoing out) throws JMSException {
        Attachment a = session.link();
        a.link().awaitWritable();
        a.link().send(encoded(a, 0, 0, out));
    }

    private void sendAndWait(Outgoing out) throws JMSException {
        oneWay.raise("this message was not sent");
        Attachment a = session.link();
        parts.transaction().touched(a);
        Call call = new Call();
        request(a, call, 0, out);
        try {
            call.await();
        } catch (JMSException e) {
            throw oneWay.with(e);
        }
        oneWay.raise("this message was accepted");
    }

    private void sendLater(AsyncSend send, Outgoing out) throws JMSException {
        Attachment a = session.link();
        parts.transaction().touched(a);
        parts.asyncSends().add(send);
        send.begin();
        try {
            a.link().awaitWritable();
            request(a, send, SendFrame.ASYNCHRONOUS, out);
        } catch (JMSException e) {
            send.abort();
            parts.asyncSends().remove(send);
            throw e;
        }
    }

    private void request(Attachment a, Pending pending, int flag, Outgoing out) throws JMSException {
        a.link().register(pending);
        try {
            a.link().send(encoded(a, pending.request, flag, out));
        } catch (JMSException | RuntimeException e) {
            a.link().forget(pending);
            throw e;
        }
    }

    private ByteBuf encoded(Attachment a, int request, int flag, Outgoing out) throws JMSException {
        int flags = flag
                | (out.ours.getJMSDeliveryMode() == DeliveryMode.PERSISTENT ? SendFrame.PERSISTENT : 0)
                | (parts.session().transacted() ? SendFrame.TRANSACTED : 0);
        WeirMessage ours = out.ours;
        DestinationName to = out.to.wireName();
        ByteBuf frame = a.link().frame(FrameType.SEND, a.number(), SendFrame.headBytes(to) + ours.encodedBytes());
        int start = frame.writerIndex();
        try {
            SendFrame.writeHead(
                    frame, request, number, flags, (int) parts.knobs().sendTimeout(), to);
            ours.encode(frame);
            checkSize(frame.writerIndex() - start, a);
            out.settle();
        } catch (JMSException | RuntimeException e) {
            frame.release();
            throw e;
        }
        return frame;
    }

    private void checkSize(int bytes, Attachment a) throws JMSException {
        long own = parts.knobs().maximumMessageSize().bytes();
        long servers = a.link().wire().maxFrame() - 8L;
        if (bytes > Math.min(own, servers)) {
            throw Refusals.of(
                    RefusalCode.MESSAGE_TOO_LARGE,
                    "a message of " + bytes + " bytes is over the limit of "
                            + (own <= servers
                                    ? own + ", this client's maximum-message-size (MaximumMessageSize)"
                                    : servers + " of the server's messaging.wire.max-frame"));
        }
    }
}
