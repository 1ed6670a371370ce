package io.weir.server.admin.views;

import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.Cache;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;

/**
 * The memory cache on the admin listener: {@code DELETE /cache?url=…} purges a URL, {@code DELETE /cache?all} purges
 * everything. Shared.
 */
public final class CacheViews {
    private final Cache cache;

    public CacheViews(Cache cache) {
        this.cache = cache;
    }

    public void register(AdminRouter router) {
        router.change("DELETE", "/cache", this::forget, "url", "all?");
    }

    private AdminAnswer forget(AdminRequest request) {
        String url = request.parameter("url");
        boolean all = request.isTrue("all");
        if (all == (url != null)) {
            return AdminAnswer.problem(
                    400, "Bad request", "specify what to purge: url=, an absolute URL as clients request it, or all");
        }
        if (url == null) {
            return forgotten(cache.clear());
        }
        UriTarget target = UriTarget.parse(url);
        return target == null
                ? AdminAnswer.problem(400, "Bad request", "url is not an absolute URL without a fragment: " + url)
                : forgotten(cache.invalidate(target));
    }

    private static AdminAnswer forgotten(int objects) {
        return AdminAnswer.json(200, j -> j.add("forgotten", objects));
    }
}
