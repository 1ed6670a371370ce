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
 * A session's place on one link, and all that counts there only: its deliveries, which of them are void, what was passed on,
 * acknowledged and credited. A session that reconnects gets another. A delivery knows the one that it came by, and there is
 * no way from it to the next: tags of one mean other messages on another. Deliveries come on the link's loop; used otherwise
 * by the session's thread. Lives as long as its link, and after it until the last of its deliveries is forgotten.
 */
public final class Attachment implements MessageOwner, StreamListener {
    private final DeliverySession session;
    private final LinkStream stream;
    private final Acknowledger acks;
    private final boolean tellsPassed;
    private final MessageView view = new MessageView();
    /** Changed by the session's thread. */
    private volatile int generation;
    /** What arrives now belongs to it; by the loop. */
    private volatile int arriving;
    /** Who acknowledged was told that the link was lost. */
    private volatile boolean told;

    /** Takes a number of the link; {@link #open} tells the broker. */
    public Attachment(DeliverySession session, Link link) {
        this.session = session;
        this.acks = new Acknowledger(this, session.mode(), session.knobs().messagesMaximum(), session.clock());
        this.tellsPassed = link.wire().version() >= AckFrame.PASSED_VERSION;
        this.stream = new LinkStream(link, link.attach(this));
    }

    /** Opens the session there. */
    public void open() throws JMSException {
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

    /** What the broker is told of the messages that came here. */
    public Acknowledger acks() {
        return acks;
    }

    /** Whether the link is closed: nothing comes here any more, and nothing can be said. */
    public boolean isLost() {
        return stream.isLost();
    }

    /** The link drops what arrives for it from now on. */
    public void detach() {
        link().detach(number(), this);
    }

    /** Asks the broker and waits for the answer; null when that says no more than OK. */
    @Nullable
    public Ok call(int type, LinkStream.Body body) throws JMSException {
        return stream.call(type, body);
    }

    /** Asks with a call of one's own and waits for the answer. */
    @Nullable
    public Ok call(Call call, int type, LinkStream.Body body) throws JMSException {
        return stream.call(call, type, body);
    }

    /** Asks; the answer comes to the pending request. */
    public void ask(Pending pending, int type, LinkStream.Body body) throws JMSException {
        stream.ask(pending, type, body);
    }

    /**
     * Tells the broker without an answer; nobody, when the link is lost.
     *
     * @param sizeHint bytes of the body
     */
    public void tell(int type, int sizeHint, Consumer<ByteBuf> body) {
        stream.tell(type, sizeHint, body);
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

    /** The id of the message that is looked at, where it is going to be asked for. */
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

    // ---- what became of deliveries

    /**
     * Whether a delivery of it must not be passed on: it came before the last recovery, or the link is lost, and the server
     * delivers the message again, here or elsewhere. What needs no acknowledgement does not come again, and is not void.
     */
    boolean isVoid(Delivery d) {
        return d.generation != generation || (isLost() && session.mode() != AckMode.NONE);
    }

    /** Gives a single message back that is below those that the application saw, and that it did not see. */
    public void giveBack(Delivery d) {
        tell(FrameType.ACK, AckFrame.RANGE_BYTES, out -> AckFrame.write(out, d.tag, d.tag, AckFrame.RETURNED));
    }

    /** Has the broker deliver anew what was not acknowledged, and makes void what waits here. */
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

    /** Closes the session there. */
    public void close() throws JMSException {
        acks.drain();
        long seen = acks.seen();
        call(FrameType.CLOSE_SESSION, (out, request) -> new Undo(request, seen).write(out));
    }

    /** Whether the broker is to be told what is passed on. */
    boolean tellsPassed() {
        return tellsPassed;
    }

    /** Says something of a range of deliveries and asks for the broker's word that it is done. */
    void settle(Confirmation asked, long from, long to, int kind) throws JMSException {
        if (tellsPassed) {
            ask(asked, FrameType.SETTLE, (out, request) -> AckFrame.write(out.writeInt(request), from, to, kind));
        } else {
            // a broker of before
            tell(FrameType.ACK, AckFrame.RANGE_BYTES, out -> AckFrame.write(out, from, to, kind));
            ask(asked, FrameType.SYNC, (out, request) -> new Plain(request).write(out));
        }
    }

    /** Whether messages were consumed that can not be acknowledged any more, and nobody was told so. */
    boolean owesWord() {
        return !told && isLost() && acks.owes(Long.MAX_VALUE);
    }

    /** Waits until the broker has done all that was told to it before. */
    public void sync() throws JMSException {
        call(FrameType.SYNC, (out, request) -> new Plain(request).write(out));
    }

    /**
     * Acknowledges what was consumed up to a tag, and waits until the broker has done it. What it could not be told of
     * stays unacknowledged.
     */
    public void acknowledgeTo(long tag) throws JMSException {
        if (isLost()) {
            told = true;
            throw LostConsumption.unacknowledged();
        }
        Acknowledger.Taken taken = acks.acknowledgeTo(tag);
        try {
            sync();
        } catch (JMSException e) {
            acks.restore(taken);
            told = isLost();
            throw e;
        }
    }

    // ---- what its messages ask

    @Override
    public ObjectRules objectRules() {
        return session.objectRules();
    }

    /** Message.acknowledge: of all that the session consumed, or with the policy PREVIOUS up to the message. */
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
