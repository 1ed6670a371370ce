package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/** The typed values of properties, maps and streams: {@code u8 type · value}. Immutable. */
public final class Values {
    public static final int NULL = 0;
    public static final int BOOLEAN = 1;
    public static final int BYTE = 2;
    public static final int SHORT = 3;
    public static final int INT = 4;
    public static final int LONG = 5;
    public static final int FLOAT = 6;
    public static final int DOUBLE = 7;
    public static final int STRING = 8;
    /** Maps and streams only, as is BYTES. */
    public static final int CHAR = 9;

    public static final int BYTES = 10;

    private Values() {}

    /** Writes null, a Boolean, Byte, Short, Integer, Long, Float, Double, String, Character or byte[]. */
    public static void write(ByteBuf out, @Nullable Object value) {
        if (value == null) {
            out.writeByte(NULL);
        } else if (value instanceof Boolean b) {
            out.writeByte(BOOLEAN).writeBoolean(b);
        } else if (value instanceof Byte b) {
            out.writeByte(BYTE).writeByte(b);
        } else if (value instanceof Short s) {
            out.writeByte(SHORT).writeShort(s);
        } else if (value instanceof Integer i) {
            out.writeByte(INT).writeInt(i);
        } else if (value instanceof Long l) {
            out.writeByte(LONG).writeLong(l);
        } else if (value instanceof Float f) {
            out.writeByte(FLOAT).writeFloat(f);
        } else if (value instanceof Double d) {
            out.writeByte(DOUBLE).writeDouble(d);
        } else if (value instanceof String s) {
            WireWriter.text(out.writeByte(STRING), s);
        } else if (value instanceof Character c) {
            out.writeByte(CHAR).writeChar(c);
        } else if (value instanceof byte[] b) {
            WireWriter.varint(out.writeByte(BYTES), b.length);
            out.writeBytes(b);
        } else {
            throw new IllegalArgumentException("not a value of a message: " + value.getClass());
        }
    }

    /** Reads a value written by {@link #write}; a byte[] is a copy. */
    public static @Nullable Object read(ByteBuf in) {
        int type = WireReader.u8(in);
        WireReader.need(in, fixedSize(type));
        return switch (type) {
            case NULL -> null;
            case BOOLEAN -> in.readByte() != 0;
            case BYTE -> in.readByte();
            case SHORT -> in.readShort();
            case INT -> in.readInt();
            case LONG -> in.readLong();
            case FLOAT -> in.readFloat();
            case DOUBLE -> in.readDouble();
            case CHAR -> in.readChar();
            case STRING -> WireReader.text(in, Integer.MAX_VALUE);
            default -> bytes(in);
        };
    }

    private static byte[] bytes(ByteBuf in) {
        int length = WireReader.varint(in);
        WireReader.need(in, length);
        byte[] copy = ByteBufUtil.getBytes(in, in.readerIndex(), length);
        in.skipBytes(length);
        return copy;
    }

    /** Minimum bytes of a value of this type. */
    static int fixedSize(int type) {
        return switch (type) {
            case NULL -> 0;
            case BOOLEAN, BYTE, STRING, BYTES -> 1;
            case SHORT, CHAR -> 2;
            case INT, FLOAT -> 4;
            case LONG, DOUBLE -> 8;
            default -> throw FrameValues.malformed("a value of type " + type);
        };
    }
}
