package io.weir.jms.selector;

/** Parses the numbers of selectors, in the syntax of Java's literals; exact ones have the range of long. Immutable. */
final class Numbers {
    private Numbers() {}

    /**
     * An exact literal: decimal, hexadecimal, octal or binary, with an L or without.
     *
     * @param negative whether a minus precedes it, which {@code 9223372036854775808} requires
     */
    static long exact(Token token, boolean negative) throws SelectorFault {
        String digits = token.text();
        if (digits.endsWith("L") || digits.endsWith("l")) {
            digits = digits.substring(0, digits.length() - 1);
        }
        int radix = 10;
        if (digits.startsWith("0x") || digits.startsWith("0X")) {
            radix = 16;
        } else if (digits.startsWith("0b") || digits.startsWith("0B")) {
            radix = 2;
        } else if (digits.length() > 1 && digits.startsWith("0")) {
            radix = 8;
        }
        digits = withoutUnderscores(
                digits.substring(radix == 16 || radix == 2 ? 2 : radix == 8 ? 1 : 0), radix == 8, token);
        try {
            long value = radix == 10
                    ? Long.parseLong(negative ? "-" + digits : digits)
                    : Long.parseUnsignedLong(digits, radix);
            return radix == 10 || !negative ? value : -value;
        } catch (NumberFormatException e) {
            throw noNumber(token, "no whole number, or outside the range of a long");
        }
    }

    /** An approximate literal, with an exponent, a point or a suffix. */
    static double approximate(Token token) throws SelectorFault {
        String digits = withoutUnderscores(token.text(), false, token);
        boolean single = !digits.startsWith("0x") && (digits.endsWith("f") || digits.endsWith("F"));
        double value;
        try {
            value = single ? Float.parseFloat(digits) : Double.parseDouble(digits);
        } catch (NumberFormatException e) {
            throw noNumber(token, "no number");
        }
        if (Double.isInfinite(value)) {
            throw noNumber(token, "outside the range of a " + (single ? "float" : "double"));
        }
        return value;
    }

    /**
     * Underscores are allowed between digits only; in an octal number one can follow the leading 0, which was removed.
     */
    private static String withoutUnderscores(String digits, boolean leading, Token token) throws SelectorFault {
        if (digits.indexOf('_') < 0) {
            return digits;
        }
        for (int i = 0; i < digits.length(); i++) {
            if (digits.charAt(i) == '_') {
                boolean before = i == 0 ? leading : between(digits.charAt(i - 1));
                if (!before || i + 1 == digits.length() || !between(digits.charAt(i + 1))) {
                    throw noNumber(token, "no number: an underscore stands between digits only");
                }
            }
        }
        return digits.replace("_", "");
    }

    private static boolean between(char c) {
        return c == '_' || Character.digit(c, 16) >= 0;
    }

    private static SelectorFault noNumber(Token token, String why) {
        return new SelectorFault(
                "at character " + token.position() + ": " + token.described() + " is " + why, token.position());
    }
}
