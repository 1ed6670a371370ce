package io.weir.server.siblings;

import io.weir.cluster.purge.PurgePosition;
import io.weir.cluster.purge.PurgedCache;
import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.Cache;

/**
 * The cache of a process as the purges of its server see it, which the supervisor numbers as long as it lives: the disk
 * tier remembers none of these numbers. Shared.
 */
public final class LocalPurges implements PurgedCache {
    private final Cache cache;
    private volatile PurgePosition position = PurgePosition.NONE;

    public LocalPurges(Cache cache) {
        this.cache = cache;
    }

    /** Removes what a cache has for a URL. */
    public static void purge(Cache cache, String url) {
        UriTarget target = UriTarget.parse(url);
        if (target == null) {
            // another version accepted what this one cannot read
            cache.clear();
        } else {
            cache.invalidate(target);
        }
    }

    @Override
    public PurgePosition position() {
        return position;
    }

    @Override
    public void purge(String url) {
        purge(cache, url);
    }

    @Override
    public void purgeAll() {
        cache.clear();
    }

    @Override
    public void reached(PurgePosition to) {
        position = to;
    }

    @Override
    public void current() {
        // the supervisor tells what is missing before anything is served
    }
}
