package io.weir.proxy.function;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A declared parameter of a function: what configuration is checked against and documentation is made from. Immutable.
 *
 * @param name as written, case-sensitive
 * @param type what its text must be
 * @param fallback the default's text; null: none
 * @param required whether it must be given
 * @param repeatable whether it may be given several times
 * @param words the allowed words of a {@link Type#WORD}
 * @param doc what it does
 */
public record ParameterSpec(
        String name,
        Type type,
        @Nullable String fallback,
        boolean required,
        boolean repeatable,
        List<String> words,
        String doc) {
    /** What a parameter's text must be. */
    public enum Type {
        TEXT,
        INTEGER,
        NUMBER,
        FLAG,
        /** Seconds, or a number with ms, s, m, h, d. */
        DURATION,
        /** A number of KB, as in the Sun proxy, or of bytes with a unit: B, KiB, MiB, GiB. */
        KILOBYTES,
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

    /** Keeps a copy of the words; empty but for {@link Type#WORD}. */
    public ParameterSpec {
        words = List.copyOf(words);
    }

    /** One that may be left out. */
    public static ParameterSpec optional(String name, Type type, String doc) {
        return new ParameterSpec(name, type, null, false, false, List.of(), doc);
    }

    /** One with a default. */
    public static ParameterSpec of(String name, Type type, String fallback, String doc) {
        return new ParameterSpec(name, type, fallback, false, false, List.of(), doc);
    }

    /** One that must be given. */
    public static ParameterSpec required(String name, Type type, String doc) {
        return new ParameterSpec(name, type, null, true, false, List.of(), doc);
    }

    /** One that must be given, and may be given several times. */
    public static ParameterSpec repeated(String name, Type type, String doc) {
        return new ParameterSpec(name, type, null, true, true, List.of(), doc);
    }

    /** One of several words, with a default. */
    public static ParameterSpec word(String name, String fallback, List<String> words, String doc) {
        return new ParameterSpec(name, Type.WORD, fallback, false, false, words, doc);
    }
}
