package io.weir.base;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The types that a knob can have, with their names and text forms. */
final class KnobTypes {
    private KnobTypes() {}

    static boolean isSection(Type type) {
        return type instanceof Class<?> c && c.isRecord() && c != ByteSize.class && c != TextFile.class;
    }

    static boolean isList(Type type) {
        return type instanceof ParameterizedType p && p.getRawType() == List.class;
    }

    static boolean isMap(Type type) {
        return type instanceof ParameterizedType p && p.getRawType() == Map.class;
    }

    /** Whether a value consists of more than one text: a section, a list or named entries. */
    static boolean isComposite(Type type) {
        return isSection(type) || isList(type) || isMap(type);
    }

    static Type elementOf(Type type) {
        Type[] arguments = ((ParameterizedType) type).getActualTypeArguments();
        return arguments[arguments.length - 1];
    }

    static String kebab(String camel) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < camel.length(); i++) {
            char c = camel.charAt(i);
            if (Character.isUpperCase(c)) {
                b.append('-').append(Character.toLowerCase(c));
            } else {
                b.append(c);
            }
        }
        return b.toString();
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<String> choices(Type type) {
        List<String> words = new ArrayList<>();
        if (type instanceof Class<?> c && c.isEnum()) {
            for (Object constant : c.getEnumConstants()) {
                words.add(constant instanceof Spelled s ? s.spelling() : word((Enum<?>) constant));
            }
        }
        return words;
    }

    /** Whether it is a plain number of bytes, which can also be written as a size. */
    static boolean isBytes(Type type, String unit) {
        return unit.equals("bytes") && (type == int.class || type == long.class);
    }

    static String describe(Type type) {
        if (type == int.class || type == long.class) {
            return "integer";
        }
        if (type == double.class) {
            return "number";
        }
        if (type == boolean.class) {
            return "on|off";
        }
        if (type == Duration.class) {
            return "duration";
        }
        if (type == ByteSize.class) {
            return "size";
        }
        if (type == TextFile.class) {
            return "path of a file";
        }
        if (isList(type)) {
            return "list of " + describe(elementOf(type));
        }
        if (isMap(type)) {
            return "map of " + describe(elementOf(type));
        }
        if (isSection(type)) {
            return "section";
        }
        List<String> choices = choices(type);
        return choices.isEmpty() ? "text" : String.join("|", choices);
    }
}
