package io.weir.base;

import java.util.Locale;

/** A configured number of bytes: {@code 4096}, {@code 64KiB}, {@code 256MiB}, {@code 1GiB}, {@code 2TiB}. Immutable. */
public record ByteSize(long bytes) {
    private static final String[] UNITS = {"TiB", "GiB", "MiB", "KiB"};

    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size must not be negative: " + bytes);
        }
    }

    /**
     * Parses a size: digits and an optional unit B, KiB, MiB, GiB, TiB (k, m, g, t are accepted as synonyms). KB, MB, GB
     * and TB are refused: some read them as powers of ten, others as powers of two.
     *
     * @throws IllegalArgumentException with the expected form
     */
    public static ByteSize parse(String text) {
        String t = text.trim();
        int digits = 0;
        while (digits < t.length() && Character.isDigit(t.charAt(digits))) {
            digits++;
        }
        if (digits == 0 || digits > 18) {
            throw new IllegalArgumentException("expected a size such as 4096, 64KiB, 256MiB or 1GiB");
        }
        long number = Long.parseLong(t, 0, digits, 10);
        long factor = switch (t.substring(digits).trim().toLowerCase(Locale.ROOT)) {
            case "", "b" -> 1L;
            case "k", "kib" -> 1L << 10;
            case "m", "mib" -> 1L << 20;
            case "g", "gib" -> 1L << 30;
            case "t", "tib" -> 1L << 40;
            case "kb", "mb", "gb", "tb" -> throw new IllegalArgumentException(ambiguous(t, digits));
            default -> throw new IllegalArgumentException("expected a size such as 4096, 64KiB, 256MiB or 1GiB");
        };
        try {
            return new ByteSize(Math.multiplyExact(number, factor));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the size is too large", e);
        }
    }

    private static String ambiguous(String text, int digits) {
        String unit = text.substring(digits).trim().toUpperCase(Locale.ROOT);
        char letter = unit.charAt(0) == 'K' ? 'k' : unit.charAt(0);
        return unit + " is a power of ten for some and of two for others: write "
                + text.substring(0, digits) + unit.charAt(0) + "iB (units of 1024), or the number of bytes for "
                + text.substring(0, digits) + " " + letter + "B (units of 1000)";
    }

    /** The size as an int, for buffers: saturates at {@link Integer#MAX_VALUE}. */
    public int asInt() {
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    @Override
    public String toString() {
        for (int i = 0; i < UNITS.length; i++) {
            long unit = 1L << (10 * (UNITS.length - i));
            if (bytes >= unit && bytes % unit == 0) {
                return bytes / unit + UNITS[i];
            }
        }
        return Long.toString(bytes);
    }
}
