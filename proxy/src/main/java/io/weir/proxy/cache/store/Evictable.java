package io.weir.proxy.cache.store;

import org.jspecify.annotations.Nullable;

/** The eviction policy's state of an object: its links and a use count. Links are guarded by the store's lock. */
abstract class Evictable {
    static final byte OUT = 0;
    static final byte SMALL = 1;
    static final byte MAIN = 2;
    private static final byte MOST = 3;

    @Nullable
    Evictable older;

    @Nullable
    Evictable newer;

    byte queue;
    // written by hits without a lock: a lost update only makes the count slightly smaller
    private byte uses;
    private int hits;

    /** A hit: no reordering. */
    public final void used() {
        hits++;
        byte now = uses;
        if (now < MOST) {
            uses = (byte) (now + 1);
        }
    }

    /** Hits so far, at most 2^31 - 1. */
    public final int hits() {
        return hits & Integer.MAX_VALUE;
    }

    /** Takes over the hit count of the version that this one replaces. */
    final void hits(int before) {
        hits = before;
    }

    final int uses() {
        return uses;
    }

    final void uses(int count) {
        uses = (byte) count;
    }

    /** Bytes that are freed when this is evicted. */
    abstract long memoryBytes();

    /** The hash of the key, for the ghost table. */
    abstract long hash();
}
