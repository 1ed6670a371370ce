package io.weir.proxy.cache.store;

import io.weir.http.caching.Vary;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The variants of an entry that has many, by the key that selects them: all of them, while all have the same selecting
 * fields. Written with the store's lock held, read without it; lives until the entry needs a larger one, or leaves.
 *
 * <p>A table with open addresses: an object lies at the first free place from its key's on. A removed one leaves a mark,
 * so that readers go on beyond it.
 */
public final class VariantIndex {
    /** With no more variants than this they are searched one after the other. */
    static final int FEW = 16;

    /** Of an entry that has left the table: it has no variants. */
    static final VariantIndex GONE = new VariantIndex(Vary.NONE, 1);

    private static final Object REMOVED = new Object();
    private final Vary vary;
    private final AtomicReferenceArray<@Nullable Object> places;
    // without those that are free; never more than half
    private int used;

    private VariantIndex(Vary vary, int places) {
        this.vary = vary;
        this.places = new AtomicReferenceArray<>(places);
    }

    /**
     * The index of an entry's variants; null if they are few, do not have the same selecting fields, or the budget has no
     * room for it. Its {@link #heapBytes} are reserved.
     */
    static @Nullable VariantIndex of(CacheEntry entry, Budget budget) {
        int count = entry.variantCount();
        StoredObject newest = entry.variants();
        if (newest == null || count <= FEW) {
            return null;
        }
        for (StoredObject o = newest.nextVariant(); o != null; o = o.nextVariant()) {
            if (!o.vary().selectsLike(newest.vary())) {
                return null;
            }
        }
        VariantIndex index = new VariantIndex(newest.vary(), 4 * Integer.highestOneBit(count));
        if (!budget.reserve(index.heapBytes())) {
            return null;
        }
        for (StoredObject o = newest; o != null; o = o.nextVariant()) {
            index.add(o);
        }
        return index;
    }

    /** Reserved bytes. */
    long heapBytes() {
        return 64 + 4L * places.length();
    }

    /** What selects all of its variants. */
    public Vary vary() {
        return vary;
    }

    /** The variant with this key; null: there is none. */
    public @Nullable StoredObject find(String key) {
        for (int at = place(key); ; at = next(at)) {
            Object found = places.get(at);
            if (found == null) {
                return null;
            }
            if (found instanceof StoredObject o && o.varyKey().equals(key)) {
                return o;
            }
        }
    }

    /** Adds an object whose key no other one has; false if it has other selecting fields, or there is no room. */
    boolean add(StoredObject object) {
        if (2 * used >= places.length() || !object.vary().selectsLike(vary)) {
            return false;
        }
        int at = place(object.varyKey());
        while (places.get(at) instanceof StoredObject) {
            at = next(at);
        }
        used += places.get(at) == null ? 1 : 0;
        places.set(at, object);
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // identity: the same object
    void remove(StoredObject object) {
        for (int at = place(object.varyKey()); places.get(at) != null; at = next(at)) {
            if (places.get(at) == object) {
                places.set(at, REMOVED);
                return;
            }
        }
    }

    private int place(String key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return (hash ^ (hash >>> 16)) & (places.length() - 1);
    }

    private int next(int at) {
        return (at + 1) & (places.length() - 1);
    }
}
