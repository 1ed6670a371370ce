package io.weir.proxy.program.origin;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How the URLs in an origin's answer become URLs that the client uses, as the functions of a request decided: mappings
 * between URLs first, then the rewriting of its route. Confined to the request's loop.
 */
public final class AnswerUrls {
    private final List<UrlMapping> mappings = new ArrayList<>(0);
    private @Nullable ReverseMapping reverse;

    /** Forgets all mappings. */
    public void clear() {
        mappings.clear();
        reverse = null;
    }

    /** Sets the mapping of paths, unless one is set. */
    public void add(ReverseMapping mapping) {
        reverse = reverse == null ? mapping : reverse;
    }

    /** Adds a mapping of URLs; the first that covers a URL maps it. */
    public void add(UrlMapping mapping) {
        mappings.add(mapping);
    }

    /** Further fields of answers whose URLs are mapped. */
    public List<String> fields(@Nullable OriginRoute route) {
        List<String> own = route == null ? List.of() : route.rewriteFields();
        if (mappings.isEmpty()) {
            return own;
        }
        List<String> all = new ArrayList<>(own);
        mappings.forEach(m -> all.addAll(m.fields()));
        return all;
    }

    /** A Location as the client must see it, or null if it is unchanged. */
    public @Nullable String location(@Nullable OriginRoute route, String value, String publicOrigin) {
        String byUrl = mapped(value, publicOrigin, UrlMapping::location);
        if (byUrl != null) {
            return byUrl;
        }
        ReverseMapping m = reverse;
        boolean off = route == null || !route.rewriteLocation() || (m != null && !m.location());
        return off || route == null ? null : ReverseMapping.rewrite(route, m, value, publicOrigin);
    }

    /** As {@link #location}, for Content-Location. */
    public @Nullable String contentLocation(@Nullable OriginRoute route, String value, String publicOrigin) {
        String byUrl = mapped(value, publicOrigin, UrlMapping::contentLocation);
        if (byUrl != null) {
            return byUrl;
        }
        ReverseMapping m = reverse;
        boolean off = route == null || !route.rewriteContentLocation() || (m != null && !m.contentLocation());
        return off || route == null ? null : ReverseMapping.rewrite(route, m, value, publicOrigin);
    }

    /** As {@link #location}, for one of {@link #fields}. */
    public @Nullable String field(@Nullable OriginRoute route, String name, String value, String publicOrigin) {
        String byUrl = mapped(value, publicOrigin, m -> m.fields().contains(name));
        if (byUrl != null) {
            return byUrl;
        }
        return route == null || !route.rewriteFields().contains(name)
                ? null
                : ReverseMapping.rewrite(route, reverse, value, publicOrigin);
    }

    private @Nullable String mapped(String url, String publicOrigin, Predicate<UrlMapping> which) {
        for (UrlMapping mapping : mappings) {
            String found = which.test(mapping) ? mapping.mapped(url, publicOrigin) : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
