package io.weir.jms.client.delivery;

import io.netty.buffer.ByteBuf;
import io.weir.jms.client.link.Call;
import io.weir.jms.client.link.Link;
import io.weir.jms.client.link.LinkStream;
import io.weir.jms.client.link.Pending;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.client.link.StreamListener;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.AcknowledgePolicy;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.BranchFrames;
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
import jakarta.jms.JMSException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A session's attachment to one link, with the state that is valid on that link only: its deliveries, which of them are
 * void, what was passed on, acknowledged and credited. A session that reconnects gets a new one. A delivery refers to
 * the attachment it arrived on and to no later one: the same tag identifies different messages on different
 * attachments. Deliveries arrive on the link's loop; used otherwise by the session's thread. Lives as long as its link,
 * and after that until the last of its deliveries is released.
 */
public final class Attachment implements MessageOwner, StreamListener {
    private final DeliverySession session;
    private final LinkStream stream;
    private final Acknowledger acks;
    private final boolean reportsPassed;
    private final MessageView view = new MessageView();
    /** Changed by the session's thread. */
    private volatile int generation;
    /** The generation of messages that arrive now; written by the loop. */
    private volatile int arriving;
    /** Whether a caller that acknowledged was notified of the loss of the link. */
    private volatile boolean notified;

    /** Allocates a stream number of the link; {@link #open} opens it at the broker. */
    public Attachment(DeliverySession session, Link link) {
        this.session = session;
        this.acks = new Acknowledger(this, session.mode(), session.knobs().messagesMaximum(), session.clock());
        this.reportsPassed = link.wire().version() >= AckFrame.PASSED_VERSION;
        this.stream = new LinkStream(link, link.attach(this));
    }

    /** Opens the session on the link. */
    public void open() throws JMSException {
        if (session.mode() == AckMode.BRANCHES && link().wire().version() < BranchFrames.VERSION) {
            throw new JMSException(
                    "the server does not support XA: it speaks version "
                            + link().wire().version() + " of the protocol, and XA needs " + BranchFrames.VERSION,
                    "VERSION");
        }
        ClientKnobs knobs = session.knobs();
        boolean unlimited = knobs.messagesMaximum() < 0;
        call(
                FrameType.OPEN_SESSION,
                (out, request) -> new OpenSession(
                                request,
                                session.mode().wire(),
                                knobs.messagesMaximum(),
                                unlimited ? -1 : knobs.windowBytes(),
                                knobs.acknowledgePolicy() == AcknowledgePolicy.PREVIOUS,
                                knobs.defaultRedeliveryDelay())
                        .write(out));
    }

    DeliverySession session() {
        return session;
    }

    /** The link that it is on. */
    public Link link() {
        return stream.link();
    }

    /** The session's number on the link. */
    public int number() {
        return stream.number();
    }

    /** The reports to the broker about messages that arrived here. */
    public Acknowledger acks() {
        return acks;
    }

    /** Whether the link is closed: nothing arrives here any more, and nothing can be sent. */
    public boolean isLost() {
        return stream.isLost();
    }

    /** Detaches it: the link drops frames that arrive for it from now on. */
    public void detach() {
        link().detach(number(), this);
    }

    /** Sends a request and waits for the answer; returns null if that is of another kind than OK. */
    @Nullable
    public Ok call(int type, LinkStream.Body body) throws JMSException {
        return stream.call(type, body);
    }

    /** Sends a request with the given call and waits for the answer. */
    @Nullable
    public Ok call(Call call, int type, LinkStream.Body body) throws JMSException {
        return stream.call(call, type, body);
    }

    /** Sends a request; the pending request gets the answer. */
    public void request(Pending pending, int type, LinkStream.Body body) throws JMSException {
        stream.request(pending, type, body);
    }

    /**
     * Sends a frame that is not answered; dropped if the link is lost.
     *
     * @param sizeHint bytes of the body
     */
    public void send(int type, int sizeHint, Consumer<ByteBuf> body) {
        stream.send(type, sizeHint, body);
    }

    // ---- arrivals, on the loop

    @Override
    public boolean delivered(DeliverFrame head, ByteBuf block) {
        DeliveryTarget c = session.consumer(head.consumer());
        if (c == null) {
            return false;
        }
        WeirMessage message = WeirMessage.received(
                view.wrap(block), c.destination(), head.redelivered(), head.deliveryCount(), head.tag(), this);
        if (message.getJMSDeliveryTime() == 0) {
            message.setJMSDeliveryTime(message.getJMSTimestamp());
        }
        boolean pushed = c.isPushed();
        Delivery d = new Delivery(this, c, head.tag(), id(), pushed, arriving, block.readableBytes(), message);
        if (pushed) {
            session.pushed(d);
        } else {
            c.keep(d);
        }
        return true;
    }

