package io.weir.http.semantics;

import org.jspecify.annotations.Nullable;

/**
 * A server's keep-alive limits: Keep-Alive with its parameters timeout and max (RFC 2068 section 19.7.1.1). Immutable.
 *
 * @param seconds after which it closes an idle connection; {@link #UNSAID} if not specified
 * @param requests that it still accepts; {@link #UNSAID} if not specified
 */
public record KeepAliveOffer(long seconds, long requests) {
    public static final long UNSAID = -1;

    private static final KeepAliveOffer NOTHING = new KeepAliveOffer(UNSAID, UNSAID);

    /**
     * Parses the field; malformed values are ignored, and of several values the lowest is used.
     *
     * @param value all lines of the field, or null
     */
    public static KeepAliveOffer parse(@Nullable String value) {
        if (value == null) {
            return NOTHING;
        }
        long seconds = UNSAID;
        long requests = UNSAID;
        int from = 0;
        while (from <= value.length()) {
            int comma = value.indexOf(',', from);
            int to = comma < 0 ? value.length() : comma;
            seconds = least(seconds, number(value, from, to, "timeout"));
            requests = least(requests, number(value, from, to, "max"));
            from = to + 1;
        }
        return new KeepAliveOffer(seconds, requests);
    }

    private static long least(long known, long value) {
        return known == UNSAID ? value : value == UNSAID ? known : Math.min(known, value);
    }

    /**
     * The number of one parameter in {@code [from, to)}; {@link #UNSAID} if it is another parameter or not a number.
     */
    private static long number(String value, int from, int to, String name) {
        String part = value.substring(from, to).strip();
        int equals = part.indexOf('=');
        if (equals < 0 || !part.substring(0, equals).strip().equalsIgnoreCase(name)) {
            return UNSAID;
        }
        String text = part.substring(equals + 1).strip();
        boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        String digits = quoted ? text.substring(1, text.length() - 1) : text;
        long number = DeltaSeconds.parseUpTo(digits, 0, digits.length(), Integer.MAX_VALUE);
        return number == DeltaSeconds.INVALID ? UNSAID : number;
    }
}
