package io.weir.broker.store;

import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import org.jspecify.annotations.Nullable;

/**
 * A message as it waits in one queue: what the broker's entry keeps to remove it or mark it. Confined to its queue's
 * loop, and to a session that commits its removal.
 */
public final class StoredCopy {
    private final QueueKey queue;
    private final int index;
    private boolean dispatched;
    private boolean unwritten;

    @Nullable
    Stored message;

    /** The journal's entry that says it was dispatched, 0 for none. */
    long mark;
    /** The journal's entry that says it was removed while others of the message were not, 0 for none. */
    long removal;

    StoredCopy(QueueKey queue, int index, boolean dispatched) {
        this.queue = queue;
        this.index = index;
        this.dispatched = dispatched;
    }

    /** The copy of no message. */
    public static StoredCopy none() {
        return new StoredCopy(new QueueKey(new DestinationName(DestinationKind.QUEUE, ""), ""), 0, true);
    }

    public QueueKey queue() {
        return queue;
    }

    /** Its place among the copies of its message. */
    int index() {
        return index;
    }

    /**
     * Whether the store knows that it may have been delivered: it needs no mark, and after a recovery it is
     * redelivered.
     */
    public boolean dispatched() {
        return dispatched;
    }

    void markDispatched() {
        dispatched = true;
    }

    /** Its write is under way; {@link #written} follows. */
    public void writing() {
        unwritten = true;
    }

    /** The store has it. */
    public void written() {
        unwritten = false;
    }

    /** Whether the outcome of its write is still unknown. */
    public boolean isUnwritten() {
        return unwritten;
    }

    Stored message() {
        Stored m = message;
        if (m == null) {
            throw new IllegalStateException("a copy without its message");
        }
        return m;
    }
}
