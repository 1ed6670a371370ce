package io.weir.http.structured;

import java.nio.charset.StandardCharsets;

/** A value without parameters (RFC 9651 3.3). Immutable; constructors reject values that a field cannot represent. */
public sealed interface BareItem {

    /** Largest integer, 15 digits (3.3.1). */
    long MAX_INTEGER = 999_999_999_999_999L;

    /** Integer (3.3.1). */
    record Int(long value) implements BareItem {
        public Int {
            require(value >= -MAX_INTEGER && value <= MAX_INTEGER, "integer out of range");
        }
    }

    /** Decimal (3.3.2), in thousandths, so that it is exact. */
    record Decimal(long thousandths) implements BareItem {
        public Decimal {
            require(thousandths >= -MAX_INTEGER && thousandths <= MAX_INTEGER, "decimal out of range");
        }
    }

    /** String of visible ASCII and spaces (3.3.3). */
    record Text(String value) implements BareItem {
        public Text {
            require(value.chars().allMatch(c -> c >= 0x20 && c < 0x7f), "string is not visible ASCII");
        }
    }

    /** Token (3.3.4). */
    record Token(String value) implements BareItem {
        public Token {
            require(isToken(value), "not a token");
        }

        /** Whether the text is a valid token of a structured field. */
        public static boolean isToken(String value) {
            if (value.isEmpty() || !(Chars.isAlpha(value.charAt(0)) || value.charAt(0) == '*')) {
                return false;
            }
            return value.chars().allMatch(c -> Chars.isTokenChar((char) c));
        }
    }

    /** Byte sequence (3.3.5), held as ISO-8859-1 so that equal bytes are equal values. */
    record Bytes(String latin1) implements BareItem {
        public Bytes {
            require(latin1.chars().allMatch(c -> c < 256), "not bytes");
        }

        public static Bytes of(byte[] bytes) {
            return new Bytes(new String(bytes, StandardCharsets.ISO_8859_1));
        }

        /** A copy of the bytes. */
        public byte[] toArray() {
            return latin1.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    /** Boolean (3.3.6). */
    record Bool(boolean value) implements BareItem {
        public static final Bool TRUE = new Bool(true);
        public static final Bool FALSE = new Bool(false);
    }

    /** Date in epoch seconds (3.3.7). */
    record Date(long epochSeconds) implements BareItem {
        public Date {
            require(epochSeconds >= -MAX_INTEGER && epochSeconds <= MAX_INTEGER, "date out of range");
        }
    }

    /** Display string: any Unicode text (3.3.8). */
    record Display(String value) implements BareItem {
        public Display {
            require(StandardCharsets.UTF_8.newEncoder().canEncode(value), "not Unicode text");
        }
    }

    private static void require(boolean valid, String message) {
        if (!valid) {
            throw new IllegalArgumentException(message);
        }
    }
}
