package io.weir.http.semantics;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An absolute URI without fragment, split and normalised as requests are before any processing: scheme and host in
 * lower case, trailing dots of the name and the scheme's default port removed, an empty path replaced by {@code /}, the
 * path in the form of {@link NormalPath}; the query is kept as received. Origins get the same bytes, so they cannot
 * distinguish two requests that are equal here (RFC 9110 4.2.3). Two targets are the same resource for the cache
 * exactly if they are equal. Immutable.
 *
 * @param scheme lower case
 * @param authority without the scheme's default port
 * @param pathAndQuery starts with {@code /}, or is {@code *}
 */
public record UriTarget(String scheme, HostPort authority, String pathAndQuery) {

    /** The target of an absolute URI (RFC 9112 3.2.2), or null if it is malformed or has a fragment. */
    public static @Nullable UriTarget parse(String uri) {
        int colon = schemeEnd(uri);
        if (colon < 1 || !uri.startsWith("//", colon + 1)) {
            return null;
        }
        int start = colon + 3;
        int end = start;
        while (end < uri.length() && uri.charAt(end) != '/' && uri.charAt(end) != '?') {
            end++;
        }
        String rest = uri.substring(end);
        String path = rest.startsWith("/") ? rest : "/" + rest;
        return of(uri.substring(0, colon), uri.substring(start, end), path);
    }

    /**
     * The target of a request in origin form (RFC 9112 3.3).
     *
     * @param scheme of the connection: http or https
     * @param host value of Host
     * @param path origin form, or {@code *}
     * @return null if one of them is malformed
     */
    public static @Nullable UriTarget of(String scheme, String host, String path) {
        HostPort authority = HostPort.parse(host);
        if (authority == null || !isPath(path)) {
            return null;
        }
        String lower = scheme.toLowerCase(Locale.ROOT);
        return new UriTarget(lower, authority.without(defaultPort(lower)), normal(path));
    }

    private static String normal(String pathAndQuery) {
        int mark = pathAndQuery.indexOf('?');
        return mark < 0
                ? NormalPath.of(pathAndQuery)
                : NormalPath.of(pathAndQuery.substring(0, mark)) + pathAndQuery.substring(mark);
    }

    /** Index of the colon after a scheme, or -1. */
    private static int schemeEnd(String uri) {
        for (int i = 0; i < uri.length(); i++) {
            char c = uri.charAt(i);
            if (c == ':') {
                return i;
            }
            boolean alpha = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!alpha && (i == 0 || !((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
                return -1;
            }
        }
        return -1;
    }

    /** Visible ASCII without a number sign; its interpretation is left to the origin. */
    private static boolean isPath(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#') {
                return false;
            }
        }
        return path.startsWith("/") || path.equals("*");
    }

    /** The default port of a scheme, or {@link Authority#NO_PORT}. */
    public static int defaultPort(String scheme) {
        return switch (scheme) {
            case "http", "ws" -> 80;
            case "https", "wss" -> 443;
            case "ftp" -> 21;
            default -> HostPort.NO_PORT;
        };
    }

    public String host() {
        return authority.host();
    }

    /** The port to connect to, or {@link Authority#NO_PORT} for a scheme without one. */
    public int port() {
        return authority.portOr(defaultPort(scheme));
    }

    /** The path without the query. */
    public String path() {
        int mark = pathAndQuery.indexOf('?');
        return mark < 0 ? pathAndQuery : pathAndQuery.substring(0, mark);
    }

    /** The query without its question mark, or null if there is none; empty and absent differ. */
    public @Nullable String query() {
        int mark = pathAndQuery.indexOf('?');
        return mark < 0 ? null : pathAndQuery.substring(mark + 1);
    }

    /** The whole URI in normal form: the primary cache key, without the method (RFC 9111 2). */
    public String cacheKey() {
        return scheme + "://" + authority.text() + pathAndQuery;
    }

    /** Same scheme, host and port (RFC 9110 4.3.1). */
    public boolean sameOrigin(UriTarget other) {
        return scheme.equals(other.scheme) && authority.equals(other.authority);
    }

    /**
     * Resolves a reference in a field of this target's response (RFC 3986 5.2), such as Location; null if it is
     * malformed or not of a hierarchical scheme. The fragment is dropped; dot segments are removed, as that section
     * specifies.
     */
    public @Nullable UriTarget resolve(String reference) {
        int hash = reference.indexOf('#');
        String ref = hash < 0 ? reference : reference.substring(0, hash);
        if (schemeEnd(ref) > 0) {
            return parse(ref);
        }
        if (ref.startsWith("//")) {
            return parse(scheme + ":" + ref);
        }
        String joined = join(ref);
        return isPath(joined) ? new UriTarget(scheme, authority, normal(joined)) : null;
    }

    private String join(String ref) {
        if (ref.isEmpty()) {
            return pathAndQuery;
        }
        if (ref.startsWith("?")) {
            return path() + ref;
        }
        int mark = ref.indexOf('?');
        String refPath = mark < 0 ? ref : ref.substring(0, mark);
        String query = mark < 0 ? "" : ref.substring(mark);
        String base = path();
        String folder = base.startsWith("/") ? base.substring(0, base.lastIndexOf('/') + 1) : "/";
        String merged = refPath.startsWith("/") ? refPath : folder + refPath;
        return Paths.removeDotSegments(merged) + query;
    }
}
