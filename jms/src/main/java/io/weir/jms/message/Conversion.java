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
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean b) {
            return b;
        }
        if (value instanceof String s) {
            return Boolean.parseBoolean(s);
        }
        throw refused(value, "boolean");
    }

    static byte toByte(@Nullable Object value) throws MessageFormatException {
        if (value == null) {
            throw notANumber("byte");
        }
        if (value instanceof Byte b) {
            return b;
        }
        if (value instanceof String s) {
            return Byte.parseByte(s);
        }
        throw refused(value, "byte");
    }

    static short toShort(@Nullable Object value) throws MessageFormatException {
        if (value == null) {
            throw notANumber("short");
        }
        if (value instanceof Byte || value instanceof Short) {
            return ((Number) value).shortValue();
        }
        if (value instanceof String s) {
            return Short.parseShort(s);
        }
        throw refused(value, "short");
    }

    static int toInt(@Nullable Object value) throws MessageFormatException {
        if (value == null) {
            throw notANumber("int");
        }
        if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
            return ((Number) value).intValue();
        }
        if (value instanceof String s) {
            return Integer.parseInt(s);
        }
        throw refused(value, "int");
    }

    static long toLong(@Nullable Object value) throws MessageFormatException {
        if (value == null) {
            throw notANumber("long");
        }
        if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        if (value instanceof String s) {
            return Long.parseLong(s);
        }
        throw refused(value, "long");
    }

    static float toFloat(@Nullable Object value) throws MessageFormatException {
        if (value == null) {
            throw new NullPointerException("null can not be read as float");
        }
        if (value instanceof Float f) {
            return f;
        }
        if (value instanceof String s) {
            return Float.parseFloat(s);
        }
        throw refused(value, "float");
    }

    static double toDouble(@Nullable Object value) throws MessageFormatException {
        if (value == null) {
            throw new NullPointerException("null can not be read as double");
        }
        if (value instanceof Float || value instanceof Double) {
            return ((Number) value).doubleValue();
        }
        if (value instanceof String s) {
            return Double.parseDouble(s);
        }
        throw refused(value, "double");
    }

    static @Nullable String toText(@Nullable Object value) throws MessageFormatException {
        if (value == null) {
            return null;
        }
        if (value instanceof byte[] b) {
            throw refused(b, "String");
        }
        return value.toString();
    }

    static char toChar(@Nullable Object value) throws MessageFormatException {
        if (value == null) {
            throw new NullPointerException("null can not be read as char");
        }
        if (value instanceof Character c) {
            return c;
        }
        throw refused(value, "char");
    }

    /** Returns the array itself: callers that must not share it copy it. */
    static byte @Nullable [] toBytes(@Nullable Object value) throws MessageFormatException {
        if (value == null) {
            return null;
        }
        if (value instanceof byte[] b) {
            return b;
        }
        throw refused(value, "byte[]");
    }

    private static NumberFormatException notANumber(String wanted) {
        return new NumberFormatException("null can not be read as " + wanted);
    }

    /** Returns the value if properties can have it. */
    static @Nullable Object property(@Nullable Object value) throws MessageFormatException {
        if (value == null
                || value instanceof Boolean
                || value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Float
                || value instanceof Double
                || value instanceof String) {
            return value;
        }
        throw new MessageFormatException(
                "no property can be of type " + value.getClass().getName());
    }

    /** Returns the value if maps and streams can have it; arrays are copied. */
    static @Nullable Object element(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Character c) {
            return c;
        }
        if (value instanceof byte[] b) {
            return b.clone();
        }
        return property(value);
    }
}
