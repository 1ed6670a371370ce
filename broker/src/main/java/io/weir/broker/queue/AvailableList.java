package io.weir.broker.queue;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The entries of a queue that can be delivered: one list for each priority, in order. Confined to the queue's loop. */
public final class AvailableList {
    static final int PRIORITIES = 10;

    private final @Nullable QueueEntry[] heads = new @Nullable QueueEntry[PRIORITIES];
    private final @Nullable QueueEntry[] tails = new @Nullable QueueEntry[PRIORITIES];
    private int occupied;
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    boolean isEmpty() {
        return occupied == 0;
    }

    /** From any thread. */
    public long count() {
        return count.getOpaque();
    }

    /** From any thread. */
    public long bytes() {
        return bytes.getOpaque();
    }

    /** A bit for each priority that has entries. */
    int occupied() {
        return occupied;
    }

    @Nullable
    QueueEntry head(int priority) {
        return heads[priority];
    }

    /** The first entry in the order of delivery. */
    @Nullable
    public QueueEntry first() {
        return occupied == 0 ? null : heads[31 - Integer.numberOfLeadingZeros(occupied)];
    }

    /** The entry that is delivered after this one, across priorities. */
    @Nullable
    public QueueEntry after(QueueEntry e) {
        if (e.next != null) {
            return e.next;
        }
        int lower = occupied & ((1 << e.message.priority()) - 1);
        return lower == 0 ? null : heads[31 - Integer.numberOfLeadingZeros(lower)];
    }

    /** Appends an entry to the list of its priority. */
    void append(QueueEntry e) {
        link(tails[e.message.priority()], e, null);
    }

    /** Reinserts an entry that was in the list before at the place of its sequence; searches from the front. */
    void insert(QueueEntry e) {
        QueueEntry before = null;
        QueueEntry at = heads[e.message.priority()];
        while (at != null && at.sequence < e.sequence) {
            before = at;
            at = at.next;
        }
        link(before, e, at);
    }

    void remove(QueueEntry e) {
        int p = e.message.priority();
        QueueEntry before = e.previous;
        QueueEntry behind = e.next;
        if (before == null) {
            heads[p] = behind;
        } else {
            before.next = behind;
        }
        if (behind == null) {
            tails[p] = before;
        } else {
            behind.previous = before;
        }
        if (heads[p] == null) {
            occupied &= ~(1 << p);
        }
        e.previous = null;
        e.next = null;
        counted(-1, -e.message.size());
    }

    private void link(@Nullable QueueEntry before, QueueEntry e, @Nullable QueueEntry behind) {
        int p = e.message.priority();
        e.previous = before;
        e.next = behind;
        if (before == null) {
            heads[p] = e;
        } else {
            before.next = e;
        }
        if (behind == null) {
            tails[p] = e;
        } else {
            behind.previous = e;
        }
        occupied |= 1 << p;
        counted(1, e.message.size());
    }

    private void counted(int entries, int size) {
        count.setOpaque(count.getPlain() + entries);
        bytes.setOpaque(bytes.getPlain() + size);
    }
}
