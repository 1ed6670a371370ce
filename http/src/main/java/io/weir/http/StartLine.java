package io.weir.http;

import org.jspecify.annotations.Nullable;

/** The common part of request line and status line: the version. Stateless and shared. */
final class StartLine {
    static final int VERSION_LENGTH = 8;
    private static final byte[] HTTP_1_1 = Ascii.bytes("HTTP/1.1");
    private static final byte[] HTTP_1_0 = Ascii.bytes("HTTP/1.0");
    private static final byte[] HTTP = Ascii.bytes("HTTP/");

    private StartLine() {}

    /** The version spelled exactly by {@code [from, to)}, or null. */
    static @Nullable Version version(byte[] bytes, int from, int to) {
        if (to - from != VERSION_LENGTH) return null;
        if (Ascii.same(HTTP_1_1, bytes, from)) return Version.HTTP_1_1;
        return Ascii.same(HTTP_1_0, bytes, from) ? Version.HTTP_1_0 : null;
    }

    /** Why {@code [from, to)} is not a supported version. */
    static Fault badVersion(byte[] bytes, int from, int to) {
        boolean wellFormed = to - from == VERSION_LENGTH
                && Ascii.same(HTTP, bytes, from)
                && Ascii.isDigit(bytes[from + 5])
                && bytes[from + 6] == '.'
                && Ascii.isDigit(bytes[from + 7]);
        return wellFormed ? Fault.VERSION_UNSUPPORTED : Fault.VERSION_MALFORMED;
    }
}
