package io.weir.jms.client.consumer;

import io.weir.jms.client.delivery.Acknowledger;
import io.weir.jms.client.delivery.Delivery;
import io.weir.jms.client.delivery.DeliveryTarget;
import io.weir.jms.client.delivery.Inbox;
import io.weir.jms.client.delivery.Transaction;
import io.weir.jms.client.listener.Dispatch;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.frames.FrameType;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Passes a session's messages to its listeners, in the order they came, and does what the acknowledge mode says afterwards
 * (specification 8.7). Run by the session's {@link Dispatch}.
 */
public final class ListenerDelivery implements Dispatch.Work {
    private final SessionLife session;
    private final AckMode mode;
    private final Transaction transaction;
    private final ReceivingThread receiver;
    private final Inbox inbox = new Inbox();
    /** Messages that came before their consumer had a listener; they go first. */
    private final Queue<Delivery> earlier = new ConcurrentLinkedQueue<>();

    /** The next one, which waits for the broker's word. */
    private volatile @Nullable Delivery held;

    private volatile @Nullable Runnable afterwards;

    /**
     * Those of a session, none yet.
     *
     * @param receiver is woken by what comes when its consumer has no listener any more
     */
    public ListenerDelivery(SessionLife session, AckMode mode, Transaction transaction, ReceivingThread receiver) {
        this.session = session;
        this.mode = mode;
        this.transaction = transaction;
        this.receiver = receiver;
    }

    /** A delivery came for a consumer with a listener; on the link's loop. */
    public void add(Delivery d) {
        inbox.add(d);
    }

    /** Takes messages that waited for a receive, now that there is a listener. */
    void addEarlier(Delivery d) {
        earlier.add(d);
    }

    /** Does this when the listener that runs now has returned. */
    public void afterListener(Runnable task) {
        afterwards = task;
    }

    @Override
    public boolean waits() {
        return session.running() && mayGoOn();
    }

    private boolean mayGoOn() {
        Delivery d = held;
        return d == null ? !isEmpty() : d.attachment.acks().isConfirmed();
    }

    /** Whether nothing has arrived that was not looked at. */
    private boolean isEmpty() {
        return inbox.isEmpty() && earlier.isEmpty();
    }

    @Override
    public boolean step() {
        if (!session.running()) {
            return false;
        }
        Delivery d = next();
        if (d == null) {
            return false;
        }
        if (!d.isVoid() && !d.consumer.isClosed()) {
            if (!d.attachment.acks().ready(d)) {
                held = d;
                return false;
            }
            listen(d);
        }
        return !closesNow();
    }

    private @Nullable Delivery next() {
        Delivery d = held;
        held = null;
        if (d == null) {
            d = earlier.poll();
        }
        return d == null ? inbox.poll() : d;
    }

    private boolean closesNow() {
        Runnable task = afterwards;
        if (task == null) {
            return false;
        }
        afterwards = null;
        task.run();
        return true;
    }

    private void listen(Delivery d) {
        MessageListener listener = d.consumer.listener();
        if (listener == null) {
            d.consumer.keep(d);
            receiver.wake();
            return;
        }
        Acknowledger acks = d.attachment.acks();
        acks.pass(d);
        acks.soon();
        transaction.touched(d.attachment);
        boolean done = call(listener, d);
        try {
            if (d.isVoid()) {
                return;
            }
            settle(d, done);
        } catch (JMSException e) {
            session.quiet("a message was consumed and could not be acknowledged, it will come again", e);
        }
    }

    private boolean call(MessageListener listener, Delivery d) {
        d.consumer.enter();
        try {
            listener.onMessage(d.message);
            return true;
        } catch (RuntimeException | Error e) {
            malfunctioning(listener, d.consumer, e);
            return false;
        } finally {
            d.consumer.leave();
        }
    }

    /** Said the first, second, fourth, eighth time and so on: the same message may come back for ever. */
    private void malfunctioning(MessageListener listener, DeliveryTarget of, Throwable e) {
        long times = of.threw();
        if (Long.bitCount(times) == 1) {
            session.quiet(
                    "possibly malfunctioning: the message listener "
                            + listener.getClass().getName() + " of a consumer of " + of.destination() + " threw, "
                            + times + (times == 1 ? " time" : " times") + " so far",
                    e);
        }
    }

    private void settle(Delivery d, boolean done) throws JMSException {
        if (mode.automatic()) {
            if (!done) {
                d.attachment.undo(FrameType.RECOVER);
                return;
            }
            d.attachment.acks().consume(d);
        }
        d.attachment.acks().flush(isEmpty());
    }
}
