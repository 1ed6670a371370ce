package io.weir.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * Lossless UTF-8: an unpaired surrogate, which UTF-8 cannot encode, is encoded as the three bytes of its code point, as
 * in WTF-8. Otherwise it would become a question mark, and two names could become equal. Stateless.
 */
public final class Utf8 {
    private static final char REPLACEMENT = '\ufffd';
    private static final int LEAD = 0xe0;
    /**
     * The first byte of an encoded surrogate, and the minimum of its second byte: regular characters have less there.
     */
    private static final int HALF = 0xed;

    private static final int HALF_SECOND = 0xa0;

    private Utf8() {}

    /** Encoded size in bytes. */
    public static int size(CharSequence text) {
        int length = text.length();
        int bytes = length;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                bytes += c < 0x800 ? 1 : 2;
                if (pair(text, i)) {
                    // four bytes for the two chars
                    i++;
                }
            }
        }
        return bytes;
    }

    private static boolean pair(CharSequence text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }

    /** Encodes it, in {@link #size} bytes. */
    public static void write(ByteBuf out, CharSequence text, int size) {
        int begin = out.writerIndex();
        if (ByteBufUtil.reserveAndWriteUtf8(out, text, size) < size) {
            // an unpaired surrogate was written as a question mark
            out.writerIndex(begin);
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (pair(text, i)) {
                    ByteBufUtil.reserveAndWriteUtf8(out, text.subSequence(i, i + 2), 4);
                    i++;
                } else if (Character.isSurrogate(c)) {
                    out.writeByte(LEAD | (c >> 12))
                            .writeByte(0x80 | ((c >> 6) & 0x3f))
                            .writeByte(0x80 | (c & 0x3f));
                } else {
                    CharSequence one = text.subSequence(i, i + 1);
                    ByteBufUtil.reserveAndWriteUtf8(out, one, size(one));
                }
            }
        }
    }

    /** The encoded bytes of a text. */
    public static byte[] bytes(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int size = size(text);
        if (utf8.length == size) {
            return utf8;
        }
        ByteBuf out = Unpooled.buffer(size, size);
        write(out, text, size);
        return out.array();
    }

    /** Decodes a number of bytes at an index. */
    public static String text(ByteBuf in, int at, int length) {
        String text = in.toString(at, length, StandardCharsets.UTF_8);
        return text.indexOf(REPLACEMENT) < 0 ? text : halves(in, at, length);
    }

    private static String halves(ByteBuf in, int at, int length) {
        StringBuilder text = new StringBuilder(length);
        int end = at + length;
        int from = at;
        for (int i = at; i + 2 < end; i++) {
            if (in.getUnsignedByte(i) == HALF
                    && in.getUnsignedByte(i + 1) >= HALF_SECOND
                    && (in.getByte(i + 1) & 0xc0) == 0x80
                    && (in.getByte(i + 2) & 0xc0) == 0x80) {
                text.append(in.toString(from, i - from, StandardCharsets.UTF_8));
                text.append((char) (0xd000 | ((in.getByte(i + 1) & 0x3f) << 6) | (in.getByte(i + 2) & 0x3f)));
                from = i + 3;
                i += 2;
            }
        }
        return text.append(in.toString(from, end - from, StandardCharsets.UTF_8))
                .toString();
    }
}
