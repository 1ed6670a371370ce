package io.weir.proxy.cache.store;

import io.netty.buffer.ByteBuf;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Version;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Layout of a stored head at the start of its block: status line, fields that a 304 repeats, then those that it does
 * not. Fields are parsed in place, so that nothing is stored twice. Immutable.
 *
 * @param fieldsStart position after the status line
 * @param notModifiedEnd position after the last field that belongs in a 304
 * @param length position after the last field
 * @param received HTTP version of the response
 */
public record StoredHead(int status, int fieldsStart, int notModifiedEnd, int length, Version received) {
    /** All lines as fields; every line is {@code Name: value CRLF} and a value contains no line break. */
    public Fields fields(ByteBuf head) {
        Fields fields = new Fields();
        for (int at = fieldsStart; at < length; ) {
            int colon = head.indexOf(at, length, (byte) ':');
            int end = head.indexOf(colon, length, (byte) '\r');
            fields.add(text(head, at, colon), text(head, colon + 2, end));
            at = end + 2;
        }
        return fields;
    }

    /** As {@link Fields#combined(FieldName)} would have it, without the other fields as text. */
    public @Nullable String combined(ByteBuf head, FieldName name) {
        String found = null;
        for (int at = fieldsStart; at < length; ) {
            int colon = head.indexOf(at, length, (byte) ':');
            int end = head.indexOf(colon, length, (byte) '\r');
            if (isNamed(head, at, colon - at, name)) {
                String value = text(head, colon + 2, end);
                found = found == null ? value : found + ", " + value;
            }
            at = end + 2;
        }
        return found;
    }

    /** Whether these bytes are the name of a field, in whatever case. */
    public static boolean isNamed(ByteBuf head, int at, int length, FieldName name) {
        String lower = name.lower();
        if (lower.length() != length) {
            return false;
        }
        for (int i = 0; i < lower.length(); i++) {
            int b = head.getByte(at + i);
            if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != lower.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static String text(ByteBuf head, int from, int to) {
        return head.toString(from, to - from, StandardCharsets.ISO_8859_1);
    }
}
