package io.weir.proxy.cache;

import io.netty.buffer.ByteBufAllocator;
import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;

/** The memory cache. Shared by all event loops; lives as long as the server. */
public final class Cache implements AutoCloseable {
    final Store store;
    final CacheCounters counters;
    final Live<CacheConfig> config;
    final Clock clock;
    private final KeyHash hash;

    /**
     * An empty cache.
     *
     * @param chance seeds the hash of keys
     * @param allocator where regions of direct memory come from: an unpooled one, since they live long
     */
    public Cache(
            Live<CacheConfig> config, ByteBufAllocator allocator, Clock clock, Chance chance, Stats stats, Log log) {
        this.config = config;
        this.clock = clock;
        this.counters = new CacheCounters(stats);
        this.store = new Store(config, allocator, counters, clock.millis());
        this.hash = new KeyHash(chance.random().nextLong(), chance.random().nextLong());
    }

    /** A reusable request with a key builder of its own: one per loop for hits, one per exchange for those that wait. */
    public CacheRequest newRequest() {
        return new CacheRequest(new KeyBuilder(hash));
    }

    /** A reusable key for {@link #invalidate} and {@link #purge}. */
    public KeyBuilder newKey() {
        return new KeyBuilder(hash);
    }

    /** What to do with a request. Never blocks, does no I/O; a hit allocates nothing. */
    public Decision decide(CacheRequest request) {
        throw new UnsupportedOperationException();
    }

    /** After a successful unsafe request (RFC 9111 4.4): forgets what is stored for the key; returns how many objects. */
    public int invalidate(KeyBuilder key) {
        throw new UnsupportedOperationException();
    }

    /** As {@link #invalidate}, by an administrator. */
    public int purge(KeyBuilder key) {
        return invalidate(key);
    }

    /** Forgets everything; returns how many objects that were. */
    public int clear() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        store.close();
    }
}
