package io.weir.proxy.cache;

import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.disk.DiskTier;
import io.weir.proxy.cache.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is stored, as monitoring asks for it. Takes no lock of the store. Shared. */
public final class CacheInspection {
    private final Cache cache;
    private final @Nullable DiskTier disk;

    CacheInspection(Cache cache, @Nullable DiskTier disk) {
        this.cache = cache;
        this.disk = disk;
    }

    /**
     * Returns at most {@code limit} objects in memory, in no order, doubtful ones included. Objects that are added or
     * removed concurrently may be missed.
     */
    public List<CachedObject> objects(int limit) {
        List<CachedObject> listed = new ArrayList<>(Math.min(limit, cache.store.objects()));
        long millis = cache.clock.millis();
        cache.store.table().walk(entry -> {
            for (StoredObject o = entry.variants(); o != null && listed.size() < limit; o = o.nextVariant()) {
                if (o.tryRetain()) {
                    listed.add(CachedObject.of(o, disk != null && disk.has(o), millis));
                    o.release();
                }
            }
            return listed.size() < limit;
        });
        return listed;
    }

    /** Values for monitoring. */
    public CacheFacts facts() {
        CacheConfig now = cache.config.get();
        long hits = cache.counters.hits.value();
        return new CacheFacts(
                now.enabled(),
                cache.store.objects(),
                cache.store.plainObjects(),
                now.maxEntries(),
                hits,
                hits + cache.counters.misses.value(),
                now.maxUncheck(),
                cache.store.budget().used(),
                cache.store.budget().limit(),
                StoredObject.BOOKKEEPING,
                cache.store.table().places());
    }
}
