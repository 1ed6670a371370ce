package io.weir.http.semantics;

/** Non-negative integers in fields: delta-seconds (RFC 9111 1.2.2), lengths and counts. */
public final class DeltaSeconds {

    /** The value that replaces an overflowing one: 2^31 (RFC 9111 1.2.2). */
    public static final long MAX = 1L << 31;

    /** The text is not 1*DIGIT. */
    public static final long INVALID = -1;

    private DeltaSeconds() {}

    /** Seconds, at most {@link #MAX}; {@link #INVALID} if the text is anything but digits. */
    public static long parse(String text) {
        return parseUpTo(text, 0, text.length(), MAX);
    }

    /**
     * Parses a run of digits, saturating.
     *
     * @param limit the largest value returned; at most {@code Long.MAX_VALUE / 10 - 1} for exactness below it
     * @return 0..limit, or {@link #INVALID} if the range is empty or contains anything but digits
     */
    public static long parseUpTo(String text, int from, int to, long limit) {
        if (from >= to) {
            return INVALID;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return INVALID;
            }
            value = value > (limit - digit) / 10 ? limit : value * 10 + digit;
        }
        return value;
    }
}
