package io.weir.proxy.program;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Where a request is fetched from: what {@code set-origin-server} sets. Shared; only the turn changes. */
public final class OriginRoute {
    private final List<Origin> origins;
    private final List<String> authorities;
    private final boolean rewriteHost;
    private final boolean rewriteLocation;
    private final boolean rewriteContentLocation;
    private final AtomicInteger turn = new AtomicInteger();

    public OriginRoute(
            List<Origin> origins, boolean rewriteHost, boolean rewriteLocation, boolean rewriteContentLocation) {
        this.origins = List.copyOf(origins);
        this.rewriteHost = rewriteHost;
        this.rewriteLocation = rewriteLocation;
        this.rewriteContentLocation = rewriteContentLocation;
        List<String> texts = new ArrayList<>();
        for (Origin o : origins) {
            texts.add(o.authority());
        }
        this.authorities = List.copyOf(texts);
    }

    public List<Origin> origins() {
        return origins;
    }

    /** The next origin in turn. */
    public Origin next() {
        int n = origins.size();
        return n == 1 ? origins.getFirst() : origins.get(Math.floorMod(turn.getAndIncrement(), n));
    }

    /** Whether Host becomes the origin's own name. */
    public boolean rewriteHost() {
        return rewriteHost;
    }

    public boolean rewriteLocation() {
        return rewriteLocation;
    }

    public boolean rewriteContentLocation() {
        return rewriteContentLocation;
    }

    /** The length of the leading part of the URL that is one of these origins, or -1. */
    int originPart(String url) {
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
