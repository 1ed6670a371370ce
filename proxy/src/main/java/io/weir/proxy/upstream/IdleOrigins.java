package io.weir.proxy.upstream;

import org.jspecify.annotations.Nullable;

/**
 * A pool's connections that wait for reuse, the longest idle first; the links are fields of the connections. Owned by
 * the pool, confined to its muxer.
 */
final class IdleOrigins {
    private @Nullable OriginConnection first;
    private @Nullable OriginConnection last;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The longest idle connection. */
    OriginConnection getFirst() {
        OriginConnection c = first;
        if (c == null) {
            throw new IllegalStateException("no connection is idle");
        }
        return c;
    }

    /** Appends a connection that is not in the list. */
    void add(OriginConnection c) {
        OriginConnection before = last;
        c.previousIdle = before;
        c.parked = true;
        if (before == null) {
            first = c;
        } else {
            before.nextIdle = c;
        }
        last = c;
        size++;
    }

    /** Removes a connection; returns false if it was not in the list. */
    boolean remove(OriginConnection c) {
        if (!c.parked) {
            return false;
        }
        OriginConnection before = c.previousIdle;
        OriginConnection after = c.nextIdle;
        if (before == null) {
            first = after;
        } else {
            before.nextIdle = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previousIdle = before;
        }
        c.previousIdle = null;
        c.nextIdle = null;
        c.parked = false;
        size--;
        return true;
    }
}
