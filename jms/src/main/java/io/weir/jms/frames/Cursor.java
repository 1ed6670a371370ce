package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.Utf8;
import io.weir.wire.WireReader;

/**
 * Reads a block by absolute indices, so that the indices of a block shared by several threads do not change. Every
 * length is checked against the limit before it is used. Confined to one thread at a time.
 */
final class Cursor {
    private ByteBuf in;
    private int at;
    private int limit;

    Cursor(ByteBuf in) {
        this.in = in;
    }

    Cursor set(ByteBuf in, int at, int limit) {
        this.in = in;
        this.at = at;
        this.limit = limit;
        return this;
    }

    int at() {
        return at;
    }

    boolean done() {
        return at >= limit;
    }

    void need(int bytes) {
        if (bytes < 0 || bytes > limit - at) {
            throw FrameValues.malformed(
                    "a length of " + bytes + " in a message block that has " + (limit - at) + " bytes left");
        }
    }

    void skip(int bytes) {
        need(bytes);
        at += bytes;
    }

    int u8() {
        need(1);
        return in.getUnsignedByte(at++);
    }

    int length32() {
        need(4);
        int n = in.getInt(at);
        at += 4;
        need(n);
        return n;
    }

    /** As {@link WireReader#varint}. */
    int varint() {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int b = u8();
            if (shift == 28 && b > 7) {
                break;
            }
            value |= (b & 0x7f) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw FrameValues.malformed("a number in a message block is longer than 31 bits");
    }

    int count(int each) {
        int n = varint();
        if ((long) n * each > limit - at) {
            throw FrameValues.malformed(
                    "a count of " + n + " in a message block that has " + (limit - at) + " bytes left");
        }
        return n;
    }

    void skipText() {
        skip(varint());
    }

    String text() {
        int length = varint();
        need(length);
        String text = Utf8.text(in, at, length);
        at += length;
        return text;
    }

    byte[] bytes() {
        int length = varint();
        need(length);
        byte[] copy = new byte[length];
        in.getBytes(at, copy);
        at += length;
        return copy;
    }

    /** Whether the text here equals these bytes; skips it. */
    boolean textIs(byte[] utf8) {
        int length = varint();
        need(length);
        boolean same = isHere(length, utf8);
        at += length;
        return same;
    }

    /** Which of two texts is here: 1, 2, or 0 for neither; skips it. */
    int textIs(byte[] first, byte[] second) {
        int length = varint();
        need(length);
        int which = isHere(length, first) ? 1 : isHere(length, second) ? 2 : 0;
        at += length;
        return which;
    }

    private boolean isHere(int length, byte[] utf8) {
        boolean same = length == utf8.length;
        for (int i = 0; same && i < length; i++) {
            same = in.getByte(at + i) == utf8[i];
        }
        return same;
    }

    /** Whether the text here starts with these bytes; skips it. */
    boolean textStarts(byte[] utf8) {
        int length = varint();
        need(length);
        boolean starts = length >= utf8.length;
        for (int i = 0; starts && i < utf8.length; i++) {
            starts = in.getByte(at + i) == utf8[i];
        }
        at += length;
        return starts;
    }

    void skipValue() {
        int type = u8();
        if (type == Values.STRING || type == Values.BYTES) {
            skipText();
        } else {
            skip(Values.fixedSize(type));
        }
    }
}
