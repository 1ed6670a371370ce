package io.weir.jms.selector;

/**
 * The pattern of LIKE: {@code _} is any one character, {@code %} any sequence. Matching backtracks to the last {@code
 * %} only, so its time is at most the product of both lengths. Immutable.
 */
final class LikePattern {
    /** Longest pattern, in characters: a bound on the time of a match. */
    static final int MAX_LENGTH = 256;

    private final int[] points;
    /** 0 for a literal character, else '_' or '%'. */
    private final char[] wild;

    private final int length;

    /**
     * @param escape the escape character, -1 for none
     * @throws IllegalArgumentException if the pattern is too long or ends with the escape
     */
    LikePattern(String pattern, int escape) {
        if (pattern.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "the pattern has " + pattern.length() + " characters, the most allowed is " + MAX_LENGTH);
        }
        int[] all = pattern.codePoints().toArray();
        points = new int[all.length];
        wild = new char[all.length];
        int n = 0;
        for (int i = 0; i < all.length; i++) {
            int c = all[i];
            if (c == escape) {
                if (++i == all.length) {
                    throw new IllegalArgumentException("the pattern ends with its escape character");
                }
                c = all[i];
            } else if (c == '_' || c == '%') {
                wild[n] = (char) c;
            }
            points[n++] = c;
        }
        length = n;
    }

    boolean matches(String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int mark = 0;
        while (t < text.length()) {
            int c = text.codePointAt(t);
            if (p < length && wild[p] == '%') {
                star = p++;
                mark = t;
            } else if (p < length && (wild[p] == '_' || (wild[p] == 0 && points[p] == c))) {
                p++;
                t += Character.charCount(c);
            } else if (star >= 0) {
                p = star + 1;
                mark += Character.charCount(text.codePointAt(mark));
                t = mark;
            } else {
                return false;
            }
        }
        while (p < length && wild[p] == '%') {
            p++;
        }
        return p == length;
    }
}
