package io.weir.proxy.program.objconf;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Generated expressions have the value that a slow evaluator finds, which knows the table of precedence and no parser: it
 * evaluates trees, and writes them with the parentheses that the table demands and no others.
 */
class ExpressionFuzzTest {
    private static final int EXPRESSIONS = 5_000;
    private static final Map<String, Object> VARIABLES =
            Map.of("$uri", "/a/b", "$query", "7", "method", "GET", "$restarted", true);

    /** The operators between two expressions, by line of the table, the loosest first. */
    private static final List<List<String>> TABLE = List.of(
            List.of("or", "xor"),
            List.of("and"),
            List.of("not"),
            List.of("?"),
            List.of("||"),
            List.of("&&"),
            List.of("^"),
            List.of("==", "!=", "eq", "ne"),
            List.of("<", "<=", ">", ">=", "lt", "le", "gt", "ge"),
            List.of("defined"),
            List.of("+", "-", "."),
            List.of("*", "/", "%"),
            List.of("=~", "="),
            List.of("!"));

    /** A tree; its line in the table, and what it is made of. */
    private record Tree(
            int line,
            String operator,
            List<Tree> parts,
            @Nullable Object value) {
        static Tree leaf(String text, @Nullable Object value) {
            return new Tree(TABLE.size(), text, List.of(), value);
        }

        /** As text, in which all that the table lets one leave out is left out. */
        String text() {
            return switch (operator) {
                case "not", "defined" -> operator + " " + operand(0);
                case "!" -> "!" + operand(0);
                case "?" -> within(0, line + 1) + " ? " + parts.get(1).text() + " : " + within(2, line);
                default ->
                    parts.isEmpty() ? operator : within(0, leftLeast()) + " " + operator + " " + within(1, line + 1);
            };
        }

        /** Operators that compare do not chain; the others group from the left. */
        private int leftLeast() {
            boolean chains = line != 7 && line != 8 && line != 12;
            return chains ? line : line + 1;
        }

        private String operand(int i) {
            return within(i, line);
        }

        /**
         * A part that the table binds less than this is put in parentheses; so is one that ends in an operator before an
         * expression that binds less: it would take what follows.
         */
        private String within(int i, int least) {
            Tree part = parts.get(i);
            boolean safe = part.line >= least && (i == parts.size() - 1 || !part.endsOpen(least));
            return safe ? part.text() : "(" + part.text() + ")";
        }

        /** Whether its text ends in an operand that would take in an operator of a line. */
        private boolean endsOpen(int least) {
            if (parts.isEmpty()) {
                return false;
            }
            boolean prefix = operator.equals("not") || operator.equals("defined") || operator.equals("!");
            return (prefix && line < least)
                    || operator.equals("?")
                    || parts.getLast().endsOpen(least)
                    || prefixed();
        }

        private boolean prefixed() {
            Tree last = this;
            while (!last.parts.isEmpty()) {
                if (last.operator.equals("not") || last.operator.equals("defined")) {
                    return true;
                }
                last = last.parts.getLast();
            }
            return false;
        }

        /** Its value, by the definition of each operator. */
        @Nullable
        Object evaluate() {
            if (parts.isEmpty()) {
                return value;
            }
            Object a = parts.getFirst().evaluate();
            return switch (operator) {
                case "not", "!" -> (Object) !truth(a);
                case "defined" -> a != null;
                case "?" -> parts.get(truth(a) ? 1 : 2).evaluate();
                default -> evaluate(a, parts.get(1).evaluate());
            };
        }

        private @Nullable Object evaluate(@Nullable Object a, @Nullable Object b) {
            long m = number(a);
            long n = number(b);
            int order = text(a).compareTo(text(b));
            return switch (operator) {
                case "or", "||" -> truth(a) || truth(b);
                case "and", "&&" -> truth(a) && truth(b);
                case "xor", "^" -> truth(a) != truth(b);
                case "==" -> m == n;
                case "!=" -> m != n;
                case "<" -> m < n;
                case "<=" -> m <= n;
                case ">" -> m > n;
                case ">=" -> m >= n;
                case "eq" -> order == 0;
                case "ne" -> order != 0;
                case "lt" -> order < 0;
                case "le" -> order <= 0;
                case "gt" -> order > 0;
                case "ge" -> order >= 0;
                case "+" -> m + n;
                case "-" -> m - n;
                case "*" -> m * n;
                case "/" -> n == 0 ? null : (Object) (m / n);
                case "%" -> n == 0 ? null : (Object) (m % n);
                case "." -> text(a) + text(b);
                // patterns are leaves with plain letters: =~ finds them anywhere, = compares the whole
                case "=~" -> a != null && text(a).contains(text(b));
                case "=" -> a != null && text(a).equals(text(b));
                default -> throw new IllegalStateException(operator);
            };
        }

        private static boolean truth(@Nullable Object value) {
            String text = text(value);
            return !text.isEmpty() && !text.equals("0");
        }

        private static String text(@Nullable Object value) {
            return value == null ? "" : value instanceof Boolean b ? (b ? "1" : "0") : value.toString();
        }

        private static long number(@Nullable Object value) {
            String digits = text(value).replaceFirst("^(-?[0-9]+)?.*$", "$1");
            return digits.isEmpty() ? 0 : Long.parseLong(digits);
        }
    }

