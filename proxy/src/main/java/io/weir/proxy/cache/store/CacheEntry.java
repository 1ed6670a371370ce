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

    private volatile @Nullable VariantIndex index;

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

    /** The key; not to be changed. */
    public byte[] key() {
        return key;
    }

    /** Whether a variant has this key. Lock held. */
    public boolean has(String varyKey) {
        for (StoredObject o = variants; o != null; o = o.nextVariant()) {
            if (o.varyKey().equals(varyKey)) {
                return true;
            }
        }
        return false;
    }

    /** The key as a URI. */
    public String uri() {
        return KeyBuilder.uri(key);
    }

    /** The newest variant, linked to the older ones; null: nothing is stored. */
    public @Nullable StoredObject variants() {
        return variants;
    }

    /** All variants by their keys; null: they are to be searched one after the other. */
    public @Nullable VariantIndex index() {
        return index;
    }

    /** The newest variant was added. Lock held. */
    void added(StoredObject added, Budget budget) {
        assert linked() : "it has left the table";
        VariantIndex now = index;
        if (now == null || !now.add(added)) {
            replaceIndex(budget, null);
            index = VariantIndex.of(this, budget);
        }
    }

    /** A variant was removed. Lock held. */
    void removed(StoredObject removed) {
        VariantIndex now = index;
        if (now != null) {
            now.remove(removed);
        }
    }

    /** Whether it is in the table. */
    @SuppressWarnings("ReferenceEquality") // identity: it is one of a kind
    boolean linked() {
        return index != VariantIndex.GONE;
    }

    /** It leaves the table. Lock held. */
    void unlink(Budget budget) {
        replaceIndex(budget, VariantIndex.GONE);
    }

    private void replaceIndex(Budget budget, @Nullable VariantIndex next) {
        VariantIndex now = index;
        index = next;
        if (now != null) {
            budget.release(now.heapBytes());
        }
    }

    /** The fetches in flight: those that others may wait for, newest first, then those that are alone; null: none. */
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

    /**
     * Adds a fetch. Those that are alone come last, because a request looks for one to wait for, and a popular object that
     * may not be stored has as many of them as requests in progress. Lock held.
     */
    public void add(InFlight fetch) {
        InFlight before = null;
        InFlight after = fetches;
        while (fetch.alone() && after != null && !after.alone()) {
            before = after;
            after = after.next;
        }
        link(before, fetch);
        fetch.next = after;
        if (after != null) {
            after.previous = fetch;
        }
    }

    /** Lock held. */
    public void remove(InFlight fetch) {
        InFlight after = fetch.next;
        if (after != null) {
            after.previous = fetch.previous;
        }
        link(fetch.previous, after);
    }

    private void link(@Nullable InFlight before, @Nullable InFlight fetch) {
        if (before == null) {
            fetches = fetch;
        } else {
            before.next = fetch;
        }
        if (fetch != null) {
            fetch.previous = before;
        }
    }
}
