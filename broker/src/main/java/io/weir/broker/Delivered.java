package io.weir.broker;

import org.jspecify.annotations.Nullable;

/**
 * A queue's entries that are at consumers, in the order of their delivery: so that those which stay there let go of the
 * large buffers that they were read into. Confined to the queue's loop.
 */
final class Delivered {
    private @Nullable Entry newest;
    private int round;

    void add(Entry e) {
        e.due = round;
        Entry last = newest;
        e.previous = last;
        e.next = null;
        if (last != null) {
            last.next = e;
        }
        newest = e;
    }

    void remove(Entry e) {
        if (e.state != Entry.State.DELIVERED) {
            return;
        }
        Entry before = e.previous;
        Entry behind = e.next;
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

    /** The message delivered last; for tests. */
    Message newest() {
        Entry e = newest;
        if (e == null) {
            throw new IllegalStateException("nothing is at a consumer");
        }
        return e.message;
    }

    /** Settles what was delivered before the last call and is still there; those before them were settled then. */
    void settleDown(ReadBuffers buffers) {
        int now = round++;
        for (Entry e = newest; e != null; e = e.previous) {
            if (e.due < now) {
                if (e.message.isSettled()) {
                    return;
                }
                e.message.settleDown(buffers);
            }
        }
    }
}
