package io.weir.proxy.program.origin;

import org.jspecify.annotations.Nullable;

/**
 * How URLs in an origin's answer become URLs of this proxy: {@code reverse-map}. Immutable.
 *
 * @param from path prefix at the origin, without a trailing slash
 * @param to path prefix here, without a trailing slash
 * @param location whether Location is mapped
 * @param contentLocation whether Content-Location is mapped
 */
public record ReverseMapping(String from, String to, boolean location, boolean contentLocation) {
    /** The URL as the client must see it, or null if it does not lead to the route's origins. */
    public static @Nullable String rewrite(
            OriginRoute route, @Nullable ReverseMapping mapping, String url, String publicOrigin) {
        int path = url.startsWith("/") && !url.startsWith("//") ? 0 : route.originPart(url);
        if (path < 0) {
            return null;
        }
        String rest = url.substring(path);
        String here = mapping == null ? rest : mapping.mapped(rest);
        if (here == null) {
            return null;
        }
        String rewritten = (path == 0 ? "" : publicOrigin) + here;
        return rewritten.equals(url) ? null : rewritten;
    }

    private @Nullable String mapped(String path) {
        boolean below = path.startsWith(from)
                && (path.length() == from.length() || "/?#".indexOf(path.charAt(from.length())) >= 0);
        return below ? to + path.substring(from.length()) : null;
    }
}
