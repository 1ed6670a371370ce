package io.weir.proxy.function;

import io.weir.base.ByteSize;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directive's parameters, checked against their declarations ({@link RequestFunction#parameters}). Immutable, shared.
 * Reading an undeclared parameter is an error of the function: {@link IllegalStateException}, at start and at each
 * change of the configuration.
 */
public final class Parameters {
    private final Map<String, List<String>> values;
    private final Map<String, ParameterSpec> specs;

    private Parameters(Map<String, List<String>> values, Map<String, ParameterSpec> specs) {
        this.values = values;
        this.specs = specs;
    }

    /**
     * The parameters of a function as a route gives them. Weir validates them first; a test of a function can create
     * its own.
     *
     * @param declared the function's declarations
     * @param written texts by name; several for a repeatable parameter
     */
    public static Parameters of(List<ParameterSpec> declared, Map<String, List<String>> written) {
        Map<String, ParameterSpec> specs = new LinkedHashMap<>();
        declared.forEach(spec -> specs.put(spec.name(), spec));
        return new Parameters(Collections.unmodifiableMap(new LinkedHashMap<>(written)), specs);
    }

    /**
     * Parses a {@link ParameterSpec.Type#FLAG}, with the words that {@code obj.conf} accepts, in any case; null if it
     * is none of them.
     */
    public static @Nullable Boolean flag(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "on", "yes", "true", "enabled", "1" -> true;
            case "off", "no", "false", "disabled", "0" -> false;
            default -> null;
        };
    }

    /** All values of a repeatable parameter, in the order of the file; its default, or empty if none is given. */
    public List<String> all(String name) {
        ParameterSpec spec = spec(name);
        List<String> given = values.get(name);
        if (given != null) {
            return given;
        }
        return spec.fallback() == null ? List.of() : List.of(spec.fallback());
    }

    /** The value or its default, or null if there is neither. */
    public @Nullable String text(String name) {
        List<String> all = all(name);
        return all.isEmpty() ? null : all.getFirst();
    }

    /**
     * The value or its default, of a parameter that is required or has a default.
     *
     * @throws IllegalArgumentException if there is neither
     */
    public String need(String name) {
        String text = text(name);
        if (text == null) {
            throw new IllegalArgumentException("parameter \"" + name + "\" is missing");
        }
        return text;
    }

    /** The value of an {@link ParameterSpec.Type#INTEGER}, 0 to 999,999,999. @throws IllegalArgumentException without one */
    public int integer(String name) {
        return Integer.parseInt(need(name));
    }

    /** The value of a {@link ParameterSpec.Type#KILOBYTES} in bytes; {@code otherwise} if there is none. */
    public long bytes(String name, long otherwise) {
        String text = text(name);
        return text == null ? otherwise : bytes(text);
    }

    /**
     * Parses a {@link ParameterSpec.Type#KILOBYTES}: KB of 1,024 bytes, or a number with its unit.
     *
     * @return bytes
     * @throws IllegalArgumentException saying what was expected
     */
    public static long bytes(String text) {
        return text.matches("[0-9]{1,15}")
                ? Long.parseLong(text) * 1024
                : ByteSize.parse(text).bytes();
    }

    /** The value of a {@link ParameterSpec.Type#NUMBER}, not negative. @throws IllegalArgumentException without one */
    public double number(String name) {
        return Double.parseDouble(need(name));
    }

    /** The value of a {@link ParameterSpec.Type#FLAG}. @throws IllegalArgumentException without one */
    public boolean on(String name) {
        return Boolean.TRUE.equals(flag(need(name)));
    }

    /** The names of those that the route specifies, in the order of the file. */
    public Set<String> names() {
        return values.keySet();
    }

    /** Whether the route specifies it, whatever its value. */
    public boolean given(String name) {
        return values.containsKey(name);
    }

    private ParameterSpec spec(String name) {
        ParameterSpec spec = specs.get(name);
        if (spec == null) {
            throw new IllegalStateException("parameter " + name + " is not declared");
        }
        return spec;
    }

    /** As written, without defaults: {@code from="/a" name="b"}. */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        values.forEach((name, texts) -> texts.forEach(
                t -> words.add(name + "=\"" + t.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")));
        return String.join(" ", words);
    }
}
