package io.weir.proxy.program.objconf;

import org.jspecify.annotations.Nullable;

/**
 * Values of expressions: a {@link String}, a {@link Long}, a {@link Boolean}, or null for what is undefined; each can be
 * read as any other. Stateless.
 */
final class Values {
    /** Most characters of a text that is made for a request. */
    static final int MAX_TEXT = 65_536;

    private Values() {}

    /** @throws IllegalStateException if a text would be longer than {@link #MAX_TEXT}: the request fails */
    static void bounded(long length) {
        if (length > MAX_TEXT) {
            throw new IllegalStateException("a text of an expression would be longer than 64 KiB");
        }
    }

    /** One text after the other, within the bound. */
    static String joined(String a, String b) {
        bounded((long) a.length() + b.length());
        return a + b;
    }

    /** Adds to a text, within the bound. */
    static void append(StringBuilder to, String text) {
        bounded((long) to.length() + text.length());
        to.append(text);
    }

    /** A boolean is 1 or 0; what is undefined is empty. */
    static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case Boolean b -> b ? "1" : "0";
            default -> value.toString();
        };
    }

    /** False are: what is undefined, the empty text, the text 0, and the number 0. */
    static boolean truth(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Boolean b -> b;
            case Long n -> n != 0;
            default -> {
                String text = value.toString();
                yield !text.isEmpty() && !text.equals("0");
            }
        };
    }

    /** The number that a text begins with, after blanks; 0 if there is none. Saturates. */
    static long number(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case Boolean b -> b ? 1 : 0;
            case Long n -> n;
            default -> number(value.toString());
        };
    }

    private static long number(String text) {
        int at = 0;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        boolean negative = at < text.length() && text.charAt(at) == '-';
        if (negative || (at < text.length() && text.charAt(at) == '+')) {
            at++;
        }
        long n = 0;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            int digit = text.charAt(at) - '0';
            n = n > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : n * 10 + digit;
            at++;
        }
        return negative ? -n : n;
    }
}
