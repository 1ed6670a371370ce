package io.weir.proxy.cache.store;

import io.netty.buffer.ByteBuf;
import java.util.BitSet;

/**
 * A piece of direct memory that is allocated in runs of granules, first fit. Exact sizes waste at most a granule per
 * run, and a fill that cannot get one run takes several, so fragments stay usable. Guarded by the slab's lock.
 */
final class Region {
    /** Granule size in bytes. */
    static final int GRANULE = 128;

    final Slab slab;
    final ByteBuf memory;
    private final BitSet used;
    private final int granules;
    private int free;
    // no run is longer than this; exact after a failed search
    private int longest;
    /** Being emptied: nothing is allocated from it any more. */
    boolean draining;

    Region(Slab slab, ByteBuf memory) {
        this.slab = slab;
        this.memory = memory;
        granules = memory.capacity() / GRANULE;
        used = new BitSet(granules);
        free = granules;
        longest = granules;
    }

    /** First granule of a run of {@code n}, now allocated, or -1. */
    int take(int n) {
        if (draining || n > longest || n > free) {
            return -1;
        }
        int seen = 0;
        for (int from = used.nextClearBit(0); from < granules; ) {
            int next = used.nextSetBit(from);
            int end = next < 0 ? granules : next;
            if (end - from >= n) {
                used.set(from, from + n);
                free -= n;
                return from;
            }
            seen = Math.max(seen, end - from);
            from = used.nextClearBit(end);
        }
        longest = seen;
        return -1;
    }

    void give(int first, int n) {
        assert used.nextClearBit(first) >= first + n : "granules freed twice";
        used.clear(first, first + n);
        free += n;
        int before = used.previousSetBit(first);
        int after = used.nextSetBit(first);
        longest = Math.max(longest, (after < 0 ? granules : after) - before - 1);
    }

    int freeGranules() {
        return free;
    }

    boolean empty() {
        return free == granules;
    }
}
