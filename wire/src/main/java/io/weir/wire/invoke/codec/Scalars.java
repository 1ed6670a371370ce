package io.weir.wire.invoke.codec;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The codecs of scalar types. Stateless. */
final class Scalars {
    /**
     * Maximum magnitude of a big number in bytes, and the maximum scale: larger values would allow denial-of-service
     * attacks.
     */
    static final int LONGEST_NUMBER = 8192;

    static final int LARGEST_SCALE = 65_536;

    private static final Map<Class<?>, Codec> ALL = new HashMap<>();

    private Scalars() {}

    static {
        number(boolean.class, Boolean.class, 1, (out, v) -> out.writeByte(v ? 1 : 0), Scalars::flag);
        number(byte.class, Byte.class, 1, (out, v) -> out.writeByte(v), in -> (byte) WireReader.u8(in));
        number(short.class, Short.class, 2, (out, v) -> out.writeShort(v), in -> (short) WireReader.u16(in));
        number(char.class, Character.class, 2, (out, v) -> out.writeChar(v), in -> (char) WireReader.u16(in));
        number(int.class, Integer.class, 4, ByteBuf::writeInt, WireReader::i32);
        number(long.class, Long.class, 8, ByteBuf::writeLong, WireReader::i64);
        number(
                float.class,
                Float.class,
                4,
                (out, v) -> out.writeInt(Float.floatToRawIntBits(v)),
                in -> Float.intBitsToFloat(WireReader.i32(in)));
        number(
                double.class,
                Double.class,
                8,
                (out, v) -> out.writeLong(Double.doubleToRawLongBits(v)),
                in -> Double.longBitsToDouble(WireReader.i64(in)));
        value(String.class, Scalars::text, Scalars::text);
        value(BigInteger.class, (out, v) -> magnitude(out, v), Scalars::magnitude);
        value(BigDecimal.class, Scalars::decimal, Scalars::decimal);
        value(
                UUID.class,
                (out, v) -> out.writeLong(v.getMostSignificantBits()).writeLong(v.getLeastSignificantBits()),
                in -> new UUID(WireReader.i64(in), WireReader.i64(in)));
        value(OptionalInt.class, Scalars::optionalInt, Scalars::optionalInt);
        value(OptionalLong.class, Scalars::optionalLong, Scalars::optionalLong);
        value(OptionalDouble.class, Scalars::optionalDouble, Scalars::optionalDouble);
        Times.declare(Scalars::value);
    }

    /** The codec of this type, or null. */
    static @Nullable Codec of(Class<?> type) {
        return ALL.get(type);
    }

    /** Declares a type's codec. */
    interface Declaring {
        <T> void value(Class<T> type, BiConsumer<ByteBuf, T> write, Function<ByteBuf, T> read);
    }

    private static <T> void value(Class<T> type, BiConsumer<ByteBuf, T> write, Function<ByteBuf, T> read) {
        ALL.put(type, new NullableType(type) {
            @Override
            void writeValue(Pass pass, ByteBuf out, Object v) {
                write.accept(out, type.cast(v));
            }

            @Override
            Object readValue(Pass pass, ByteBuf in) {
                return read.apply(in);
            }
        });
    }

    private static <T> void number(
            Class<?> primitive, Class<T> box, int bytes, BiConsumer<ByteBuf, T> write, Function<ByteBuf, T> read) {
        value(box, write, read);
        ALL.put(primitive, new Codec() {
            @Override
            public void write(Pass pass, ByteBuf out, @Nullable Object v) {
                if (v == null) {
                    throw new CodecFault("null where " + primitive + " is declared");
                }
                write.accept(out, box.cast(v));
            }

            @Override
            public Object read(Pass pass, ByteBuf in) {
                return read.apply(in);
            }

            @Override
            int least() {
                return bytes;
            }
        });
    }

    private static boolean flag(ByteBuf in) {
        int b = WireReader.u8(in);
        if (b > 1) {
            throw new CodecFault("an invalid boolean: " + b);
        }
        return b == 1;
    }

    /** UTF-8, or UTF-16 if the text contains an unpaired surrogate, which UTF-8 would lose. */
    private static void text(ByteBuf out, String v) {
        boolean whole = wellFormed(v);
        out.writeByte(whole ? 1 : 2);
        if (whole) {
            WireWriter.text(out, v);
        } else {
            WireWriter.varint(out, v.length());
            for (int i = 0; i < v.length(); i++) {
                out.writeChar(v.charAt(i));
            }
        }
    }

    private static boolean wellFormed(String v) {
        for (int i = 0; i < v.length(); i++) {
            char c = v.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair =
                        Character.isHighSurrogate(c) && i + 1 < v.length() && Character.isLowSurrogate(v.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static String text(ByteBuf in) {
        int form = WireReader.u8(in);
        if (form == 1) {
            return WireReader.text(in, Integer.MAX_VALUE);
        }
        if (form != 2) {
            throw new CodecFault("an unknown text encoding: " + form);
        }
        char[] chars = new char[WireReader.count(in, 2)];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = (char) WireReader.u16(in);
        }
        return new String(chars);
    }

    private static void magnitude(ByteBuf out, BigInteger v) {
        byte[] bytes = v.toByteArray();
        if (bytes.length > LONGEST_NUMBER) {
            throw new CodecFault("a number of " + bytes.length + " bytes, the maximum is " + LONGEST_NUMBER);
        }
        WireWriter.varint(out, bytes.length);
        out.writeBytes(bytes);
    }

    private static BigInteger magnitude(ByteBuf in) {
        int n = WireReader.count(in, 1);
        if (n == 0 || n > LONGEST_NUMBER) {
            throw new CodecFault("a number of " + n + " bytes");
        }
        byte[] bytes = new byte[n];
        in.readBytes(bytes);
        return new BigInteger(bytes);
    }

    private static void decimal(ByteBuf out, BigDecimal v) {
        checkScale(v.scale());
        out.writeInt(v.scale());
        magnitude(out, v.unscaledValue());
    }

    private static BigDecimal decimal(ByteBuf in) {
        int scale = WireReader.i32(in);
        checkScale(scale);
        return new BigDecimal(magnitude(in), scale);
    }

    private static void checkScale(int scale) {
        if (scale > LARGEST_SCALE || scale < -LARGEST_SCALE) {
            throw new CodecFault("a decimal of scale " + scale + ", the maximum is " + LARGEST_SCALE);
        }
    }

    private static void optionalInt(ByteBuf out, OptionalInt v) {
        out.writeByte(v.isPresent() ? 1 : 0);
        v.ifPresent(out::writeInt);
    }

    private static OptionalInt optionalInt(ByteBuf in) {
        return flag(in) ? OptionalInt.of(WireReader.i32(in)) : OptionalInt.empty();
    }

    private static void optionalLong(ByteBuf out, OptionalLong v) {
        out.writeByte(v.isPresent() ? 1 : 0);
        v.ifPresent(out::writeLong);
    }

    private static OptionalLong optionalLong(ByteBuf in) {
        return flag(in) ? OptionalLong.of(WireReader.i64(in)) : OptionalLong.empty();
    }

    private static void optionalDouble(ByteBuf out, OptionalDouble v) {
        out.writeByte(v.isPresent() ? 1 : 0);
        v.ifPresent(out::writeDouble);
    }

    private static OptionalDouble optionalDouble(ByteBuf in) {
        return flag(in) ? OptionalDouble.of(Double.longBitsToDouble(WireReader.i64(in))) : OptionalDouble.empty();
    }
}
