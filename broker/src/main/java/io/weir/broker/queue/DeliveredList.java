package io.weir.broker.queue;

import io.weir.broker.loop.ReadBuffers;
import org.jspecify.annotations.Nullable;

/**
 * A queue's entries that are at consumers, in the order of their delivery, so that those which stay there are copied
 * out of the large buffers they were read into. Confined to the queue's loop.
 */
public final class DeliveredList {
    private @Nullable QueueEntry newest;
    /** The newest at the last call of {@link #settleDown}: it and those before it were delivered by then. */
    private @Nullable QueueEntry seen;

    void add(QueueEntry e) {
        QueueEntry last = newest;
        e.previous = last;
        e.next = null;
        if (last != null) {
            last.next = e;
        }
        newest = e;
    }

    void remove(QueueEntry e) {
        if (e.state != QueueEntry.State.DELIVERED) {
            return;
        }
        QueueEntry before = e.previous;
        QueueEntry behind = e.next;
        if (seen == e) {
            seen = before;
        }
        if (before != null) {
            before.next = behind;
        }
        if (behind == null) {
            newest = before;
        } else {
            behind.previous = before;
        }
        e.previous = null;
        e.next = null;
    }

    boolean isEmpty() {
        return newest == null;
    }

    /** The last delivered message; for tests. */
    public Message newest() {
        QueueEntry e = newest;
        if (e == null) {
            throw new IllegalStateException("nothing is at a consumer");
        }
        return e.message;
    }

    /**
     * Settles the messages that were delivered before the last call and are still there; older ones were settled then.
     */
    public void settleDown(ReadBuffers buffers) {
        for (QueueEntry e = seen; e != null && !e.message.isSettled(); e = e.previous) {
            e.message.settleDown(buffers);
        }
        seen = newest;
    }
}
