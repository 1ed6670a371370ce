package io.weir.base;

import java.time.Duration;
import java.util.Locale;

/**
 * The text form of durations in configuration and commands: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h},
 * {@code 2d}.
 */
public final class Durations {
    private static final String EXPECTED = "expected a duration such as 500ms, 30s, 5m, 1h or 2d";

    private Durations() {}

    /**
     * Parses a duration; a bare number means seconds, as in the Sun proxy's directives.
     *
     * @throws IllegalArgumentException with the expected form
     */
    public static Duration parse(String text) {
        String t = text.trim().toLowerCase(Locale.ROOT);
        int digits = 0;
        while (digits < t.length() && Character.isDigit(t.charAt(digits))) {
            digits++;
        }
        if (digits == 0 || digits > 15) {
            throw new IllegalArgumentException(EXPECTED);
        }
        long n = Long.parseLong(t, 0, digits, 10);
        try {
            return switch (t.substring(digits).trim()) {
                case "us" -> Duration.ofNanos(Math.multiplyExact(n, 1000));
                case "ms" -> Duration.ofMillis(n);
                case "", "s" -> Duration.ofSeconds(n);
                case "m" -> Duration.ofMinutes(n);
                case "h" -> Duration.ofHours(n);
                case "d" -> Duration.ofDays(n);
                default -> throw new IllegalArgumentException(EXPECTED);
            };
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the duration is too long", e);
        }
    }

    /** The form for messages: {@code 250 ms}, {@code 9.5 s}, {@code 300 s}. */
    public static String spoken(Duration d) {
        long millis = d.toMillis();
        if (millis < 1000) {
            return millis == 0 && !d.isZero() ? d.toNanos() / 1000 + " us" : millis + " ms";
        }
        long tenths = millis < 60_000 ? millis / 100 : millis / 1000 * 10;
        return tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10) + " s";
    }

    /** The shortest text that {@link #parse} converts back to the same duration. */
    public static String format(Duration d) {
        long nanos = d.toNanosPart();
        if (nanos % 1_000_000 != 0) {
            return d.toNanos() / 1000 + "us";
        }
        if (nanos != 0) {
            return d.toMillis() + "ms";
        }
        long s = d.toSeconds();
        if (s == 0) {
            return "0s";
        }
        if (s % 86_400 == 0) {
            return s / 86_400 + "d";
        }
        if (s % 3600 == 0) {
            return s / 3600 + "h";
        }
        return s % 60 == 0 ? s / 60 + "m" : s + "s";
    }
}
