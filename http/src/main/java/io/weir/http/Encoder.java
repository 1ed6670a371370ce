package io.weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes HTTP/1 messages (RFC 9112) without allocating garbage. Stateless and shared; the caller owns the buffer. Text
 * from program code that would corrupt the message (CR, LF, NUL, other control characters, characters above 0xFF) is
 * rejected with {@link IllegalArgumentException} before anything is written.
 */
public final class Encoder {
    private static final byte[] DIGITS = Ascii.bytes("0123456789abcdef");
    private static final byte[] HTTP_1_0 = Ascii.bytes("HTTP/1.0");
    private static final byte[] HTTP_1_1 = Ascii.bytes("HTTP/1.1");
    private static final byte[] HTTP_2 = Ascii.bytes("HTTP/2.0");
    private static final byte[] CHUNKED_LINE = Ascii.bytes("Transfer-Encoding: chunked\r\n");
    private static final int CRLF = '\r' << 8 | '\n';
    /** Complete HTTP/1.1 status lines by status, for statuses with a standard reason phrase. */
    private static final byte[][] STATUS_LINES = statusLines();

    private Encoder() {}

    private static byte[][] statusLines() {
        byte[][] lines = new byte[1000][];
        for (int status = 100; status < lines.length; status++) {
            String reason = Reason.of(status);
            if (!reason.isEmpty()) lines[status] = Ascii.bytes("HTTP/1.1 " + status + ' ' + reason + "\r\n");
        }
        return lines;
    }

    /** Decides, per field, whether {@link #fields} writes it. */
    @FunctionalInterface
    public interface FieldFilter {
        /** Whether field {@code i} of {@code fields} is written. */
        boolean keep(Fields fields, int i);
    }