    private static final class Input implements ExpressionInput {
        @Override
        public @Nullable Object variable(String name) {
            return VARIABLES.getOrDefault("$" + name, VARIABLES.get(name));
        }

        @Override
        public @Nullable Object entry(String map, String key) {
            return null;
        }

        @Override
        public @Nullable String group(int number) {
            return null;
        }

        @Override
        public void groups(@Nullable String[] groups) {
            // not asked for
        }

        @Override
        public @Nullable Object call(Expression.Function function, Object[] arguments) {
            return null;
        }

        @Override
        public @Nullable Object test(char what, String path) {
            return null;
        }
    }

    private static Tree tree(RandomGenerator random, int depth) {
        if (depth == 0 || random.nextInt(5) == 0) {
            return leaf(random);
        }
        int line = random.nextInt(TABLE.size());
        List<String> operators = TABLE.get(line);
        String operator = operators.get(random.nextInt(operators.size()));
        List<Tree> parts = switch (operator) {
            case "not", "!", "defined" -> List.of(tree(random, depth - 1));
            case "?" -> List.of(tree(random, depth - 1), tree(random, depth - 1), tree(random, depth - 1));
            case "=~", "=" -> List.of(tree(random, depth - 1), pattern(random));
            default -> List.of(tree(random, depth - 1), tree(random, depth - 1));
        };
        return new Tree(line, operator, parts, null);
    }

    private static Tree leaf(RandomGenerator random) {
        if (random.nextInt(3) == 0) {
            List<String> names = VARIABLES.keySet().stream().sorted().toList();
            String name = names.get(random.nextInt(names.size()));
            return Tree.leaf(name, VARIABLES.get(name));
        }
        if (random.nextInt(8) == 0) {
            return Tree.leaf("$undefined", null);
        }
        if (random.nextBoolean()) {
            long n = random.nextInt(12);
            return Tree.leaf(String.valueOf(n), n);
        }
        return pattern(random);
    }

    private static Tree pattern(RandomGenerator random) {
        String text = List.of("a", "ab", "7", "0", "GET", "b").get(random.nextInt(6));
        return Tree.leaf(random.nextBoolean() ? "'" + text + "'" : "\"" + text + "\"", text);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void generatedExpressionsHaveTheValueOfTheSlowEvaluator(long seed) throws Exception {
        RandomGenerator random = Chance.seeded(seed).random();
        for (int i = 0; i < EXPRESSIONS; i++) {
            Tree tree = tree(random, 1 + random.nextInt(5));
            String text = tree.text();
            Expression parsed = new ExpressionParser(new ObjSource("obj.conf", text)).whole();
            assertThat(Values.text(parsed.evaluate(new Input()))).as(text).isEqualTo(Tree.text(tree.evaluate()));
        }
    }

    /** Whatever is read: an expression or a mistake with its place, and no other exception. */
    @Test
    void anyTextIsReadOrRefused() {
        RandomGenerator random = Chance.seeded(5).random();
        List<String> pieces = List.of(
                "(", ")", "$", "{", "}", "'", "\"", "\\", "uri", "and", "not", "=", "=~", "!", "<", ">", "?", ":", "-e",
                "1", "0x", ".", "*", " ", "\n", "#", "$&", "$1", "lc", ",", "%", "é", "&&", "defined");
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = random.nextInt(12); k >= 0; k--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            try {
                new ExpressionParser(new ObjSource("obj.conf", text.toString()))
                        .whole()
                        .evaluate(new Input());
            } catch (ObjSyntaxException e) {
                refused++;
                assertThat(e.at().line()).as(text.toString()).isPositive();
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
        assertThat(refused).isBetween(10_000, 20_000);
    }
}
