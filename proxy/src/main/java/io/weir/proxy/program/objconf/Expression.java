package io.weir.proxy.program.objconf;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.weir.base.ConfigNode;
import io.weir.proxy.program.match.PathPattern;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An expression of {@code obj.conf}, parsed; evaluated for each request. Immutable. */
sealed interface Expression {
    /** A {@link String}, a {@link Long}, a {@link Boolean}; null: undefined. */
    @Nullable
    Object evaluate(ExpressionInput input);

    /** A text, a number, true or false. */
    record Literal(Object value) implements Expression {
        @Override
        public Object evaluate(ExpressionInput input) {
            return value;
        }
    }

    /** {@code $uri}. */
    record Variable(String name, ConfigNode.Place at) implements Expression {
        @Override
        public @Nullable Object evaluate(ExpressionInput input) {
            return input.variable(name);
        }
    }

    /** {@code $headers{'host'}}. */
    record Entry(String map, Expression key, ConfigNode.Place at) implements Expression {
        @Override
        public @Nullable Object evaluate(ExpressionInput input) {
            Object k = key.evaluate(input);
            return k == null ? null : input.entry(map, Values.text(k));
        }
    }

    /** {@code $1} to {@code $9}; {@code $&} is 0. */
    record Group(int number) implements Expression {
        @Override
        public @Nullable Object evaluate(ExpressionInput input) {
            return input.group(number);
        }
    }

    /** A text in double quotes with something to evaluate. */
    record Text(Template template) implements Expression {
        @Override
        public @Nullable Object evaluate(ExpressionInput input) {
            return template.text(input);
        }
    }

    /** Operators before an expression. */
    enum Prefix {
        /** {@code !} and {@code not}. */
        NOT,
        /** {@code -}. */
        MINUS,
        /** {@code +}. */
        PLUS,
        /** {@code defined}. */
        DEFINED
    }

    /** An operator before an expression. */
    record Unary(Prefix operator, Expression operand) implements Expression {
        @Override
        public @Nullable Object evaluate(ExpressionInput input) {
            Object value = operand.evaluate(input);
            return switch (operator) {
                case NOT -> !Values.truth(value);
                case MINUS -> -Values.number(value);
                case PLUS -> Values.number(value);
                case DEFINED -> value != null;
            };
        }
    }

    /** {@code -e}, {@code -f} and so on. */
    record Test(char what, Expression path) implements Expression {
        @Override
        public @Nullable Object evaluate(ExpressionInput input) {
            return input.test(what, Values.text(path.evaluate(input)));
        }
    }

    /** Operators between two expressions, but for those that match patterns. */
    enum Infix {
        TIMES,
        DIVIDED,
        MODULO,
        PLUS,
        MINUS,
        CONCATENATED,
        LESS,
        LESS_OR_EQUAL,
        MORE,
        MORE_OR_EQUAL,
        EQUAL,
        NOT_EQUAL,
        TEXT_LESS,
        TEXT_LESS_OR_EQUAL,
        TEXT_MORE,
        TEXT_MORE_OR_EQUAL,
        TEXT_EQUAL,
        TEXT_NOT_EQUAL,
        XOR,
        AND,
        OR
    }

    /** An operator between two expressions. And and or evaluate the right one only if the left one does not decide. */
    record Binary(Infix operator, Expression left, Expression right) implements Expression {
        @Override
        public @Nullable Object evaluate(ExpressionInput input) {
            Object a = left.evaluate(input);
            if (operator == Infix.AND) {
                return Values.truth(a) && Values.truth(right.evaluate(input));
            }
            if (operator == Infix.OR) {
                return Values.truth(a) || Values.truth(right.evaluate(input));
            }
            Object b = right.evaluate(input);
            return switch (operator) {
                case XOR -> Values.truth(a) ^ Values.truth(b);
                case CONCATENATED -> Values.joined(Values.text(a), Values.text(b));
                case TIMES, DIVIDED, MODULO, PLUS, MINUS -> reckon(Values.number(a), Values.number(b));
                case LESS, LESS_OR_EQUAL, MORE, MORE_OR_EQUAL, EQUAL, NOT_EQUAL ->
                    holds(Long.compare(Values.number(a), Values.number(b)));
                default -> holds(Values.text(a).compareTo(Values.text(b)));
            };
        }