    /**
     * {@code METHOD SP TARGET SP VERSION CRLF}; the method must be a token and the target must consist of visible
     * ASCII.
     */
    public static void requestLine(ByteBuf out, String method, String target, Version version) {
        checkToken(method);
        if (target.isEmpty()) throw new IllegalArgumentException("empty request target");
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            if (c > 0x7F || !Ascii.isTarget(c)) throw new IllegalArgumentException("bad character in target, at " + i);
        }
        ascii(out, method);
        out.writeByte(' ');
        ascii(out, target);
        requestVersion(out, version);
    }

    /** As above, with a target of bytes {@code [from, to)} that a decoder has checked. */
    public static void requestLine(ByteBuf out, String method, byte[] target, int from, int to, Version version) {
        checkToken(method);
        ascii(out, method);
        out.writeByte(' ');
        out.writeBytes(target, from, to - from);
        requestVersion(out, version);
    }

    private static void requestVersion(ByteBuf out, Version version) {
        out.writeByte(' ');
        out.writeBytes(bytes(version));
        out.writeShort(CRLF);
    }

    private static byte[] bytes(Version version) {
        return switch (version) {
            case HTTP_1_0 -> HTTP_1_0;
            case HTTP_1_1 -> HTTP_1_1;
            case HTTP_2 -> HTTP_2;
        };
    }

    /** {@code VERSION SP STATUS SP REASON CRLF}; status is 100 to 999, reason may be empty. */
    public static void statusLine(ByteBuf out, Version version, int status, String reason) {
        if (status < 100 || status > 999) throw new IllegalArgumentException("status out of range: " + status);
        if (version == Version.HTTP_1_1 && !reason.isEmpty() && reason.equals(Reason.of(status))) {
            out.writeBytes(STATUS_LINES[status]);
            return;
        }
        checkText(reason, "reason");
        out.writeBytes(bytes(version));
        out.writeByte(' ');
        asciiLong(out, status);
        out.writeByte(' ');
        ascii(out, reason);
        out.writeShort(CRLF);
    }

    /** As above, with the standard reason phrase. */
    public static void statusLine(ByteBuf out, Version version, int status) {
        statusLine(out, version, status, Reason.of(status));
    }

    /** Writes all fields; adjacent ones in one copy. */
    public static void fields(ByteBuf out, Fields fields) {
        fields(out, fields, (f, i) -> true);
    }

    /** Writes the fields that {@code filter} keeps, in order; adjacent ones in one copy. */
    public static void fields(ByteBuf out, Fields fields, FieldFilter filter) {
        byte[] bytes = fields.bytes();
        int runStart = 0;
        int runEnd = 0;
        for (int i = 0; i < fields.size(); i++) {
            if (!filter.keep(fields, i)) continue;
            if (!fields.plain(i)) {
                out.writeBytes(bytes, runStart, runEnd - runStart);
                runStart = runEnd = 0;
                fields.writeLine(i, out);
                continue;
            }
            int start = fields.nameStart(i);
            if (start != runEnd) {
                out.writeBytes(bytes, runStart, runEnd - runStart);
                runStart = start;
            }
            runEnd = fields.valueEnd(i) + 2;
        }
        out.writeBytes(bytes, runStart, runEnd - runStart);
    }

    /** One field line. */
    public static void field(ByteBuf out, FieldName name, String value) {
        checkText(value, "field value");
        out.writeBytes(name.lineStart());
        ascii(out, value);
        out.writeShort(CRLF);
    }

    /** One field line whose value is a decimal number. */
    public static void field(ByteBuf out, FieldName name, long value) {
        out.writeBytes(name.lineStart());
        asciiLong(out, value);
        out.writeShort(CRLF);
    }

    /** {@code Transfer-Encoding: chunked CRLF}. */
    public static void chunkedLine(ByteBuf out) {
        out.writeBytes(CHUNKED_LINE);
    }

    /** The empty line that ends a head. */
    public static void endOfHead(ByteBuf out) {
        out.writeShort(CRLF);
    }

    /** The size line of a chunk of {@code size} bytes, at least 1: a size of 0 would end the body. */
    public static void chunkHeader(ByteBuf out, long size) {
        if (size < 1) throw new IllegalArgumentException("chunk size must be positive: " + size);
        for (int shift = (63 - Long.numberOfLeadingZeros(size)) & ~3; shift >= 0; shift -= 4) {
            out.writeByte(DIGITS[(int) (size >>> shift) & 15]);
        }
        out.writeShort(CRLF);
    }

    /** The CRLF after the data of a chunk. */
    public static void chunkEnd(ByteBuf out) {
        out.writeShort(CRLF);
    }

    /** The last chunk, the trailer fields if any, and the empty line that ends the body. */
    public static void lastChunk(ByteBuf out, @Nullable Fields trailers) {
        out.writeByte('0').writeShort(CRLF);
        if (trailers != null && trailers.size() > 0) fields(out, trailers);
        out.writeShort(CRLF);
    }

    /** A decimal number, without allocating garbage. */
    public static void asciiLong(ByteBuf out, long value) {
        if (value < 0) {
            if (value == Long.MIN_VALUE) {
                ascii(out, "-9223372036854775808");
                return;
            }
            out.writeByte('-');
            value = -value;
        }
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) digits++;
        out.ensureWritable(digits);
        int end = out.writerIndex() + digits;
        long rest = value;
        for (int at = end; at-- > end - digits; rest /= 10) out.setByte(at, '0' + (int) (rest % 10));
        out.writerIndex(end);
    }

    /** Writes the low bytes of the characters, which the caller has checked. */
    static void ascii(ByteBuf out, String text) {
        ByteBufUtil.writeAscii(out, text);
    }

    static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    static void checkToken(String text) {
        if (text.isEmpty()) throw new IllegalArgumentException("empty token");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0x7F || !Ascii.isToken(c)) throw new IllegalArgumentException("not a token, at " + i);
        }
    }

    static void checkText(String text, String what) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0xFF || Ascii.isControl(c)) {
                throw new IllegalArgumentException("control or wide character in " + what + ", at " + i);
            }
        }
    }
}
