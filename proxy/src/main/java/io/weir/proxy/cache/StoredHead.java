package io.weir.proxy.cache;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How a stored head lies at the start of its block: status line, fields that a 304 repeats, then those that it does not.
 * Reads fields where they are, so that nothing is kept twice. Immutable.
 *
 * @param fieldsStart position after the status line
 * @param notModifiedEnd position after the last field that belongs in a 304
 * @param length position after the last field
 */
record StoredHead(int status, int fieldsStart, int notModifiedEnd, int length) {

    /** Visits the lines of a head. */
    @FunctionalInterface
    interface Lines {
        /** One line: the name is bytes {@code [start, nameEnd)}, the value {@code [nameEnd + 2, end)}. False stops. */
        boolean line(int start, int nameEnd, int end);
    }

    /** All lines in order; every line is {@code Name: value CRLF} and a value holds no line break. */
    void forEach(ByteBuf head, Lines lines) {
        int at = fieldsStart;
        while (at < length) {
            int colon = head.indexOf(at, length, (byte) ':');
            int end = head.indexOf(colon, length, (byte) '\r');
            if (!lines.line(at, colon, end)) {
                return;
            }
            at = end + 2;
        }
    }

    boolean has(ByteBuf head, String lowerCaseName) {
        boolean[] found = new boolean[1];
        forEach(head, (start, nameEnd, end) -> {
            found[0] = named(head, start, nameEnd, lowerCaseName);
            return !found[0];
        });
        return found[0];
    }

    @Nullable String combined(ByteBuf head, String lowerCaseName) {
        StringBuilder joined = new StringBuilder();
        boolean[] found = new boolean[1];
        forEach(head, (start, nameEnd, end) -> {
            if (named(head, start, nameEnd, lowerCaseName)) {
                joined.append(found[0] ? ", " : "").append(value(head, nameEnd, end));
                found[0] = true;
            }
            return true;
        });
        return found[0] ? joined.toString() : null;
    }

    static String value(ByteBuf head, int nameEnd, int end) {
        return head.toString(nameEnd + 2, end - nameEnd - 2, StandardCharsets.ISO_8859_1);
    }

    static String lowerName(ByteBuf head, int start, int nameEnd) {
        return lower(head.toString(start, nameEnd - start, StandardCharsets.ISO_8859_1));
    }

    private static String lower(String name) {
        return name.toLowerCase(java.util.Locale.ROOT);
    }

    private static boolean named(ByteBuf head, int start, int nameEnd, String lowerCaseName) {
        if (nameEnd - start != lowerCaseName.length()) {
            return false;
        }
        for (int i = start; i < nameEnd; i++) {
            byte b = head.getByte(i);
            int low = b >= 'A' && b <= 'Z' ? b + 32 : b;
            if (low != lowerCaseName.charAt(i - start)) {
                return false;
            }
        }
        return true;
    }
}
