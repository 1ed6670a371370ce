package io.weir.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Writes the values that frames consist of, as {@link WireReader} reads them. */
public final class WireWriter {
    private WireWriter() {}

    /** A non-negative number in 1 to 5 bytes. */
    public static void varint(ByteBuf out, int value) {
        if (value < 0) {
            throw new IllegalArgumentException("negative: " + value);
        }
        int rest = value;
        while (rest > 0x7f) {
            out.writeByte((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
    }

    /** Size of {@link #varint} in bytes. */
    public static int varintSize(int value) {
        return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5;
    }

    /** A text: its length in bytes, then {@link Utf8}. */
    public static void text(ByteBuf out, CharSequence text) {
        utf8(out, text, 0);
    }

    /** A text that may be absent. */
    public static void optionalText(ByteBuf out, @Nullable CharSequence text) {
        if (text == null) {
            out.writeByte(0);
        } else {
            utf8(out, text, 1);
        }
    }

    private static void utf8(ByteBuf out, CharSequence text, int more) {
        int bytes = Utf8.size(text);
        varint(out, bytes + more);
        Utf8.write(out, text, bytes);
    }
}
