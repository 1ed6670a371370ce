package io.weir.proxy.cache.store;

import io.netty.buffer.ByteBuf;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Version;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
    private static final List<FieldName> CONDITIONS = List.of(FieldName.ETAG, FieldName.DATE, FieldName.LAST_MODIFIED);

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

    /** Those that decide on the conditions of a request: all lines as text cost a quarter of a 304. */
    public Fields conditionFields(ByteBuf head) {
        Fields fields = new Fields();
        for (int at = fieldsStart; at < length; ) {
            int colon = head.indexOf(at, length, (byte) ':');
            int end = head.indexOf(colon, length, (byte) '\r');
            FieldName name = condition(head, at, colon - at);
            if (name != null) {
                fields.add(name, text(head, colon + 2, end));
            }
            at = end + 2;
        }
        return fields;
    }

    private static @Nullable FieldName condition(ByteBuf head, int at, int length) {
        for (FieldName name : CONDITIONS) {
            if (isNamed(head, at, length, name)) {
                return name;
            }
        }
        return null;
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
