package io.weir.broker.queue;

import org.jspecify.annotations.Nullable;

/**
 * How far a reader has scanned a queue's available entries, for each priority; {@link ConsumerRing} updates it when
 * entries are inserted and removed. Confined to the queue's loop.
 */
final class ScanPosition {
    /** The last entry scanned, for each priority; later ones were not. */
    private @Nullable QueueEntry @Nullable [] last;

    /** The first entry of a priority that was not scanned. */
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

    /** An entry was inserted in the list: it is scanned, and those behind it are scanned again. */
    void inserted(QueueEntry e) {
        @Nullable QueueEntry[] l = last;
        if (l != null) {
            QueueEntry at = l[e.message.priority()];
            if (at != null && at.sequence > e.sequence) {
                l[e.message.priority()] = e.previous;
            }
        }
    }

    /** An entry that may have been passed over is scanned again, and those behind it. */
    void again(QueueEntry e) {
        @Nullable QueueEntry[] l = last;
        if (l != null) {
            QueueEntry at = l[e.message.priority()];
            if (at != null && at.sequence >= e.sequence) {
                l[e.message.priority()] = e.previous;
            }
        }
    }

    /** Starts again from the front. */
    void reset() {
        last = null;
    }
}
