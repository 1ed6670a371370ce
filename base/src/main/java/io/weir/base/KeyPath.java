package io.weir.base;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys of a configuration in one text: names with dots between them, such as {@code kernel.keep-alive.timeout}. A name
 * that has a dot itself stands in double quotes: {@code messaging.queues."orders.in".quota}. Stateless.
 */
public final class KeyPath {
    private static final char QUOTE = '"';

    private KeyPath() {}

    /** The names of a key, without quotes. A quote that does not begin a whole name is a character like any other. */
    public static List<String> names(String key) {
        List<String> names = new ArrayList<>();
        for (int from = 0; from >= 0; ) {
            int end = end(key, from);
            names.add(unquoted(key.substring(from, end)));
            from = end < key.length() ? end + 1 : -1;
        }
        return names;
    }

    /** A key with one more name; the name alone below the empty key. */
    public static String join(String above, String name) {
        String written = name.indexOf('.') < 0 ? name : QUOTE + name + QUOTE;
        return above.isEmpty() ? written : above + "." + written;
    }

    /** A key without its last name; null if it has only one. */
    public static @Nullable String above(String key) {
        List<String> all = allAbove(key);
        return all.isEmpty() ? null : all.get(all.size() - 1);
    }

    /** The keys above a key, the shortest first. */
    public static List<String> allAbove(String key) {
        List<String> above = new ArrayList<>();
        for (int end = end(key, 0); end < key.length(); end = end(key, end + 1)) {
            above.add(key.substring(0, end));
        }
        return above;
    }

    /**
     * Whether a key has the names of a pattern, in which {@code *} is any name. Allocates nothing: a start looks for
     * each key among all that are known.
     */
    public static boolean matches(String pattern, String key) {
        int p = 0;
        int k = 0;
        while (true) {
            int pEnd = end(pattern, p);
            int kEnd = end(key, k);
            if (!isAny(pattern, p, pEnd) && !same(pattern, p, pEnd, key, k, kEnd)) {
                return false;
            }
            if (pEnd == pattern.length() || kEnd == key.length()) {
                return pEnd == pattern.length() && kEnd == key.length();
            }
            p = pEnd + 1;
            k = kEnd + 1;
        }
    }

    private static boolean isAny(String pattern, int from, int to) {
        return to - from == 1 && pattern.charAt(from) == '*';
    }

    private static boolean same(String pattern, int p, int pEnd, String key, int k, int kEnd) {
        boolean quoted = kEnd - k > 1 && key.charAt(k) == QUOTE && key.charAt(kEnd - 1) == QUOTE;
        int from = quoted ? k + 1 : k;
        int length = quoted ? kEnd - k - 2 : kEnd - k;
        return pEnd - p == length && pattern.regionMatches(p, key, from, length);
    }

    /** Where the name that begins at {@code from} ends: at a dot, or at the end. */
    private static int end(String key, int from) {
        if (from < key.length() && key.charAt(from) == QUOTE) {
            int close = key.indexOf(QUOTE, from + 1);
            boolean whole = close > 0 && (close + 1 == key.length() || key.charAt(close + 1) == '.');
            if (whole) {
                return close + 1;
            }
        }
        int dot = key.indexOf('.', from);
        return dot < 0 ? key.length() : dot;
    }

    private static String unquoted(String name) {
        boolean quoted = name.length() > 1 && name.charAt(0) == QUOTE && name.charAt(name.length() - 1) == QUOTE;
        return quoted ? name.substring(1, name.length() - 1) : name;
    }
}
