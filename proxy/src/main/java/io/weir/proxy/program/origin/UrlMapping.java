package io.weir.proxy.program.origin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How URLs of an origin become URLs that clients use: a {@code reverse-map} between URLs. Immutable.
 *
 * @param from prefix of URLs of the origin, with scheme and host
 * @param to what stands in its place: a URL, or a path at the host that the client requested
 * @param location whether Location is mapped
 * @param contentLocation whether Content-Location is mapped
 * @param fields further fields that are mapped
 */
public record UrlMapping(String from, String to, boolean location, boolean contentLocation, List<String> fields) {
    /** Slashes at the end of both are left out. */
    public UrlMapping {
        if (from.endsWith("/") && to.endsWith("/")) {
            from = from.substring(0, from.length() - 1);
            to = to.substring(0, to.length() - 1);
        }
        fields = List.copyOf(fields);
    }

    /** The URL as the client must see it, or null if this mapping does not cover it. */
    @Nullable
    public String mapped(String url, String publicOrigin) {
        int path = from.indexOf('/', from.indexOf("://") + 3);
        int origin = path < 0 ? from.length() : path;
        boolean covers = url.regionMatches(true, 0, from, 0, origin)
                && url.startsWith(from.substring(origin), origin)
                && (from.endsWith("/")
                        || url.length() == from.length()
                        || "/?#".indexOf(url.charAt(from.length())) >= 0);
        if (!covers) {
            return null;
        }
        return (to.startsWith("/") || to.isEmpty() ? publicOrigin : "") + to + url.substring(from.length());
    }
}