        /** Numbers wrap like those of the server whose language this is; nothing is divided by zero: undefined. */
        private @Nullable Object reckon(long a, long b) {
            return switch (operator) {
                case TIMES -> a * b;
                case PLUS -> a + b;
                case MINUS -> a - b;
                case DIVIDED -> b == 0 ? null : (Object) (a / b);
                default -> b == 0 ? null : (Object) (a % b);
            };
        }

        private boolean holds(int compared) {
            return switch (operator) {
                case LESS, TEXT_LESS -> compared < 0;
                case LESS_OR_EQUAL, TEXT_LESS_OR_EQUAL -> compared <= 0;
                case MORE, TEXT_MORE -> compared > 0;
                case MORE_OR_EQUAL, TEXT_MORE_OR_EQUAL -> compared >= 0;
                case EQUAL, TEXT_EQUAL -> compared == 0;
                default -> compared != 0;
            };
        }
    }

    /**
     * {@code =}: the whole text matches a shell expression.
     *
     * @param written the shell expression
     */
    record Wildcard(Expression text, PathPattern pattern, String written) implements Expression {
        @Override
        public Object evaluate(ExpressionInput input) {
            Object value = text.evaluate(input);
            byte[] bytes = Values.text(value).getBytes(StandardCharsets.ISO_8859_1);
            return value != null && pattern.matches(bytes, 0, bytes.length);
        }
    }

    /**
     * {@code =~} and {@code !~}: some part of the text matches a regular expression. A match sets the groups.
     *
     * @param wanted false: {@code !~}
     */
    record Regex(Expression text, Pattern pattern, boolean wanted) implements Expression {
        @Override
        public Object evaluate(ExpressionInput input) {
            Object value = text.evaluate(input);
            if (value == null) {
                return !wanted;
            }
            Matcher matcher = pattern.matcher(Values.text(value));
            boolean found = matcher.find();
            if (found) {
                @Nullable String[] groups = new @Nullable String[Math.min(matcher.groupCount(), 9) + 1];
                for (int i = 0; i < groups.length; i++) {
                    groups[i] = matcher.group(i);
                }
                input.groups(groups);
            }
            return found == wanted;
        }
    }

    /** {@code condition ? then : otherwise}. */
    record Choice(Expression condition, Expression then, Expression otherwise) implements Expression {
        @Override
        public @Nullable Object evaluate(ExpressionInput input) {
            return Values.truth(condition.evaluate(input)) ? then.evaluate(input) : otherwise.evaluate(input);
        }
    }

    /** Functions of an expression's own. */
    enum Function {
        ABS(1, 1),
        CHOOSE(1, 1),
        ESCAPE(1, 1),
        HTTPDATE(1, 1),
        LC(1, 1),
        LENGTH(1, 1),
        UC(1, 1),
        UNESCAPE(1, 1),
        ATIME(1, 1),
        CTIME(1, 1),
        MTIME(1, 1),
        LOOKUP(2, 3),
        OWNER(1, 1),
        UUID(0, 0);

        final int least;
        final int most;

        Function(int least, int most) {
            this.least = least;
            this.most = most;
        }

        /** As written. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** {@code lc($headers{'host'})}. */
    record Call(Function function, List<Expression> arguments) implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }

        @Override
        public @Nullable Object evaluate(ExpressionInput input) {
            Object[] values = new Object[arguments.size()];
            for (int i = 0; i < values.length; i++) {
                Object value = arguments.get(i).evaluate(input);
                if (value == null) {
                    return null;
                }
                values[i] = value;
            }
            return switch (function) {
                case ABS -> Math.abs(Values.number(values[0]));
                case LC -> Values.text(values[0]).toLowerCase(Locale.ROOT);
                case UC -> Values.text(values[0]).toUpperCase(Locale.ROOT);
                case LENGTH -> (long) Values.text(values[0]).length();
                case ESCAPE -> escaped(Values.text(values[0]));
                case UNESCAPE -> UriEscapes.unescape(Values.text(values[0]));
                default -> input.call(function, values);
            };
        }

        /** Each escape is longer than what it stands for. */
        private static String escaped(String text) {
            Values.bounded(text.length());
            String escaped = UriEscapes.escape(text);
            Values.bounded(escaped.length());
            return escaped;
        }
    }
}
