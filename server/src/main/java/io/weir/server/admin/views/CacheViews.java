package io.weir.server.admin.views;

import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.Cache;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The memory cache on the admin listener: {@code DELETE /cache?url=…} purges a URL, {@code DELETE /cache?all} purges
 * everything, {@code POST /nsc?restart} empties the memory, {@code ?start} and {@code ?stop} switch it on and off. Shared.
 */
public final class CacheViews {
    /** The Sun proxy's names of the page that shows and controls its file cache. */
    public static final List<String> PAGES = List.of("/nsc", "/nsfc");

    private static final String ENABLED = "cache.enabled";

    private final Cache cache;

    public CacheViews(Cache cache) {
        this.cache = cache;
    }

    public void register(AdminRouter router) {
        router.change("DELETE", "/cache", this::forget, "url", "all?");
    }

    /**
     * The change of the configuration that a {@code POST} of the page means, on all processes; null: none, and {@link
     * #control} answers it.
     */
    public static @Nullable AdminRequest change(AdminRequest request) {
        boolean start = request.query().equals(Map.of("start", ""));
        if (!start && !request.query().equals(Map.of("stop", ""))) {
            return null;
        }
        return new AdminRequest(
                "PATCH",
                "/knobs",
                Map.of(),
                request.fields(),
                "{\"" + ENABLED + "\":\"" + (start ? "on" : "off") + "\"}",
                request.remote(),
                request.author());
    }

    /** Empties the memory: what the Sun proxy does when it shuts its file cache down and restarts it. */
    AdminAnswer control(AdminRequest request) {
        return request.query().equals(Map.of("restart", ""))
                ? forgotten(cache.clearMemory())
                : AdminAnswer.problem(
                        400,
                        "Bad request",
                        "POST " + request.path() + " takes one of ?restart, ?start and ?stop, without a value."
                                + " Nothing was changed.");
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
