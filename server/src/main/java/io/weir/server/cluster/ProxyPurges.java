package io.weir.server.cluster;

import io.weir.cluster.purge.PurgePosition;
import io.weir.cluster.purge.PurgedCache;
import io.weir.proxy.cache.Cache;
import io.weir.proxy.cache.disk.files.PurgeMark;
import io.weir.server.siblings.LocalPurges;

/**
 * The proxy's cache as the cluster's purges see it. From its creation the disk tier is not used until it is {@link
 * #current}. Shared.
 */
public final class ProxyPurges implements PurgedCache {
    private final Cache cache;
    private volatile PurgePosition position;

    /** Created before the listeners open: no request may find what was purged while this server was away. */
    public ProxyPurges(Cache cache) {
        this.cache = cache;
        cache.disk().hold(true);
        PurgeMark mark = cache.disk().mark();
        this.position = new PurgePosition(mark.log(), mark.number());
    }

    @Override
    public PurgePosition position() {
        return position;
    }

    @Override
    public void purge(String url) {
        LocalPurges.purge(cache, url);
    }

    @Override
    public void purgeAll() {
        cache.clear();
    }

    @Override
    public void reached(PurgePosition reached) {
        position = reached;
        cache.disk().mark(new PurgeMark(reached.log(), reached.number()));
    }

    @Override
    public void current() {
        cache.disk().hold(false);
    }
}
