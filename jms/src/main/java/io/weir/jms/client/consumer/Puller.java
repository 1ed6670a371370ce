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
 * MessagesMaximum, the next of which is requested when half of a full one is used up. The broker alone measures the
 * time. Used by the thread that receives; the loop adds what arrives.
 */
public final class Puller {
    /** Whose messages they are. */
    interface Consumer {
        /** Its number in the session. */
        int number();

        boolean isClosed();
    }

    /** Waits until a message comes or the consumer is closed. */
    public static final long FOR_EVER = -1;
    /** Takes what the broker has now. */
    public static final long NO_WAIT = 0;
    /** A batch without limit is still fetched in pieces. */
    private static final int MOST = 10_000;

    private final ConsumerParts parts;
    private final Consumer consumer;
    private final Inbox buffer = new Inbox();
    private final AtomicInteger buffered = new AtomicInteger();
    private volatile @Nullable Pull outstanding;
    private boolean more;
    /** Taken, but not handed out after all: the next one, again. */
    private @Nullable Delivery again;

    Puller(ConsumerParts parts, Consumer consumer) {
        this.parts = parts;
        this.consumer = consumer;
    }

    void add(Delivery d) {
        buffered.incrementAndGet();
        buffer.add(d);
    }

    /** Takes what waits here, whether or not it is void. */
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

    /** Whether nothing waits here for the next receive. */
    boolean isEmpty() {
        return again == null && buffer.isEmpty();
    }

    /** The delivery taken last is the next one, as if it had not been taken. */
    void putBack(Delivery d) {
        again = d;
    }

    /**
     * The next message; the caller ends the handing that this began when it is one.
     *
     * @param millis how long to wait; {@link #FOR_EVER}, {@link #NO_WAIT}
     * @param batch how many to fetch at once
     * @return null when none came in time or the consumer was closed
     */
    @Nullable
    Delivery take(long millis, int batch) throws JMSException {
        long deadline = parts.clock().nanos() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, millis));
        int most = batch < 0 ? MOST : Math.min(batch, MOST);
        while (!consumer.isClosed()) {
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
                    // it came since we looked
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

    /** It is here, and waits for the broker's word on the one before it. */
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

    /** Asks, or looks what became of it; true when there is no message in time. */
    private boolean answered(long left, long millis, int most) throws JMSException {
        Pull pull = outstanding;
        if (pull == null) {
            if (millis > 0 && left == NO_WAIT) {
                return true;
            }
            ask(parts.session().link(), left, most, false);
            return false;
        }
        if (!pull.isDone()) {
            await(FOR_EVER);
            return false;
        }
        outstanding = null;
        if (pull.isLost() && bringsConsumersBack()) {
            return false;
        }
        pull.check();
        more = !pull.isShort();
        return pull.isEmpty();
    }

    private boolean bringsConsumersBack() {
        return parts.knobs().reconnectPolicy() == ReconnectPolicy.ALL;
    }

    /**
     * Asks for the next batch where the last one came from. Never waits: the one message that was taken is handed out
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
                ask(where, NO_WAIT, most, true);
                more = false;
            } catch (JMSException e) {
                parts.session().quiet("no batch was asked for ahead of its time, the next receive asks", e);
            }
        }
    }

    private void ask(Attachment where, long millis, int most, boolean ahead) throws JMSException {
        Pull pull = new Pull(where, ahead, most);
        where.ask(
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
     * A message came another way than by the RECEIVE that waits: the next receive must not wait as long as this one
     * would.
     */
    private void cancelWaiting() {
        Pull pull = outstanding;
        if (pull != null && !pull.isAhead()) {
            cancel();
        }
    }

    /** Ends the RECEIVE that waits at the broker, if there is one. */
    void cancel() {
        Pull pull = outstanding;
        if (pull != null) {
            pull.cancel();
        }
    }
}
