package io.weir.jms.client.consumer;

import io.weir.jms.client.delivery.Acknowledger;
import io.weir.jms.client.delivery.Delivery;
import io.weir.jms.client.delivery.DeliveryTarget;
import io.weir.jms.client.delivery.Inbox;
import io.weir.jms.client.delivery.Transaction;
import io.weir.jms.client.listener.Dispatch;
import io.weir.jms.frames.FrameType;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Passes a session's messages to its listeners, in order of arrival, and acknowledges them according to the session's
 * mode (specification 8.7). Run by the session's {@link Dispatch}.
 */
public final class ListenerDelivery implements Dispatch.Work {
    private final SessionLife session;
    private final Transaction transaction;
    private final ReceivingThread receiver;
    private final Inbox inbox = new Inbox();
    /** Messages that arrived before their consumer had a listener; they are delivered first. */
    private final Queue<Delivery> earlier = new ConcurrentLinkedQueue<>();

    /** The next delivery, which waits for the broker's confirmation. */
    private volatile @Nullable Delivery held;

    private volatile @Nullable Runnable afterwards;

    /**
     * Creates the delivery of a session.
     *
     * @param receiver woken by messages that arrive when their consumer has no listener any more
     */
    public ListenerDelivery(SessionLife session, Transaction transaction, ReceivingThread receiver) {
        this.session = session;
        this.transaction = transaction;
        this.receiver = receiver;
    }

    /** Adds a delivery for a consumer with a listener; on the link's loop. */
    public void add(Delivery d) {
        inbox.add(d);
    }

    /** Adds a message that waited for a receive before there was a listener. */
    void addEarlier(Delivery d) {
        earlier.add(d);
    }

    /** Runs a task when the current listener has returned. */
    public void afterListener(Runnable task) {
        afterwards = task;
    }

    @Override
    public boolean waits() {
        return session.running() && canContinue();
    }

    private boolean canContinue() {
        Delivery d = held;
        return d == null ? !isEmpty() : d.attachment.acks().isConfirmed();
    }

    /** Whether no delivery is waiting. */
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
            session.quiet("a message was consumed and could not be acknowledged, it will be redelivered", e);
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

    /** Logged at the first, second, fourth, eighth time and so on: the same message may be redelivered forever. */
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
        if (d.automatic) {
            if (!done) {
                d.attachment.undo(FrameType.RECOVER);
                return;
            }
            d.attachment.acks().consume(d);
        }
        d.attachment.acks().flush(isEmpty());
    }
}
