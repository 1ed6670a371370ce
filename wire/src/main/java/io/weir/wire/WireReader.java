package io.weir.wire;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireFault.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values that frames consist of. A value that exceeds the frame is a {@link WireFault}, thrown before
 * anything is allocated for it.
 */
public final class WireReader {
    /** Maximum length of a text if no other limit is given, in bytes. */
    public static final int MAX_TEXT = 64 * 1024;

    private WireReader() {}

    /** An unsigned byte. */
    public static int u8(ByteBuf in) {
        need(in, 1);
        return in.readUnsignedByte();
    }

    /** Two bytes, unsigned. */
    public static int u16(ByteBuf in) {
        need(in, 2);
        return in.readUnsignedShort();
    }

    /** Four bytes. */
    public static int i32(ByteBuf in) {
        need(in, 4);
        return in.readInt();
    }

    /** Eight bytes. */
    public static long i64(ByteBuf in) {
        need(in, 8);
        return in.readLong();
    }

    /** A non-negative number of up to 31 bits in 1 to 5 bytes, seven bits each, lowest first. */
    public static int varint(ByteBuf in) {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int b = u8(in);
            if (shift == 28 && b > 7) {
                break;
            }
            value |= (b & 0x7f) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw new WireFault(Reason.MALFORMED, "a number in a frame is longer than 31 bits");
    }

    /**
     * A count of following items of at least {@code each} bytes (1 or more): limited by the remaining bytes of the
     * frame.
     */
    public static int count(ByteBuf in, int each) {
        int n = varint(in);
        if ((long) n * each > in.readableBytes()) {
            throw exceeds(n, in);
        }
        return n;
    }

    /** A four-byte length of the following bytes, at most the remaining ones. */
    public static int length32(ByteBuf in) {
        int n = i32(in);
        if (n < 0 || n > in.readableBytes()) {
            throw exceeds(n, in);
        }
        return n;
    }

    /** A text: its length in bytes as a varint, then UTF-8. */
    public static String text(ByteBuf in) {
        return text(in, MAX_TEXT);
    }

    /** A text of at most {@code max} bytes. */
    public static String text(ByteBuf in, int max) {
        return utf8(in, varint(in), max);
    }

    /** A text that may be absent: its length plus one as a varint, 0 for absent. */
    public static @Nullable String optionalText(ByteBuf in) {
        return optionalText(in, MAX_TEXT);
    }

    /** A text of at most {@code max} bytes that may be absent. */
    public static @Nullable String optionalText(ByteBuf in, int max) {
        int n = varint(in);
        return n == 0 ? null : utf8(in, n - 1, max);
    }

    /** Skips a text without decoding it. */
    public static void skipText(ByteBuf in) {
        skip(in, varint(in));
    }

    /** Skips some bytes. */
    public static void skip(ByteBuf in, int bytes) {
        need(in, bytes);
        in.skipBytes(bytes);
    }

    /** Checks that this many bytes remain. */
    public static void need(ByteBuf in, int bytes) {
        if (bytes < 0 || in.readableBytes() < bytes) {
            throw exceeds(bytes, in);
        }
    }

    /** Checks that no bytes of the frame remain. */
    public static void end(ByteBuf in) {
        if (in.isReadable()) {
            throw new WireFault(Reason.MALFORMED, in.readableBytes() + " bytes too many in a frame");
        }
    }

    private static String utf8(ByteBuf in, int length, int max) {
        if (length > max) {
            throw new WireFault(Reason.MALFORMED, "a text of " + length + " bytes, the maximum is " + max);
        }
        need(in, length);
        String text = Utf8.text(in, in.readerIndex(), length);
        in.skipBytes(length);
        return text;
    }

    private static WireFault exceeds(int wanted, ByteBuf in) {
        return new WireFault(
                Reason.MALFORMED,
                "a length of " + wanted + " in a frame that has " + in.readableBytes() + " bytes left");
    }
}
