package io.weir.http;

import org.jspecify.annotations.Nullable;

/**
 * Reads the fields that determine where a message ends and whether the connection persists: Content-Length,
 * Transfer-Encoding, Connection (RFC 9112 6 and 9.3). Anything that two receivers could interpret differently is
 * rejected. Confined to its decoder; holds the result of the last {@link #check}.
 */
final class FramingFields {
    private static final int MAX_DIGITS = 19;
    private static final int CLOSE = 1;
    private static final int KEEP_ALIVE = 2;
    private static final int FRAMING = 4;

    private long length;
    private boolean chunked;
    private boolean keepAlive;

    /** The Content-Length, or -1. */
    long length() {
        return length;
    }

    boolean chunked() {
        return chunked;
    }

    /** Persistence according to version and Connection, regardless of whether the body can be delimited. */
    boolean keepAlive() {
        return keepAlive;
    }

    /** Reads the fields of a head; returns the fault, or null. */
    @Nullable
    Fault check(Fields fields, Version version) {
        length = -1;
        chunked = false;
        keepAlive = version == Version.HTTP_1_1;
        Fault fault = fields.has(FieldName.CONNECTION) ? connection(fields) : null;
        if (fault != null) return fault;
        int lengthAt = fields.indexOf(FieldName.CONTENT_LENGTH, 0);
        int codingAt = fields.indexOf(FieldName.TRANSFER_ENCODING, 0);
        if (codingAt < 0) return lengthAt < 0 ? null : contentLength(fields, lengthAt);
        if (lengthAt >= 0) return Fault.CONTENT_LENGTH_WITH_TRANSFER_ENCODING;
        if (version == Version.HTTP_1_0) return Fault.TRANSFER_ENCODING_IN_HTTP_1_0;
        if (fields.indexOf(FieldName.TRANSFER_ENCODING, codingAt + 1) >= 0) return Fault.TRANSFER_ENCODING_DUPLICATE;
        fault = TransferCoding.check(fields, codingAt);
        chunked = fault == null;
        return fault;
    }

    private @Nullable Fault connection(Fields fields) {
        byte[] bytes = fields.bytes();
        int options = 0;
        for (int i = fields.indexOf(FieldName.CONNECTION, 0); i >= 0; i = fields.indexOf(FieldName.CONNECTION, i + 1)) {
            int to = fields.valueEnd(i);
            for (int from = fields.valueStart(i); from <= to; ) {
                int comma = from;
                while (comma < to && bytes[comma] != ',') comma++;
                int start = Ascii.skipBlanks(bytes, from, comma);
                options |= option(bytes, start, Ascii.trimBlanks(bytes, start, comma));
                from = comma + 1;
            }
        }
        keepAlive = (options & CLOSE) == 0 && (keepAlive || (options & KEEP_ALIVE) != 0);
        return (options & FRAMING) != 0 ? Fault.CONNECTION_NAMES_FRAMING : null;
    }

    // the relevant options differ in length
    private static int option(byte[] bytes, int from, int to) {
        return switch (to - from) {
            case 4 -> Ascii.sameIgnoreCase("host", bytes, from, to) ? FRAMING : 0;
            case 5 -> Ascii.sameIgnoreCase("close", bytes, from, to) ? CLOSE : 0;
            case 10 -> Ascii.sameIgnoreCase("keep-alive", bytes, from, to) ? KEEP_ALIVE : 0;
            case 14 -> Ascii.sameIgnoreCase("content-length", bytes, from, to) ? FRAMING : 0;
            default -> 0;
        };
    }

    private @Nullable Fault contentLength(Fields fields, int at) {
        if (fields.indexOf(FieldName.CONTENT_LENGTH, at + 1) >= 0) return Fault.CONTENT_LENGTH_DUPLICATE;
        byte[] bytes = fields.bytes();
        int from = fields.valueStart(at);
        int to = fields.valueEnd(at);
        if (from == to) return Fault.CONTENT_LENGTH_EMPTY;
        long value = 0;
        for (int i = from; i < to; i++) {
            if (!Ascii.isDigit(bytes[i])) return notDigits(bytes, from, to);
            value = value * 10 + (bytes[i] - '0');
        }
        if ((to - from > 1 && bytes[from] == '0') || tabbed(fields, at)) return Fault.CONTENT_LENGTH_MALFORMED;
        // 19 digits overflow into the sign at most once: 9999999999999999999 is below 2^64
        if (to - from > MAX_DIGITS || value < 0) return Fault.CONTENT_LENGTH_OVERFLOW;
        length = value;
        return null;
    }

    private static Fault notDigits(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) if (bytes[i] == ',') return Fault.CONTENT_LENGTH_LIST;
        return Fault.CONTENT_LENGTH_MALFORMED;
    }

    // some receivers do not treat the tab as white space
    private static boolean tabbed(Fields fields, int at) {
        byte[] bytes = fields.bytes();
        for (int i = fields.nameEnd(at) + 1; i < fields.valueStart(at); i++) if (bytes[i] == '\t') return true;
        int i = fields.valueEnd(at);
        while (bytes[i] == ' ') i++;
        return bytes[i] == '\t';
    }
}
