package io.weir.jms.client.consumer;

import io.weir.jms.client.delivery.Attachment;
import io.weir.jms.client.delivery.Delivery;
import io.weir.jms.client.delivery.Inbox;
import io.weir.jms.client.delivery.Pull;
import io.weir.jms.client.settings.ReconnectPolicy;
import io.weir.jms.frames.ClientFrames.Receive;
import io.weir.jms.frames.FrameType;
import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Fetches a synchronous consumer's messages: one for each {@code receive}, or in prefetch mode batches of
 * MessagesMaximum, the next of which is requested when half of a full one is used up. Only the broker measures the
 * timeout. Used by the thread that receives; the loop adds arriving messages.
 */
public final class Puller {
    /** The consumer of the messages. */
    interface Consumer {
        /** Its number in the session. */
        int number();

        boolean isClosed();
    }

    /** Waits until a message arrives or the consumer is closed. */
    public static final long FOR_EVER = -1;
    /** Takes only a message that the broker has now. */
    public static final long NO_WAIT = 0;
    /** The limit of one request; a batch without a limit is fetched in pieces of this size. */
    private static final int MOST = 10_000;

    private final ConsumerParts parts;
    private final Consumer consumer;
    private final Inbox buffer = new Inbox();
    private final AtomicInteger buffered = new AtomicInteger();
    private volatile @Nullable Pull outstanding;
    private boolean more;
    /** A delivery that was taken but not passed to the application; it is the next one again. */
    private @Nullable Delivery again;

    Puller(ConsumerParts parts, Consumer consumer) {
        this.parts = parts;
        this.consumer = consumer;
    }

    void add(Delivery d) {
        buffered.incrementAndGet();
        buffer.add(d);
    }

    /** Takes the next waiting delivery, void or not. */
    @Nullable
    Delivery poll() {
        Delivery d = again;
        if (d != null) {
            again = null;
            return d;
        }
        d = buffer.poll();
        if (d != null) {
            buffered.decrementAndGet();
        }
        return d;
    }

    /** Whether no delivery waits here for the next receive. */
    boolean isEmpty() {
        return again == null && buffer.isEmpty();
    }

    /** Puts the last delivery taken back, as if it had not been taken. */
    void putBack(Delivery d) {
        again = d;
    }

    /**
     * Takes the next message. If there is one, the caller must end the hand-over in {@link ReceivingThread} that this
     * call began.
     *
     * @param millis how long to wait; {@link #FOR_EVER}, {@link #NO_WAIT}
     * @param batch messages to fetch at once
     * @return null if none arrived in time, or the consumer or its session was closed
     */
    @Nullable
    Delivery take(long millis, int batch) throws JMSException {
        long deadline = parts.clock().nanos() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, millis));
        int most = batch < 0 ? MOST : Math.min(batch, MOST);
        while (!consumer.isClosed() && !parts.session().isClosed()) {
            Delivery d = next();
            if (d != null) {
                readAhead(d.attachment, most);
                cancelWaiting();
                return d;
            }
            long left = millis <= 0 ? millis : left(deadline);
            Delivery held = again;
            if (held != null && parts.session().running()) {
                if (millis > 0 && left == NO_WAIT) {
                    return null;
                }
                awaitConfirmation(held, millis > 0 ? left : FOR_EVER);
            } else if (!buffer.isEmpty()) {
                if (parts.session().running()) {
                    // it arrived after the check
                    continue;
                }
                if (left == NO_WAIT) {
                    cancel();
                    return null;
                }
                await(left);
            } else if (answered(left, millis, most)) {
                return null;
            }
        }
        return null;
    }

    /** Waits for the broker's confirmation of the previous delivery. */
    private void awaitConfirmation(Delivery held, long millis) throws JMSException {
        if (!held.attachment.acks().isConfirmed()) {
            await(millis);
        }
    }

    private long left(long deadline) {
        long nanos = deadline - parts.clock().nanos();
        return nanos <= 0 ? NO_WAIT : TimeUnit.NANOSECONDS.toMillis(nanos) + 1;
    }

    private @Nullable Delivery next() {
        if (!parts.receiver().beginHanding()) {
            return null;
        }
        for (Delivery d = poll(); d != null; d = poll()) {
            if (d.isVoid()) {
                continue;
            }
            if (d.attachment.acks().ready(d)) {
                return d;
            }
            again = d;
            break;
        }
        parts.receiver().endHanding();
        return null;
    }

    /** Sends a RECEIVE, or checks the outcome of the pending one; returns true if no message arrived in time. */
    private boolean answered(long left, long millis, int most) throws JMSException {
        Pull pull = outstanding;
        if (pull == null) {
            if (millis > 0 && left == NO_WAIT) {
                return true;
            }
            request(parts.session().link(), left, most, false);
            return false;
        }
        if (!pull.isDone()) {
            await(FOR_EVER);
            return false;
        }
        outstanding = null;
        if (pull.isLost() && restoresConsumers()) {
            return false;
        }
        pull.check();
        more = !pull.isShort();
        return pull.isEmpty();
    }

    private boolean restoresConsumers() {
        return parts.knobs().reconnectPolicy() == ReconnectPolicy.ALL;
    }

    /**
     * Requests the next batch on the link of the last one. Never waits, because the message that was taken is returned
     * next.
     */
    private void readAhead(Attachment where, int most) {
        Pull pull = outstanding;
        if (pull != null && pull.isDone() && !pull.isLost()) {
            more = !pull.isShort();
            outstanding = null;
            pull = null;
        }
        if (more && most > 1 && pull == null && buffered.get() <= most / 2) {
            try {
                request(where, NO_WAIT, most, true);
                more = false;
            } catch (JMSException e) {
                parts.session()
                        .quiet("the next batch could not be requested in advance, the next receive requests it", e);
            }
        }
    }

    private void request(Attachment where, long millis, int most, boolean ahead) throws JMSException {
        Pull pull = new Pull(where, ahead, most);
        where.request(
                pull,
                FrameType.RECEIVE,
                (out, request) -> new Receive(
                                request,
                                consumer.number(),
                                millis,
                                most,
                                parts.knobs().windowBytes())
                        .write(out));
        outstanding = pull;
    }

    /** Waits for a change, or until the time is over. */
    private void await(long millis) throws JMSException {
        if (millis == FOR_EVER) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(millis));
        }
        if (Thread.interrupted()) {
            cancel();
            Thread.currentThread().interrupt();
            throw new JMSException("interrupted while waiting for a message", "INTERRUPTED");
        }
    }

    /**
     * Cancels a pending RECEIVE if the message arrived independently of it, so that the next receive does not use its
     * timeout.
     */
    private void cancelWaiting() {
        Pull pull = outstanding;
        if (pull != null && !pull.isAhead()) {
            cancel();
        }
    }

    /** Cancels the RECEIVE that waits at the broker, if there is one. */
    void cancel() {
        Pull pull = outstanding;
        if (pull != null) {
            pull.cancel();
        }
    }
}
