package io.weir.proxy.program.run;

import io.weir.base.Durations;
import io.weir.base.Nearest;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.origin.Origin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks a function's configured parameters against its declaration. Stateless. */
public final class ParameterCheck {
    private ParameterCheck() {}

    /** Checks the parameters; every problem is reported, and the result must be used only if there was none. */
    public static Parameters of(ServerFunction function, Map<String, List<String>> written, Consumer<String> problem) {
        return of(function, written, (_, what) -> problem.accept(what));
    }

    /** The same, for who wants to know the parameter of each problem. */
    public static Parameters of(
            ServerFunction function, Map<String, List<String>> written, BiConsumer<String, String> problem) {
        Map<String, ParameterSpec> specs = new LinkedHashMap<>();
        for (ParameterSpec spec : function.parameters()) {
            specs.put(spec.name(), spec);
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        written.forEach((name, texts) -> {
            ParameterSpec further = specs.containsKey(name) ? null : function.further(name);
            if (further != null) {
                specs.put(name, further);
            }
            ParameterSpec spec = specs.get(name);
            if (spec == null) {
                problem.accept(name, unknown(function, name, specs));
            } else if (texts.size() > 1 && !spec.repeatable()) {
                problem.accept(name, function.name() + ": parameter \"" + name + "\" is given more than once");
            } else if (accept(function, spec, texts, problem)) {
                values.put(name, List.copyOf(texts));
            }
        });
        for (ParameterSpec spec : specs.values()) {
            if (spec.required() && !written.containsKey(spec.name())) {
                problem.accept(
                        spec.name(), function.name() + ": parameter \"" + spec.name() + "\" is missing: " + spec.doc());
            }
        }
        return Parameters.of(List.copyOf(specs.values()), values);
    }

    private static String unknown(ServerFunction function, String name, Map<String, ParameterSpec> specs) {
        String nearest = Nearest.of(name, specs.keySet());
        return function.name() + ": unknown parameter \"" + name + "\""
                + (nearest == null ? "." : "; did you mean \"" + nearest + "\"?") + " Known here: "
                + (specs.isEmpty() ? "none" : String.join(", ", specs.keySet()));
    }

    private static boolean accept(
            ServerFunction function, ParameterSpec spec, List<String> texts, BiConsumer<String, String> problem) {
        boolean good = true;
        for (String text : texts) {
            String fault = fault(spec, text);
            String expected = fault == null ? expected(spec, text) : null;
            if (fault != null) {
                good = false;
                problem.accept(spec.name(), function.name() + ": parameter \"" + spec.name() + "\": " + fault);
            } else if (expected != null) {
                good = false;
                String wanted = expected.startsWith("expected ") ? expected : "expected " + expected;
                problem.accept(
                        spec.name(),
                        function.name() + ": parameter \"" + spec.name() + "\": " + wanted + ", found \"" + text
                                + "\"");
            }
        }
        return good;
    }

    /** What is wrong with a pattern, which the message shows; null: nothing, or it is none. */
    private static @Nullable String fault(ParameterSpec spec, String text) {
        try {
            switch (spec.type()) {
                case WILDCARD -> Patterns.parse(PathMatch.WILDCARD, text);
                case REGEX -> Patterns.parse(PathMatch.REGEX, text);
                default -> {
                    // no pattern
                }
            }
            return null;
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** What was expected, or null if the text is valid. */
    private static @Nullable String expected(ParameterSpec spec, String text) {
        try {
            return switch (spec.type()) {
                case TEXT -> null;
                case INTEGER -> text.matches("[0-9]{1,9}") ? null : "a number of at most nine digits";
                case NUMBER -> text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?") ? null : "a number such as 0.1";
                case FLAG -> Parameters.flag(text) == null ? "on or off" : null;
                case DURATION -> Durations.parse(text).isNegative() ? "a duration" : null;
                case KILOBYTES -> Parameters.bytes(text) < 0 ? "a size" : null;
                case WORD -> spec.words().contains(text) ? null : "one of " + String.join(", ", spec.words());
                case PATH -> text.startsWith("/") ? null : "a path that begins with a slash";
                case ORIGIN -> Origin.parse(text).host().isEmpty() ? "an origin" : null;
                case WILDCARD, REGEX -> null;
            };
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
