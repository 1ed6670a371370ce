package io.weir.http.semantics;

/**
 * Paths of request targets as seen by rules. A rule that matches a prefix is a boundary only if no dot segment can
 * climb over it: check {@link #hasDotSegments} first, and reject or rewrite.
 */
public final class Paths {

    private Paths() {}

    /**
     * Whether the path is under the prefix: it starts with it, and ends there, or continues with {@code /}, or with the
     * query. {@code /shop} covers {@code /shop}, {@code /shop/a} and {@code /shop?q}, but not {@code /shopping} (the
     * rule of the Sun proxy's map). A final {@code /} in the prefix requires one in the path. Case-sensitive.
     */
    public static boolean isUnder(String prefix, String path) {
        if (!path.startsWith(prefix)) {
            return false;
        }
        if (path.length() == prefix.length() || prefix.endsWith("/")) {
            return true;
        }
        char next = path.charAt(prefix.length());
        return next == '/' || next == '?';
    }

    /** Whether a segment is {@code .} or {@code ..}, its dots plain or percent-encoded. The query is ignored. */
    public static boolean hasDotSegments(String pathAndQuery) {
        int end = pathEnd(pathAndQuery);
        int from = 0;
        while (from <= end) {
            int slash = pathAndQuery.indexOf('/', from);
            int to = slash < 0 || slash > end ? end : slash;
            if (isDots(pathAndQuery, from, to)) {
                return true;
            }
            from = to + 1;
        }
        return false;
    }

    private static int pathEnd(String pathAndQuery) {
        int mark = pathAndQuery.indexOf('?');
        return mark < 0 ? pathAndQuery.length() : mark;
    }

    private static boolean isDots(String path, int from, int to) {
        int dots = 0;
        int at = from;
        while (at < to && dots <= 2) {
            if (path.charAt(at) == '.') {
                at++;
            } else if (path.regionMatches(true, at, "%2e", 0, 3)) {
                at += 3;
            } else {
                return false;
            }
            dots++;
        }
        return at == to && (dots == 1 || dots == 2);
    }

    /**
     * The path without dot segments (RFC 3986 5.2.4), including percent-encoded dots; a path that would climb above the
     * root stays there. The query is kept.
     *
     * @param pathAndQuery starts with {@code /}
     */
    public static String removeDotSegments(String pathAndQuery) {
        if (!hasDotSegments(pathAndQuery)) {
            return pathAndQuery;
        }
        int end = pathEnd(pathAndQuery);
        StringBuilder out = new StringBuilder(pathAndQuery.length());
        int from = 1;
        while (from <= end) {
            int slash = pathAndQuery.indexOf('/', from);
            int to = slash < 0 || slash > end ? end : slash;
            boolean last = to == end;
            if (!isDots(pathAndQuery, from, to)) {
                out.append('/').append(pathAndQuery, from, to);
            } else {
                climb(out, isDoubleDot(pathAndQuery, from, to));
                out.append(last ? "/" : "");
            }
            from = to + 1;
        }
        return out.append(pathAndQuery, end, pathAndQuery.length()).toString();
    }

    private static boolean isDoubleDot(String path, int from, int to) {
        return to - from != 1 && !(to - from == 3 && path.charAt(from) == '%');
    }

    private static void climb(StringBuilder out, boolean parent) {
        if (parent) {
            out.setLength(Math.max(0, out.lastIndexOf("/")));
        }
    }
}
