package io.weir.proxy.program.objconf;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The value of a parameter, or a text in double quotes: text and expressions in turn. Immutable.
 *
 * @param parts each a {@link Expression.Literal} or an expression to evaluate; adjacent texts are one part
 * @param written as it stands in the file, without the quotes around it
 */
record Template(List<Expression> parts, String written) {
    Template {
        parts = List.copyOf(parts);
    }

    static Template of(String text) {
        return new Template(List.of(new Expression.Literal(text)), text);
    }

    /** The text if nothing is to be evaluated, else null. */
    @Nullable
    String constant() {
        if (parts.isEmpty()) {
            return "";
        }
        return parts.size() == 1 && parts.getFirst() instanceof Expression.Literal only
                ? Values.text(only.value())
                : null;
    }

    /** The text if it depends only on these variables, else null. */
    @Nullable
    String constant(Map<String, String> variables) {
        StringBuilder text = new StringBuilder();
        for (Expression part : parts) {
            Object value = switch (part) {
                case Expression.Literal literal -> literal.value();
                case Expression.Variable variable -> variables.get(variable.name());
                default -> null;
            };
            if (value == null) {
                return null;
            }
            text.append(Values.text(value));
        }
        return text.toString();
    }

    /**
     * The text for a request. Parts that are undefined are empty.
     *
     * @return null if all parts are expressions, and all are undefined
     * @throws IllegalStateException if it would be longer than {@link Values#MAX_TEXT}
     */
    @Nullable
    String text(ExpressionInput input) {
        StringBuilder text = new StringBuilder();
        boolean defined = parts.isEmpty();
        for (Expression part : parts) {
            Object value = part.evaluate(input);
            if (value != null) {
                defined = true;
                Values.append(text, Values.text(value));
            }
        }
        return defined ? text.toString() : null;
    }
}
