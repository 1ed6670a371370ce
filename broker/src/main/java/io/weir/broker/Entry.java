package io.weir.broker;

import io.weir.broker.store.StoredCopy;
import org.jspecify.annotations.Nullable;

/**
 * A message in one queue: where it stands, to whom it was delivered, how often. Owned by the queue's loop; while it is
 * delivered the session's loop has {@link #tag} and may read the message.
 */
final class Entry {
    /** What is happening to it. */
    enum State {
        /** In the queue's list, to be delivered. */
        AVAILABLE,
        /** Until its delivery time, or until it may be delivered again. */
        DELAYED,
        /** Chosen for a consumer; the journal is told before it leaves. */
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

    /** What the store has of one that it refused. */
    private static final StoredCopy REFUSED = StoredCopy.none();

    final MessageQueue queue;
    final Message message;
    /** Its place in the queue among its priority. */
    long sequence;

    State state = State.AVAILABLE;

    /** Neighbours in the list of its priority, or of those at consumers. */
    @Nullable
    Entry previous;

    @Nullable
    Entry next;

    /** Who has it, or had it last. */
    @Nullable
    Consumer consumer;

    /** Its number within the session that has it. */
    long tag;

    /** Deliveries that were passed to an application. */
    int deliveries;

    /** It was delivered where nobody knows whether it was passed on: it says that it may come again, and counts no more. */
    boolean doubtful;

    /** Passed to the application by who has it; of the session's loop. */
    boolean passed;

    /** By what it is in: the milliseconds at which a delayed one is due, the consumer's generation, the round of upkeep. */
    long due;

    /** Delivered by the session's window: it counts as passed on when it is credited. */
    boolean windowed;

    /** What the store was given of it, or null. */
    @Nullable
    StoredCopy copy;

    /** Acknowledged in a transaction that is not committed; of the session's loop. */
    boolean acknowledging;

    Entry(MessageQueue queue, Message message, long sequence) {
        this.queue = queue;
        this.message = message;
        this.sequence = sequence;
    }

    /** One that comes with a commit, or from elsewhere: that it may have been delivered there is said, and does not count here. */
    static Entry coming(MessageQueue queue, Message message, boolean delivered) {
        Entry e = new Entry(queue, message, 0);
        e.doubtful = delivered;
        return e;
    }

    /** What the store has of it, or null. */
    @Nullable
    StoredCopy kept() {
        return copy == REFUSED ? null : copy;
    }

    /** Whether its write is under way: its sender may yet be told that it is nowhere. */
    boolean isUnwritten() {
        StoredCopy c = copy;
        return c != null && c.isUnwritten();
    }

    /** Whether its sender was told that it is nowhere: whoever has it is the last who does. */
    boolean isRefused() {
        return copy == REFUSED;
    }

    /** Its sender is told so. */
    void refused() {
        copy = REFUSED;
        queue.withdraw(this);
    }

    /** Whether it may have been delivered before. */
    boolean redelivered() {
        return deliveries > 0 || doubtful;
    }

    /** JMSXDeliveryCount of the next delivery: 2 at least when it is a redelivery (specification 3.5.11). */
    int attempt() {
        return attempt(deliveries, redelivered());
    }

    /** The same of one that is not here yet. */
    static int attempt(int deliveries, boolean redelivered) {
        return Math.max(deliveries + 1, redelivered ? 2 : 1);
    }
}
