package io.weir.broker;

import org.jspecify.annotations.Nullable;

/**
 * How far somebody has looked through a queue's available entries, for each priority; {@link ConsumerRing} keeps it right
 * while entries come and go. Confined to the queue's loop.
 */
final class Looked {
    /** The last entry looked at; those behind it were not. */
    private @Nullable Entry @Nullable [] last;

    /** The first entry of a priority that was not looked at. */
    @Nullable
    Entry after(int priority, PendingList list) {
        @Nullable Entry[] l = last;
        Entry at = l == null ? null : l[priority];
        return at == null ? list.head(priority) : at.next;
    }

    void passed(Entry e) {
        @Nullable Entry[] l = last;
        if (l == null) {
            l = new @Nullable Entry[PendingList.PRIORITIES];
            last = l;
        }
        l[e.message.priority()] = e;
    }

    /** An entry leaves the list. */
    void leaving(Entry e) {
        @Nullable Entry[] l = last;
        int priority = e.message.priority();
        if (l != null && l[priority] == e) {
            l[priority] = e.previous;
        }
    }

    /** An entry came into the middle of the list: it is looked at, and those behind it again. */
    void inserted(Entry e) {
        @Nullable Entry[] l = last;
        if (l != null) {
            Entry at = l[e.message.priority()];
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
