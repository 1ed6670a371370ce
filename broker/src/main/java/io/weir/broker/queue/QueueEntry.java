package io.weir.broker.queue;

import io.weir.broker.store.StoredCopy;
import org.jspecify.annotations.Nullable;

/**
 * A message in one queue: where it stands, to whom it was delivered, how often. Owned by the queue's loop; while it is
 * delivered the session's loop has {@link #tag} and may read the message.
 */
public final class QueueEntry {
    /** What is happening to it. */
    public enum State {
        /** In the queue's list, to be delivered. */
        AVAILABLE,
        /** Until its delivery time, or until it may be delivered again. */
        DELAYED,
        /** Chosen for a consumer; the journal records the delivery before it leaves. */
        MARKING,
        /** At a consumer, unacknowledged. */
        DELIVERED,
        /** In no list: it goes elsewhere, or away, as soon as the store has it so. */
        LEAVING,
        /** Acknowledged, expired, moved or deleted. */
        GONE;

        /** Whether it may be at a consumer by the time that its message is stored. */
        boolean mayHaveLeft() {
            return this == MARKING || this == DELIVERED;
        }
    }

    /** Where the priority begins in {@link #place()}. */
    private static final int PRIORITY_BITS = 58;
    /** What the store has of one that it refused. */
    private static final StoredCopy REFUSED = StoredCopy.none();

    public final QueueAccess queue;
    public final Message message;
    /** Its place in the queue among its priority. */
    long sequence;

    public State state = State.AVAILABLE;

    /** Neighbours in the list of its priority, or of those at consumers. */
    @Nullable
    QueueEntry previous;

    @Nullable
    QueueEntry next;

    /** Who has it, or had it last. */
    @Nullable
    public QueueConsumer consumer;

    /** Its number within the session that has it. */
    public long tag;

    /** Deliveries that were passed to an application. */
    public int deliveries;

    /**
     * It was delivered, but whether the application saw it is unknown: it is flagged as redelivered, but not counted.
     */
    public boolean doubtful;

    /** Passed to the application by its consumer; confined to the session's loop. */
    public boolean passed;

    /** While it is marked: the {@link ConsumerSession#generation()} of its consumer's session when it was chosen. */
    int generation;

    /** Delivered by the session's window: it counts as passed on when it is credited. */
    public boolean windowed;

    /** What the store was given of it, or null. */
    @Nullable
    public StoredCopy copy;

    /** Acknowledged in a transaction that is not committed; of the session's loop. */
    public boolean acknowledging;

    public QueueEntry(QueueAccess queue, Message message, long sequence) {
        this.queue = queue;
        this.message = message;
        this.sequence = sequence;
    }

    /**
     * An entry of a commit, or moved from another queue: a possible delivery there is flagged, but not counted here.
     */
    public static QueueEntry coming(QueueAccess queue, Message message, boolean delivered) {
        QueueEntry e = new QueueEntry(queue, message, 0);
        e.doubtful = delivered;
        return e;
    }

    /** What the store has of it, or null. */
    @Nullable
    public StoredCopy kept() {
        return copy == REFUSED ? null : copy;
    }

    /** Whether its write is under way: the send may still fail. */
    boolean isUnwritten() {
        StoredCopy c = copy;
        return c != null && c.isUnwritten();
    }

    /** Whether its send has failed: it is dropped once its consumer is done with it. */
    boolean isRefused() {
        return copy == REFUSED;
    }

    /** Its send has failed. */
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

    /** JMSXDeliveryCount of the next delivery: 2 at least when it is a redelivery (specification 3.5.11). */
    public int attempt() {
        return attempt(deliveries, redelivered());
    }

    /** The same of one that is not here yet. */
    public static int attempt(int deliveries, boolean redelivered) {
        return Math.max(deliveries + 1, redelivered ? 2 : 1);
    }
}
