package io.weir.proxy.cache.store;

import org.jspecify.annotations.Nullable;

/**
 * Everything known about one key: stored variants, newest first, and fetches in flight. Written with the store's lock
 * held.
 */
public final class CacheEntry {
    /** Heap bytes without the key's own. Measured by a test. */
    static final int HEAP_BYTES = 80;

    final long hash;
    final byte[] key;
    volatile @Nullable CacheEntry next;
    volatile @Nullable StoredObject variants;

    // monitoring reads it without the lock
    private volatile @Nullable InFlight fetches;

    boolean linked = true;

    CacheEntry(long hash, byte[] key) {
        this.hash = hash;
        this.key = key;
    }

    static long heapBytes(int keyLength) {
        return HEAP_BYTES + ((keyLength + 7L) & ~7L);
    }

    /** The hash of the key. */
    public long hash() {
        return hash;
    }

    /** The key as a URI. */
    public String uri() {
        return KeyBuilder.uri(key);
    }

    /** The newest variant, linked to the older ones; null: nothing is stored. */
    public @Nullable StoredObject variants() {
        return variants;
    }

    /** The newest fetch in flight, linked to the older ones; null: none. */
    public @Nullable InFlight fetches() {
        return fetches;
    }

    boolean unused() {
        return variants == null && fetches == null;
    }

    int variantCount() {
        int n = 0;
        for (StoredObject o = variants; o != null; o = o.nextVariant()) {
            n++;
        }
        return n;
    }

    /** Lock held. */
    public void add(InFlight fetch) {
        fetch.next = fetches;
        fetches = fetch;
    }

    /** Lock held. */
    @SuppressWarnings("ReferenceEquality") // identity: the same fetch
    public void remove(InFlight fetch) {
        if (fetches == fetch) {
            fetches = fetch.next;
            return;
        }
        for (InFlight f = fetches; f != null; f = f.next) {
            if (f.next == fetch) {
                f.next = fetch.next;
                return;
            }
        }
    }
}
