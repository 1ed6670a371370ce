package io.weir.proxy.program.origin;

import io.weir.proxy.pool.ServerPool;
import io.weir.proxy.pool.StickyConfig;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The origins that a request is fetched from: what {@code set-origin-server} sets. Immutable, except for the pool of
 * its servers, which the engine binds once; shared.
 */
public final class OriginRoute {
    private static final StickyConfig NO_SESSIONS =
            new StickyConfig(false, StickyConfig.COOKIES, "jsessionid", "Proxy-jroute", "JROUTE");

    private final List<Origin> origins;
    private final List<String> authorities;
    private final @Nullable String poolName;
    private final StickyConfig sticky;
    private final Rewrites rewrites;
    private final boolean parents;
    private volatile @Nullable ServerPool pool;

    /**
     * What is rewritten in requests and answers between the client's names and the origin's.
     *
     * @param host Host becomes the origin's own name
     * @param location of answers becomes the URL that the client must use
     * @param contentLocation the same
     * @param fields further fields of answers that contain such a URL
     */
    public record Rewrites(boolean host, boolean location, boolean contentLocation, List<String> fields) {
        public Rewrites {
            fields = List.copyOf(fields);
        }
    }

    /**
     * A route.
     *
     * @param poolName of the configured pool that has these servers; null: none
     * @param sticky session stickiness if there is no configured pool
     */
    public OriginRoute(List<Origin> origins, @Nullable String poolName, StickyConfig sticky, Rewrites rewrites) {
        this(origins, poolName, sticky, rewrites, false);
    }

    private OriginRoute(
            List<Origin> origins, @Nullable String poolName, StickyConfig sticky, Rewrites rewrites, boolean parents) {
        this.parents = parents;
        this.origins = List.copyOf(origins);
        this.poolName = poolName;
        this.sticky = sticky;
        this.rewrites = rewrites;
        List<String> texts = new ArrayList<>();
        for (Origin o : origins) {
            texts.add(o.authority());
        }
        this.authorities = List.copyOf(texts);
    }

    /** Proxies behind this one, of which each can get every URL. */
    public static OriginRoute parents(List<Origin> proxies) {
        return new OriginRoute(proxies, null, NO_SESSIONS, new Rewrites(false, false, false, List.of()), true);
    }

    /** Whether these are proxies behind this one instead of origins. */
    public boolean parents() {
        return parents;
    }

    public List<Origin> origins() {
        return origins;
    }

    /** The name of its pool in the configuration; null: it lists its origins itself. */
    public @Nullable String poolName() {
        return poolName;
    }

    public StickyConfig sticky() {
        return sticky;
    }

    /** The servers to choose from; null before the engine has bound them. */
    public @Nullable ServerPool pool() {
        return pool;
    }

    /** Called by the engine: binds the servers. */
    public void bind(ServerPool servers) {
        pool = servers;
    }

    /** Whether Host becomes the origin's own name. */
    public boolean rewriteHost() {
        return rewrites.host();
    }

    public boolean rewriteLocation() {
        return rewrites.location();
    }

    public boolean rewriteContentLocation() {
        return rewrites.contentLocation();
    }

    /** Further fields of answers whose URLs are mapped back. */
    public List<String> rewriteFields() {
        return rewrites.fields();
    }

    /** The length of the URL's leading part that is one of these origins, or -1. */
    public int originPart(String url) {
        for (int i = 0; i < origins.size(); i++) {
            String scheme = origins.get(i).scheme();
            String authority = authorities.get(i);
            int end = scheme.length() + 3 + authority.length();
            boolean same = url.length() >= end
                    && url.regionMatches(true, 0, scheme, 0, scheme.length())
                    && url.startsWith("://", scheme.length())
                    && url.regionMatches(true, scheme.length() + 3, authority, 0, authority.length());
            if (same && (url.length() == end || "/?#".indexOf(url.charAt(end)) >= 0)) {
                return end;
            }
        }
        return -1;
    }
}
