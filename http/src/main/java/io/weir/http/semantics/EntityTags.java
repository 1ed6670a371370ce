package io.weir.http.semantics;

import org.jspecify.annotations.Nullable;

/**
 * Entity tags (RFC 9110 8.8.3), compared in place: a tag is its field value, {@code "x"} or {@code W/"x"}. Strict: a
 * malformed entity-tag matches nothing. Allocates nothing.
 */
public final class EntityTags {

    private EntityTags() {}

    /** True when the whole text is one entity-tag. */
    public static boolean isValid(@Nullable String tag) {
        return tag != null && end(tag, 0) == tag.length();
    }

    /** True for a weak tag: {@code W/} in upper case, as the grammar requires. */
    public static boolean isWeak(String tag) {
        return tag.startsWith("W/");
    }

    /** Strong comparison (8.8.3.2): both valid, neither weak, same characters. */
    public static boolean strongMatch(@Nullable String a, @Nullable String b) {
        return a != null && isValid(a) && !isWeak(a) && a.equals(b);
    }

    /** Weak comparison (8.8.3.2): both valid, same opaque characters. */
    public static boolean weakMatch(@Nullable String a, @Nullable String b) {
        return a != null && b != null && isValid(a) && isValid(b) && sameOpaque(a, 0, a.length(), b);
    }

    /** True for {@code *} alone. */
    public static boolean isAny(String list) {
        return list.length() == 1 && list.charAt(0) == '*';
    }

    /**
     * Whether the list contains a matching tag. A list with any malformed entity-tag matches nothing.
     *
     * @param list value of If-Match or If-None-Match, not {@code *}
     * @param tag the entity tag of the selected representation, or null if it has none
     * @param strong strong comparison, otherwise weak
     */
    public static boolean anyMatch(String list, @Nullable String tag, boolean strong) {
        boolean usable = tag != null && isValid(tag) && !(strong && isWeak(tag));
        boolean found = false;
        int at = skipSeparators(list, 0);
        while (at < list.length()) {
            int end = end(list, at);
            if (end < 0) {
                return false;
            }
            boolean weak = list.charAt(at) == 'W';
            found |= usable && tag != null && !(strong && weak) && sameOpaque(list, at, end, tag);
            at = skipSpace(list, end);
            if (at < list.length() && list.charAt(at) != ',') {
                return false;
            }
            at = skipSeparators(list, at);
        }
        return found;
    }

    private static boolean sameOpaque(String a, int from, int to, String b) {
        int start = a.charAt(from) == 'W' ? from + 2 : from;
        int other = isWeak(b) ? 2 : 0;
        int length = to - start;
        return length == b.length() - other && a.regionMatches(start, b, other, length);
    }

    /** Position after the entity-tag that starts at {@code from}, or -1. */
    private static int end(String s, int from) {
        int at = s.startsWith("W/", from) ? from + 2 : from;
        if (at >= s.length() || s.charAt(at) != '"') {
            return -1;
        }
        for (int i = at + 1; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '"') {
                return i + 1;
            }
            if (c <= ' ' || c == 0x7f) {
                return -1;
            }
        }
        return -1;
    }

    private static int skipSeparators(String s, int from) {
        int at = from;
        while (at < s.length() && (s.charAt(at) == ',' || isSpace(s.charAt(at)))) {
            at++;
        }
        return at;
    }

    private static int skipSpace(String s, int from) {
        int at = from;
        while (at < s.length() && isSpace(s.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
