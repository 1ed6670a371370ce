package io.weir.kernel.connection;

import org.jspecify.annotations.Nullable;

/**
 * A muxer's idle keep-alive connections in the order in which they became idle, or its connections that wait for their
 * client in the order in which the wait began; a connection is never in both lists. Linked through the connections
 * themselves. Confined to the muxer; only the age of the oldest connection and the size are read by acceptors.
 */
final class ConnectionList {
    /** The value of {@link #oldestSince} if the list is empty. */
    static final long NONE = Long.MAX_VALUE;

    private @Nullable Connection first;
    private @Nullable Connection last;
    private volatile long oldestSince = NONE;
    private volatile int size;

    void add(Connection c) {
        sized(1);
        c.previousIdle = last;
        c.nextIdle = null;
        if (last == null) {
            first = c;
            oldestSince = c.idleSince;
        } else {
            last.nextIdle = c;
        }
        last = c;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread writes it
    private void sized(int more) {
        size += more;
    }

    int size() {
        return size;
    }

    void remove(Connection c) {
        sized(-1);
        Connection previous = c.previousIdle;
        Connection next = c.nextIdle;
        if (previous == null) {
            first = next;
            oldestSince = next == null ? NONE : next.idleSince;
        } else {
            previous.nextIdle = next;
        }
        if (next == null) {
            last = previous;
        } else {
            next.previousIdle = previous;
        }
        c.previousIdle = null;
        c.nextIdle = null;
    }

    @Nullable
    Connection oldest() {
        return first;
    }

    /**
     * When the oldest connection started to wait, by the kernel's clock, or {@link #NONE}; readable from any thread.
     */
    long oldestSince() {
        return oldestSince;
    }
}
