package io.weir.broker.queue;

import io.weir.broker.store.StoredCopy;
import org.jspecify.annotations.Nullable;

/**
 * A message in one queue: its state, its consumer, the number of deliveries. Owned by the queue's loop; while it is
 * delivered the session's loop owns {@link #tag} and can read the message.
 */
public final class QueueEntry {
    /** The states of an entry. */
    public enum State {
        /** In the queue's list, to be delivered. */
        AVAILABLE,
        /** Until its delivery time, or until the redelivery delay is over. */
        DELAYED,
        /** Chosen for a consumer; the journal records the delivery before it is sent. */
        MARKING,
        /** At a consumer, unacknowledged. */
        DELIVERED,
        /** In no list: it is moved or removed as soon as the store has done so. */
        LEAVING,
        /** Acknowledged, expired, moved or deleted. */
        GONE;

        /** Whether it can be at a consumer by the time that its message is stored. */
        boolean mayHaveLeft() {
            return this == MARKING || this == DELIVERED;
        }
    }

    /** The bit position of the priority in {@link #place()}. */
    private static final int PRIORITY_BITS = 58;
    /** The marker for an entry that the store refused. */
    private static final StoredCopy REFUSED = StoredCopy.none();

    public final QueueAccess queue;
    public final Message message;
    /** Its place in the queue within its priority. */
    long sequence;

    public State state = State.AVAILABLE;

    /** Neighbours in the list of its priority, or of delivered entries. */
    @Nullable
    QueueEntry previous;

    @Nullable
    QueueEntry next;

    /** The consumer that has it, or had it last. */
    @Nullable
    public QueueConsumer consumer;

    /** Its number within the session that has it. */
    public long tag;

    /** Deliveries that were passed to an application. */
    public int deliveries;

    /**
     * It was delivered, but it is unknown whether the application saw it: it is flagged as redelivered, but not
     * counted.
     */
    public boolean doubtful;

    /** Whether it was passed to the application; confined to the session's loop. */
    public boolean passed;

    /** While it is marked: the {@link ConsumerSession#generation()} of its consumer's session when it was chosen. */
    int generation;

    /** Delivered within the session's window: it counts as passed to the application when it is credited. */
    public boolean windowed;

    /** Its copy in the store, or null. */
    @Nullable
    public StoredCopy copy;

    /** Acknowledged in a transaction that is not committed; confined to the session's loop. */
    public boolean acknowledging;

    public QueueEntry(QueueAccess queue, Message message, long sequence) {
        this.queue = queue;
        this.message = message;
        this.sequence = sequence;
    }

    /**
     * Creates an entry of a commit, or of a move from another queue: a possible delivery there is flagged, but not
     * counted here.
     */
    public static QueueEntry incoming(QueueAccess queue, Message message, boolean delivered) {
        QueueEntry e = new QueueEntry(queue, message, 0);
        e.doubtful = delivered;
        return e;
    }

    /** Its copy in the store, or null if there is none or the store refused it. */
    @Nullable
    public StoredCopy kept() {
        return copy == REFUSED ? null : copy;
    }

    /** Whether its write is in progress: the send can still fail. */
    boolean isUnwritten() {
        StoredCopy c = copy;
        return c != null && c.isUnwritten();
    }

    /** Whether its send has failed: it is dropped once its consumer has settled it. */
    boolean isRefused() {
        return copy == REFUSED;
    }

    /** Marks it as failed and withdraws it. */
    public void refused() {
        copy = REFUSED;
        queue.withdraw(this);
    }

    /** Its place in the order of delivery: ascending, never 0. */
    public long place() {
        return (long) (9 - message.priority()) << PRIORITY_BITS | sequence;
    }

    /** Whether it may have been delivered before. */
    public boolean redelivered() {
        return deliveries > 0 || doubtful;
    }

    /** JMSXDeliveryCount of the next delivery: at least 2 if it is a redelivery (specification 3.5.11). */
    public int attempt() {
        return attempt(deliveries, redelivered());
    }

    /** The same for an entry that does not exist yet. */
    public static int attempt(int deliveries, boolean redelivered) {
        return Math.max(deliveries + 1, redelivered ? 2 : 1);
    }
}
