package io.weir.proxy.function;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A declared parameter of a function: the configuration is validated against it and documentation is generated from it.
 * Immutable.
 *
 * @param name as written, case-sensitive
 * @param type the type of its text
 * @param fallback the default value; null: none
 * @param required whether it must be given
 * @param repeatable whether it may be given several times
 * @param words the allowed words of a {@link Type#WORD}
 * @param doc its description
 */
public record ParameterSpec(
        String name,
        Type type,
        @Nullable String fallback,
        boolean required,
        boolean repeatable,
        List<String> words,
        String doc) {
    /** The type of a parameter's text. */
    public enum Type {
        /** Any text. */
        TEXT,
        /** A whole number of at most nine digits, without a sign. */
        INTEGER,
        /** A number without a sign, which may have a fraction: 0.1. */
        NUMBER,
        /** {@code on} or {@code off}; also yes, true, enabled, 1 and no, false, disabled, 0. */
        FLAG,
        /** Seconds, or a number with ms, s, m, h, d. */
        DURATION,
        /** A number of KB, as in the Sun proxy, or of bytes with a unit: B, KiB, MiB, GiB. */
        KILOBYTES,
        /** One of {@link ParameterSpec#words}. */
        WORD,
        /** Absolute http or https URL of an origin: scheme, host, optional port. */
        ORIGIN,
        /** A path prefix that begins with a slash. */
        PATH,
        /** A shell expression over the path. */
        WILDCARD,
        /** A regular expression over the whole path. */
        REGEX
    }

    /**
     * Copies the words.
     *
     * @throws IllegalArgumentException if a {@link Type#WORD} has no words, or another type has some
     */
    public ParameterSpec {
        words = List.copyOf(words);
        if ((type == Type.WORD) == words.isEmpty()) {
            throw new IllegalArgumentException(
                    type == Type.WORD
                            ? "parameter \"" + name + "\" is a WORD without words: declare it with ParameterSpec.word"
                            : "parameter \"" + name + "\" has words, but is no WORD: " + type);
        }
    }

    /** An optional parameter. */
    public static ParameterSpec optional(String name, Type type, String doc) {
        return new ParameterSpec(name, type, null, false, false, List.of(), doc);
    }

    /** A parameter with a default. */
    public static ParameterSpec of(String name, Type type, String fallback, String doc) {
        return new ParameterSpec(name, type, fallback, false, false, List.of(), doc);
    }

    /** A required parameter. */
    public static ParameterSpec required(String name, Type type, String doc) {
        return new ParameterSpec(name, type, null, true, false, List.of(), doc);
    }

    /** A required parameter that may be given several times. */
    public static ParameterSpec repeated(String name, Type type, String doc) {
        return new ParameterSpec(name, type, null, true, true, List.of(), doc);
    }

    /** A parameter with a fixed set of words, with a default; {@code words} must not be empty. */
    public static ParameterSpec word(String name, String fallback, List<String> words, String doc) {
        return new ParameterSpec(name, Type.WORD, fallback, false, false, words, doc);
    }
}
