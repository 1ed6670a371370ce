package io.weir.broker.queue;

import org.jspecify.annotations.Nullable;

/**
 * How far somebody has looked through a queue's available entries, for each priority; {@link ConsumerRing} keeps it right
 * while entries come and go. Confined to the queue's loop.
 */
final class ScanPosition {
    /** The last entry looked at; those behind it were not. */
    private @Nullable QueueEntry @Nullable [] last;

    /** The first entry of a priority that was not looked at. */
    @Nullable
    QueueEntry after(int priority, AvailableList list) {
        @Nullable QueueEntry[] l = last;
        QueueEntry at = l == null ? null : l[priority];
        return at == null ? list.head(priority) : at.next;
    }

    void passed(QueueEntry e) {
        @Nullable QueueEntry[] l = last;
        if (l == null) {
            l = new @Nullable QueueEntry[AvailableList.PRIORITIES];
            last = l;
        }
        l[e.message.priority()] = e;
    }

    /** An entry leaves the list. */
    void leaving(QueueEntry e) {
        @Nullable QueueEntry[] l = last;
        int priority = e.message.priority();
        if (l != null && l[priority] == e) {
            l[priority] = e.previous;
        }
    }

    /** An entry came into the middle of the list: it is looked at, and those behind it again. */
    void inserted(QueueEntry e) {
        @Nullable QueueEntry[] l = last;
        if (l != null) {
            QueueEntry at = l[e.message.priority()];
            if (at != null && at.sequence > e.sequence) {
                l[e.message.priority()] = e.previous;
            }
        }
    }

    /** Begins anew. */
    void again() {
        last = null;
    }
}
