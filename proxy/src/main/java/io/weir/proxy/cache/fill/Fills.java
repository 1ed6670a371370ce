package io.weir.proxy.cache.fill;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.http.Fields;
import io.weir.http.caching.CacheControl;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.config.CacheCounters;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.cache.store.Store;
import io.weir.proxy.cache.store.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * State shared by the fills of a cache, and the storing of their results. Shared by all event loops; lives as long as
 * the cache. Unless documented otherwise, methods are called with the fill's lock held and the store's not held.
 */
public final class Fills {
    /** A file for each smaller one would cost more than it saves. */
    private static final long SMALLEST_SINK = 1 << 20;

    public final Store store;
    public final Live<CacheConfig> config;
    public final CacheCounters counters;
    final Clock clock;

    public Fills(Store store, Live<CacheConfig> config, CacheCounters counters, Clock clock) {
        this.store = store;
        this.config = config;
        this.counters = counters;
        this.clock = clock;
    }

    Store store() {
        return store;
    }

    CacheConfig config() {
        return config.get();
    }

    CacheCounters counters() {
        return counters;
    }

    /**
     * Starts a fetch; returns null if there is no memory for it. Store's lock held. Takes over what the start retains.
     */
    @Nullable
    public Fill start(KeyBuilder key, FillRequest request, CacheControl control, FillStart how) {
        Fields copy = request.fields().copy();
        long heap = LeaderRequest.heapBytes(copy);
        // the reservation may evict what the entry holds, so it comes before the entry is looked up
        CacheEntry entry = null;
        if (store.reserve(heap)) {
            entry = store.enter(key);
            if (entry == null) {
                store.budget().release(heap);
            }
        }
        if (entry == null) {
            if (how.stale() != null) {
                how.stale().release();
            }
            return null;
        }
        Fill fill = new Fill(this, entry, LeaderRequest.of(request, copy, control), how);
        entry.add(fill);
        if (how.stale() != null && how.stale().validators().any()) {
            counters.revalidations.inc();
        }
        return fill;
    }

    /** Stores a fill's result, unless the key was purged or invalidated in the interim; takes over the reference. */
    boolean put(StoredObject object, FillState fill) {
        boolean put;
        store.lock().lock();
        try {
            // an answered purge is final, so check under the lock that purges hold
            put = !fill.doomed;
            if (put) {
                store.put(object);
            }
        } finally {
            store.lock().unlock();
        }
        if (!put) {
            object.release();
        }
        return put;
    }

    /** The largest body that can be stored in memory: if there is something below it, larger ones go there only. */
    long mostInMemory(CacheTerms terms) {
        CacheConfig now = config.get();
        long most = store.lower().sinksTo() > 0
                ? Math.max(SMALLEST_SINK, now.maxObjectSize().bytes())
                : Long.MAX_VALUE;
        return Math.min(Math.min(terms.maxSize(now), most), store.largestBody());
    }

    /** Whether a body of this length can be stored: in memory, or below while it arrives. */
    boolean takes(CacheTerms terms, long length) {
        return length <= mostInMemory(terms) || sinks(terms, length);
    }

    /** Whether a body of this length is to be written below while it arrives. */
    boolean sinks(CacheTerms terms, long length) {
        return length > sinksFrom() && length <= mostBelow(terms);
    }

    /** Larger bodies are not brought into memory, if there is something below it. */
    long sinksFrom() {
        long memory = Math.min(config.get().maxObjectSize().bytes(), store.largestBody());
        return Math.min(store.lower().sinksFrom(), Math.max(SMALLEST_SINK, memory));
    }

    /** The largest body that can be written below while it arrives. */
    long mostBelow(CacheTerms terms) {
        CacheConfig now = config.get();
        return Math.min(store.lower().sinksTo(), terms.maxSizeBelow(now));
    }

    void leave(CacheEntry entry, Fill fill) {
        store.lock().lock();
        try {
            entry.remove(fill);
            store.leave(entry);
        } finally {
            store.lock().unlock();
        }
    }

    /** The answer may not be stored: removes the object that it replaces, if any, and remembers the key. */
    void uncacheable(CacheEntry entry, @Nullable StoredObject replaced) {
        CacheConfig now = config.get();
        store.uncacheables().add(entry.hash(), clock.millis(), now.hitForMiss().toMillis());
        store.lower().removed(entry.hash());
        if (replaced != null) {
            drop(replaced);
        }
    }

    public void drop(StoredObject object) {
        store.lock().lock();
        try {
            store.discard(object);
        } finally {
            store.lock().unlock();
        }
    }
}
