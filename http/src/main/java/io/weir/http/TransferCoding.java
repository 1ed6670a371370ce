package io.weir.http;

import org.jspecify.annotations.Nullable;

/**
 * Checks a Transfer-Encoding field (RFC 9112 6.1, 7). Only {@code chunked} alone is accepted, after at most one space,
 * in lower case, upper case or capitalised; everything else is rejected with the matching reason. Stateless and shared.
 */
final class TransferCoding {
    private static final byte[] LOWER = Ascii.bytes("chunked");
    private static final byte[] CAPITALISED = Ascii.bytes("Chunked");
    private static final byte[] UPPER = Ascii.bytes("CHUNKED");

    private TransferCoding() {}

    static @Nullable Fault check(Fields fields, int at) {
        byte[] bytes = fields.bytes();
        int from = fields.valueStart(at);
        int to = fields.valueEnd(at);
        int blanks = from - fields.nameEnd(at) - 1;
        boolean plain = bytes[to] == '\r' && (blanks == 0 || (blanks == 1 && bytes[from - 1] == ' '));
        if (plain && to - from == LOWER.length && wellCased(bytes, from)) return null;
        return reason(bytes, from, to);
    }

    private static boolean wellCased(byte[] bytes, int from) {
        return Ascii.same(LOWER, bytes, from) || Ascii.same(CAPITALISED, bytes, from) || Ascii.same(UPPER, bytes, from);
    }

    private static Fault reason(byte[] bytes, int from, int to) {
        int codings = 0;
        int chunked = 0;
        boolean identity = false;
        boolean last = false;
        for (int start = from; start <= to; ) {
            int comma = start;
            while (comma < to && bytes[comma] != ',') comma++;
            int first = Ascii.skipBlanks(bytes, start, comma);
            int end = Ascii.trimBlanks(bytes, first, comma);
            if (first == end || Ascii.tokenEnd(bytes, first, end) != end) return Fault.TRANSFER_ENCODING_MALFORMED;
            last = Ascii.sameIgnoreCase("chunked", bytes, first, end);
            if (last) chunked++;
            identity |= Ascii.sameIgnoreCase("identity", bytes, first, end);
            codings++;
            start = comma + 1;
        }
        if (identity) return Fault.TRANSFER_ENCODING_IDENTITY;
        if (chunked > 1) return Fault.TRANSFER_ENCODING_REPEATED;
        if (!last) return Fault.TRANSFER_ENCODING_NOT_LAST;
        return codings > 1 ? Fault.TRANSFER_ENCODING_UNKNOWN : Fault.TRANSFER_ENCODING_MALFORMED;
    }
}
