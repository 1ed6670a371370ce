package io.weir.broker.store;

import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import org.jspecify.annotations.Nullable;

/**
 * A message's copy in one queue: the handle that the broker's entry keeps to remove or mark it. Confined to its queue's
 * loop, and to a session that commits its removal.
 */
public final class StoredCopy {
    private final QueueKey queue;
    private final int index;
    private boolean dispatched;
    private boolean unwritten;

    @Nullable
    Stored message;

    /** At a start: the prepared branch that removes it when it is committed. */
    @Nullable
    StoredBranch heldBy;

    /** The journal's entry that marks it as dispatched, 0 for none. */
    long mark;
    /** The journal's entry that removes it while other copies of the message remain, 0 for none. */
    long removal;

    StoredCopy(QueueKey queue, int index, boolean dispatched) {
        this.queue = queue;
        this.index = index;
        this.dispatched = dispatched;
    }

    /** A placeholder without a message. */
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
     * Whether it is marked in the store as possibly delivered: it needs no further mark, and after a recovery it is
     * flagged redelivered.
     */
    public boolean dispatched() {
        return dispatched;
    }

    void markDispatched() {
        dispatched = true;
    }

    /** Its write is in progress; {@link #written} follows. */
    public void writing() {
        unwritten = true;
    }

    /** The store has written it. */
    public void written() {
        unwritten = false;
    }

    /** Whether the outcome of its write is still unknown. */
    public boolean isUnwritten() {
        return unwritten;
    }

    /** The prepared branch of an earlier run that removes it when it is committed, or null. */
    public @Nullable StoredBranch heldBy() {
        return heldBy;
    }

    Stored message() {
        Stored m = message;
        if (m == null) {
            throw new IllegalStateException("a copy without its message");
        }
        return m;
    }
}
