package io.weir.http.semantics;

/** Non-negative integers as fields carry them: delta-seconds (RFC 9111 1.2.2), lengths and counts. */
public final class DeltaSeconds {

    /** What an overflowing value becomes: 2^31 (RFC 9111 1.2.2). */
    public static final long MAX = 1L << 31;

    /** The text is not 1*DIGIT. */
    public static final long INVALID = -1;

    private DeltaSeconds() {}

    /** Seconds, at most {@link #MAX}; {@link #INVALID} when the text is anything but digits. */
    public static long parse(String text) {
        return parseUpTo(text, 0, text.length(), MAX);
    }

    /**
     * A run of digits, saturating.
     *
     * @param limit the largest value returned; at most {@code Long.MAX_VALUE / 10 - 1} for exactness below it
     * @return 0..limit, or {@link #INVALID} when the range is empty or holds anything but digits
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
