package io.weir.base;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses and checks the text form of a single knob's value. Stateless. */
final class KnobValues {
    /** Maximum digits of a size; {@link Long#MAX_VALUE}, which means no limit, has one more. */
    private static final int MOST_DIGITS = 18;

    private KnobValues() {}

    /**
     * Parses a value and checks its range.
     *
     * @throws IllegalArgumentException with the expected form
     */
    static Object parse(String text, Knob knob, Type type) {
        if (knob.auto() && text.equals("auto")) {
            return automatic(type);
        }
        Object value = KnobTypes.isBytes(type, knob.unit()) ? bytes(text, type) : convert(text, type);
        if (knob.unwatched() == Unwatched.NAME && text.chars().anyMatch(c -> Printable.isControl((char) c))) {
            throw new IllegalArgumentException(
                    "control characters are not allowed in a name: it is printed, logged and sent; remove them");
        }
        checkRange(value, knob, type);
        if (!knob.pattern().isEmpty() && !text.matches(knob.pattern())) {
            throw new IllegalArgumentException("expected " + knob.form());
        }
        return value;
    }

    private static Object automatic(Type type) {
        if (type == int.class) {
            return -1;
        }
        if (type == long.class) {
            return -1L;
        }
        if (type == double.class) {
            return -1.0;
        }
        throw new IllegalStateException("auto is for numbers, not " + type);
    }

    private static Object convert(String text, Type type) {
        if (type == String.class) {
            return text;
        }
        if (type == Duration.class) {
            return Durations.parse(text);
        }
        if (type == ByteSize.class) {
            return ByteSize.parse(text);
        }
        if (type == TextFile.class) {
            return TextFile.parse(text);
        }
        if (type == boolean.class) {
            return flag(text);
        }
        if (type instanceof Class<?> c && c.isEnum()) {
            return constant(text, c);
        }
        return number(text, type);
    }

    private static Object number(String text, Type type) {
        try {
            if (type == int.class) {
                return Integer.parseInt(text);
            }
            if (type == long.class) {
                return Long.parseLong(text);
            }
            if (type == double.class) {
                double d = Double.parseDouble(text);
                if (Double.isFinite(d)) {
                    return d;
                }
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected an " + KnobTypes.describe(type), e);
        }
        throw new IllegalArgumentException("expected a " + KnobTypes.describe(type));
    }

    /** A number of bytes, which can be written as a size. */
    private static Object bytes(String text, Type type) {
        if (text.startsWith("-") || text.length() > MOST_DIGITS) {
            return number(text, type);
        }
        long size = ByteSize.parse(text).bytes();
        if (type == long.class) {
            return size;
        }
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the size is too large");
        }
        return (int) size;
    }

    /** The values that the Sun proxy's configuration files accept. */
    private static boolean flag(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "on", "yes", "true", "enabled" -> true;
            case "off", "no", "false", "disabled" -> false;
            default -> throw new IllegalArgumentException("expected on or off");
        };
    }

    private static Object constant(String text, Class<?> type) {
        List<String> words = KnobTypes.choices(type);
        int i = words.indexOf(text);
        if (i < 0) {
            String nearest = Nearest.of(text, words);
            throw new IllegalArgumentException("expected one of " + String.join(", ", words)
                    + (nearest == null ? "" : " (did you mean " + nearest + "?)"));
        }
        return type.getEnumConstants()[i];
    }

    private static void checkRange(Object value, Knob knob, Type type) {
        boolean low = !knob.min().isEmpty() && compare(value, knob.min(), type) < 0;
        boolean high = !knob.max().isEmpty() && compare(value, knob.max(), type) > 0;
        if (low || high) {
            throw new IllegalArgumentException("allowed range is " + (knob.min().isEmpty() ? "up" : knob.min())
                    + " to " + (knob.max().isEmpty() ? "any" : knob.max())
                    + (knob.unit().isEmpty() ? "" : " " + knob.unit())
                    + (knob.auto() ? ", or auto" : ""));
        }
    }

    private static int compare(Object value, String bound, Type type) {
        if (value instanceof Integer i) {
            return Integer.compare(i, Integer.parseInt(bound));
        }
        if (value instanceof Long l) {
            return Long.compare(l, Long.parseLong(bound));
        }
        if (value instanceof Double d) {
            return Double.compare(d, Double.parseDouble(bound));
        }
        if (value instanceof Duration d) {
            return d.compareTo(Durations.parse(bound));
        }
        if (value instanceof ByteSize b) {
            return Long.compare(b.bytes(), ByteSize.parse(bound).bytes());
        }
        if (value instanceof String s) {
            return Integer.compare(s.length(), Integer.parseInt(bound));
        }
        throw new IllegalStateException("no range for " + type);
    }

    /** The text that {@link #parse} converts back to the same value; lists are separated by a comma and a space. */
    static String format(@Nullable Object value, boolean auto) {
        if (value == null) {
            return "";
        }
        if (value instanceof Integer i && auto && i == -1) {
            return "auto";
        }
        if (value instanceof Long l && auto && l == -1) {
            return "auto";
        }
        if (value instanceof Double d && auto && d == -1) {
            return "auto";
        }
        if (value instanceof Boolean b) {
            return b ? "on" : "off";
        }
        if (value instanceof Duration d) {
            return Durations.format(d);
        }
        if (value instanceof Spelled s) {
            return s.spelling();
        }
        if (value instanceof Enum<?> e) {
            return KnobTypes.word(e);
        }
        if (value instanceof List<?> l) {
            return String.join(", ", l.stream().map(v -> format(v, auto)).toList());
        }
        return value.toString();
    }

    /** The value of a knob that is not set and has no declared default. */
    static @Nullable Object zero(Type type) {
        if (type == int.class) {
            return 0;
        }
        if (type == long.class) {
            return 0L;
        }
        if (type == double.class) {
            return 0.0;
        }
        return type == boolean.class ? (Object) false : null;
    }
}