    /** The id of the current message, in the mode that needs it. */
    private ConsumedIds.Id id() {
        return session.mode() == AckMode.CLIENT
                ? new ConsumedIds.Id(view.idConnection(), view.idSequence())
                : ConsumedIds.Id.NONE;
    }

    @Override
    public void arrived() {
        session.arrived();
    }

    @Override
    public void consumerClosed(int consumer, RefusalCode code, String text) {
        DeliveryTarget c = session.consumer(consumer);
        if (c != null) {
            c.closedByServer(Refusals.of(code, text));
        }
    }

    @Override
    public void oneWayFailed(OneWayFailed failed) {
        session.oneWayFailed(failed);
    }

    // ---- the outcome of deliveries

    /**
     * Whether a delivery must not be passed on: it arrived before the last recovery, or the link is lost, and the
     * server redelivers the message, here or elsewhere. Messages that need no acknowledgement are not redelivered, and
     * not void.
     */
    boolean isVoid(Delivery d) {
        return d.generation != generation || (isLost() && session.mode() != AckMode.NONE);
    }

    /** Returns a single message that the application did not see, with a tag below those that it saw. */
    public void giveBack(Delivery d) {
        send(FrameType.ACK, AckFrame.RANGE_BYTES, out -> AckFrame.write(out, d.tag, d.tag, AckFrame.RETURNED));
    }

    /** Makes the broker redeliver unacknowledged messages, and voids those that wait here. */
    public void undo(int type) throws JMSException {
        acks.drain();
        int next = generation + 1;
        generation = next;
        long seen = acks.seen();
        Call call = new Call() {
            @Override
            public void ok(ByteBuf payload) {
                arriving = next;
                super.ok(payload);
            }
        };
        acks.reset();
        call(call, type, (out, request) -> new Undo(request, seen).write(out));
    }

    /** Closes the session on the link. */
    public void close() throws JMSException {
        acks.drain();
        long seen = acks.seen();
        call(FrameType.CLOSE_SESSION, (out, request) -> new Undo(request, seen).write(out));
    }

    /** Whether the broker supports reports of passed messages. */
    boolean reportsPassed() {
        return reportsPassed;
    }

    /** Sends a report about a range of deliveries and requests the broker's confirmation. */
    void settle(Confirmation confirmation, long from, long to, int kind) throws JMSException {
        if (reportsPassed) {
            request(
                    confirmation,
                    FrameType.SETTLE,
                    (out, request) -> AckFrame.write(out.writeInt(request), from, to, kind));
        } else {
            // a broker with version 1 of the protocol
            send(FrameType.ACK, AckFrame.RANGE_BYTES, out -> AckFrame.write(out, from, to, kind));
            request(confirmation, FrameType.SYNC, (out, request) -> new Plain(request).write(out));
        }
    }

    /**
     * Whether messages were consumed that cannot be acknowledged any more, and the application was not notified yet.
     */
    boolean owesNotice() {
        return !notified && isLost() && acks.owes(Long.MAX_VALUE);
    }

    /** Waits until the broker has processed all frames sent before. */
    public void sync() throws JMSException {
        call(FrameType.SYNC, (out, request) -> new Plain(request).write(out));
    }

    /**
     * Acknowledges the messages consumed up to a tag, and waits until the broker has processed it. On a failure they
     * stay unacknowledged.
     */
    public void acknowledgeTo(long tag) throws JMSException {
        if (isLost()) {
            notified = true;
            throw LostConsumption.unacknowledged();
        }
        Acknowledger.Taken taken = acks.acknowledgeTo(tag);
        try {
            sync();
        } catch (JMSException e) {
            acks.restore(taken);
            notified = isLost();
            throw e;
        }
    }

    // ---- called by its messages

    @Override
    public ObjectRules objectRules() {
        return session.objectRules();
    }

    /**
     * Message.acknowledge: of all messages that the session consumed, or with the policy PREVIOUS those up to the
     * message.
     */
    @Override
    public void acknowledge(WeirMessage message) throws JMSException {
        session.checkOpen();
        if (session.mode() != AckMode.CLIENT) {
            return;
        }
        boolean all = session.knobs().acknowledgePolicy() == AcknowledgePolicy.ALL;
        session.acknowledge(this, all ? Long.MAX_VALUE : message.deliveryTag());
    }
}
