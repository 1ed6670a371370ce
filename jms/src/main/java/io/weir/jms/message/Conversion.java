package io.weir.jms.message;

import jakarta.jms.MessageFormatException;
import org.jspecify.annotations.Nullable;

/**
 * The conversions of sections 3.5.4 and 3.11.3: a value set as one type, read as another. Null is converted as by the
 * type's {@code valueOf(null)}. Immutable.
 */
final class Conversion {
    private Conversion() {}

    static MessageFormatException refused(Object value, String wanted) {
        return new MessageFormatException(
                "a value of type " + value.getClass().getSimpleName() + " can not be read as " + wanted);
    }

    static boolean toBoolean(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case null -> false;
            case Boolean b -> b;
            case String s -> Boolean.parseBoolean(s);
            default -> throw refused(value, "boolean");
        };
    }

    static byte toByte(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case null -> throw notANumber("byte");
            case Byte b -> b;
            case String s -> Byte.parseByte(s);
            default -> throw refused(value, "byte");
        };
    }

    static short toShort(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case null -> throw notANumber("short");
            case Byte b -> b;
            case Short s -> s;
            case String s -> Short.parseShort(s);
            default -> throw refused(value, "short");
        };
    }

    static int toInt(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case null -> throw notANumber("int");
            case Byte b -> b;
            case Short s -> s;
            case Integer i -> i;
            case String s -> Integer.parseInt(s);
            default -> throw refused(value, "int");
        };
    }

    static long toLong(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case null -> throw notANumber("long");
            case Byte b -> b;
            case Short s -> s;
            case Integer i -> i;
            case Long l -> l;
            case String s -> Long.parseLong(s);
            default -> throw refused(value, "long");
        };
    }

    static float toFloat(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case null -> throw new NullPointerException("null can not be read as float");
            case Float f -> f;
            case String s -> Float.parseFloat(s);
            default -> throw refused(value, "float");
        };
    }

    static double toDouble(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case null -> throw new NullPointerException("null can not be read as double");
            case Float f -> f;
            case Double d -> d;
            case String s -> Double.parseDouble(s);
            default -> throw refused(value, "double");
        };
    }

    static @Nullable String toText(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case null -> null;
            case byte[] b -> throw refused(b, "String");
            default -> value.toString();
        };
    }

    static char toChar(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case null -> throw new NullPointerException("null can not be read as char");
            case Character c -> c;
            default -> throw refused(value, "char");
        };
    }

    /** Returns the array itself: callers that must not share it copy it. */
    static byte @Nullable [] toBytes(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case null -> null;
            case byte[] b -> b;
            default -> throw refused(value, "byte[]");
        };
    }

    private static NumberFormatException notANumber(String wanted) {
        return new NumberFormatException("null can not be read as " + wanted);
    }

    /** Returns the value if properties can have it. */
    static @Nullable Object property(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case null -> null;
            case Boolean b -> b;
            case Byte b -> b;
            case Short s -> s;
            case Integer i -> i;
            case Long l -> l;
            case Float f -> f;
            case Double d -> d;
            case String s -> s;
            default ->
                throw new MessageFormatException(
                        "no property can be of type " + value.getClass().getName());
        };
    }

    /** Returns the value if maps and streams can have it; arrays are copied. */
    static @Nullable Object element(@Nullable Object value) throws MessageFormatException {
        return switch (value) {
            case Character c -> c;
            case byte[] b -> b.clone();
            case null, default -> property(value);
        };
    }
}
