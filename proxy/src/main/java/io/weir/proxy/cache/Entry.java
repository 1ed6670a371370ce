package io.weir.proxy.cache;

import org.jspecify.annotations.Nullable;

/** All that is known of one key: stored variants, newest first, and fetches in flight. Written with the store's lock held. */
final class Entry {
    /** Heap bytes without the key's own. Measured by a test. */
    static final int HEAP_BYTES = 80;

    final long hash;
    final byte[] key;
    volatile @Nullable Entry next;
    volatile @Nullable StoredObject variants;

    // monitoring reads it without the lock
    volatile @Nullable Fill fills;

    boolean linked = true;

    Entry(long hash, byte[] key) {
        this.hash = hash;
        this.key = key;
    }

    static long heapBytes(int keyLength) {
        return HEAP_BYTES + ((keyLength + 7L) & ~7L);
    }

    boolean unused() {
        return variants == null && fills == null;
    }

    int variantCount() {
        int n = 0;
        for (StoredObject o = variants; o != null; o = o.nextVariant()) {
            n++;
        }
        return n;
    }

    void addFill(Fill fill) {
        fill.nextFill = fills;
        fills = fill;
    }

    void removeFill(Fill fill) {
        if (fills == fill) {
            fills = fill.nextFill;
            return;
        }
        for (Fill f = fills; f != null; f = f.nextFill) {
            if (f.nextFill == fill) {
                f.nextFill = fill.nextFill;
                return;
            }
        }
    }
}
