package io.weir.proxy.program.objconf;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the Init lines of an {@code obj.conf}, or of a {@code magnus.conf}: they are the configuration's. Stateless. */
public final class InitLines {
    private InitLines() {}

    /**
     * One Init line.
     *
     * @param function the value of {@code fn}, with {@code -} for {@code _}
     * @param parameters all others, in order
     */
    public record Line(String function, List<Parameter> parameters, ConfigNode.Place at) {
        public Line {
            parameters = List.copyOf(parameters);
        }

        /** The last parameter of that name; null: there is none. */
        public @Nullable Parameter parameter(String name) {
            return parameters.stream()
                    .filter(p -> p.name().equals(name))
                    .reduce((_, last) -> last)
                    .orElse(null);
        }
    }

    /**
     * A parameter of an Init line.
     *
     * @param value its text, with the configuration's variables in it
     * @param format the same as the format of an access log, in which all other variables are kept
     * @param unknown the first variable or expression that has no value at start; null: there is none
     */
    public record Parameter(
            String name,
            String value,
            String format,
            @Nullable String unknown,
            ConfigNode.Place at) {}

    /**
     * What a file has.
     *
     * @param problems of the whole file's syntax
     */
    public record Read(List<Line> lines, List<ConfigProblem> problems) {
        public Read {
            lines = List.copyOf(lines);
            problems = List.copyOf(problems);
        }
    }

    /**
     * Reads a file.
     *
     * @param name of the file, for places
     * @param variables those of the configuration, for {@code $name}
     */
    public static Read read(String name, String text, Map<String, String> variables) {
        ObjParser parser = new ObjParser(name, text);
        List<Line> lines = parser.parse().inits().stream()
                .map(line -> new Line(
                        line.function().replace('_', '-'),
                        line.parameters().stream()
                                .map(p -> parameter(p, variables))
                                .toList(),
                        line.at()))
                .toList();
        return new Read(lines, parser.problems());
    }

    private static Parameter parameter(ObjText.Parameter p, Map<String, String> variables) {
        StringBuilder value = new StringBuilder();
        StringBuilder format = new StringBuilder();
        String unknown = null;
        for (Expression part : p.value().parts()) {
            String known = part instanceof Expression.Literal literal
                    ? Values.text(literal.value())
                    : part instanceof Expression.Variable variable ? variables.get(variable.name()) : null;
            String written = known == null ? written(part) : known;
            value.append(written);
            format.append(known == null ? written : known.replace("$", "$$"));
            unknown = unknown == null && known == null ? written : unknown;
        }
        String name = p.subscript() == null ? p.name() : p.name() + "{" + p.subscript() + "}";
        return new Parameter(name, value.toString(), format.toString(), unknown, p.at());
    }

    private static String written(Expression part) {
        return switch (part) {
            case Expression.Variable v -> "$" + v.name();
            case Expression.Entry e
            when e.key() instanceof Expression.Literal key -> "$" + e.map() + "{" + Values.text(key.value()) + "}";
            default -> "$(...)";
        };
    }
}
