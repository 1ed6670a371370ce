package io.weir.proxy.program;

import io.weir.base.ByteSize;
import io.weir.base.Durations;
import io.weir.base.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A directive's parameters, checked against their declarations. Immutable. */
public final class Parameters {
    private final Map<String, List<String>> values;
    private final Map<String, ParameterSpec> specs;

    private Parameters(Map<String, List<String>> values, Map<String, ParameterSpec> specs) {
        this.values = values;
        this.specs = specs;
    }

    /** Checks what was written; every problem is told, and the result is to be used only when there was none. */
    static Parameters check(ServerFunction function, Map<String, List<String>> written, Consumer<String> problem) {
        Map<String, ParameterSpec> specs = new LinkedHashMap<>();
        for (ParameterSpec spec : function.parameters()) {
            specs.put(spec.name(), spec);
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        written.forEach((name, texts) -> {
            ParameterSpec spec = specs.get(name);
            if (spec == null) {
                problem.accept(unknown(function, name, specs));
            } else if (texts.size() > 1 && !spec.repeatable()) {
                problem.accept(function.name() + ": parameter \"" + name + "\" is given more than once");
            } else if (accept(function, spec, texts, problem)) {
                values.put(name, List.copyOf(texts));
            }
        });
        for (ParameterSpec spec : specs.values()) {
            if (spec.required() && !written.containsKey(spec.name())) {
                problem.accept(function.name() + ": parameter \"" + spec.name() + "\" is missing: " + spec.doc());
            }
        }
        return new Parameters(values, specs);
    }

    private static String unknown(ServerFunction function, String name, Map<String, ParameterSpec> specs) {
        String nearest = Nearest.of(name, specs.keySet());
        return function.name() + ": unknown parameter \"" + name + "\""
                + (nearest == null ? "." : "; did you mean \"" + nearest + "\"?") + " Known here: "
                + (specs.isEmpty() ? "none" : String.join(", ", specs.keySet()));
    }

    private static boolean accept(
            ServerFunction function, ParameterSpec spec, List<String> texts, Consumer<String> problem) {
        boolean good = true;
        for (String text : texts) {
            String expected = expected(spec, text);
            if (expected != null) {
                good = false;
                String wanted = expected.startsWith("expected ") ? expected : "expected " + expected;
                problem.accept(function.name() + ": parameter \"" + spec.name() + "\": " + wanted + ", found \"" + text
                        + "\"");
            }
        }
        return good;
    }

    /** What was expected, or null when the text is what it should be. */
    private static @Nullable String expected(ParameterSpec spec, String text) {
        try {
            return switch (spec.type()) {
                case TEXT -> null;
                case INTEGER -> text.matches("[0-9]{1,9}") ? null : "a number of at most nine digits";
                case NUMBER -> text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?") ? null : "a number such as 0.1";
                case FLAG -> flag(text) == null ? "on or off" : null;
                case DURATION -> Durations.parse(text).isNegative() ? "a duration" : null;
                case KILOBYTES -> bytes(text) < 0 ? "a size" : null;
                case WORD -> spec.words().contains(text) ? null : "one of " + String.join(", ", spec.words());
                case PATH -> text.startsWith("/") ? null : "a path that begins with a slash";
                case ORIGIN -> Origin.parse(text).host().isEmpty() ? "an origin" : null;
                case WILDCARD -> {
                    Patterns.parse(PathMatch.WILDCARD, text);
                    yield null;
                }
                case REGEX -> {
                    Patterns.parse(PathMatch.REGEX, text);
                    yield null;
                }
            };
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** The words that the seed accepts (reference 1.5), or null. */
    private static @Nullable Boolean flag(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "on", "yes", "true", "enabled", "1" -> true;
            case "off", "no", "false", "disabled", "0" -> false;
            default -> null;
        };
    }

    /** All values of a repeatable parameter. */
    public List<String> all(String name) {
        ParameterSpec spec = spec(name);
        List<String> given = values.get(name);
        if (given != null) {
            return given;
        }
        return spec.fallback() == null ? List.of() : List.of(spec.fallback());
    }

    /** The value or its default, or null when there is neither. */
    public @Nullable String text(String name) {
        List<String> all = all(name);
        return all.isEmpty() ? null : all.getFirst();
    }

    /** The value or its default, of a parameter that is required or has a default. */
    public String need(String name) {
        String text = text(name);
        if (text == null) {
            throw new IllegalArgumentException("parameter \"" + name + "\" is missing");
        }
        return text;
    }

    public int integer(String name) {
        return Integer.parseInt(need(name));
    }

    /** A size in bytes; {@code otherwise} when it was not written. */
    public long bytes(String name, long otherwise) {
        String text = text(name);
        return text == null ? otherwise : bytes(text);
    }

    private static long bytes(String text) {
        return text.matches("[0-9]{1,9}")
                ? Long.parseLong(text) * 1024
                : ByteSize.parse(text).bytes();
    }

    public double number(String name) {
        return Double.parseDouble(need(name));
    }

    public boolean on(String name) {
        return Boolean.TRUE.equals(flag(need(name)));
    }

    /** Whether it was written, whatever its value. */
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
