package io.weir.jms.selector;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Random selectors against an interpreter that never parses: it makes the text and its meaning side by side, with boxed
 * values, optional truth and regular expressions.
 */
class SelectorDifferenceTest {
    private static final String[] NAMES = {"i", "l", "f", "d", "s", "t", "yes", "no", "gone"};
    private static final String[] TEXTS = {"", "a", "ab", "b%", "a_b", "it's", "ü€"};

    /** A selector's text with its meaning; empty stands for unknown or null. */
    private record Made<T>(String text, Function<Message, Optional<T>> meaning) {}

    private RandomGenerator chance = Chance.seeded(0).random();

    private int below(int n) {
        return chance.nextInt(n);
    }

    @RepeatedTest(20)
    void randomSelectorsMeanTheSame(RepetitionInfo info) throws SelectorFault {
        chance = Chance.seeded(4_000L + info.getCurrentRepetition()).random();
        List<Message> messages = List.of(message(), message(), message(), message());
        for (int i = 0; i < 500; i++) {
            Made<Boolean> made = condition(4);
            for (Message m : messages) {
                int expected = made.meaning.apply(m).map(Condition::of).orElse(Condition.UNKNOWN);
                assertThat(m.test(made.text))
                        .as("%s with %s", made.text, m.properties)
                        .isEqualTo(expected);
            }
        }
    }

    private Message message() {
        Message m = Message.with("i", below(5) - 2, "l", (long) below(4), "f", below(4) / 2f, "d", below(6) / 2.0);
        m.properties.put("s", TEXTS[below(TEXTS.length)]);
        m.properties.put("t", TEXTS[below(TEXTS.length)]);
        m.properties.put("yes", true);
        m.properties.put("no", false);
        m.head.priority = below(10);
        m.head.persistent = below(2) == 0;
        m.head.type = below(2) == 0 ? null : TEXTS[below(TEXTS.length)];
        return m;
    }

    private Made<Boolean> condition(int depth) {
        if (depth == 0 || below(5) == 0) {
            return simple();
        }
        return switch (below(4)) {
            case 0 -> not(condition(depth - 1));
            case 1 -> joined(" AND ", condition(depth - 1), condition(depth - 1), false);
            case 2 -> joined(" or ", condition(depth - 1), condition(depth - 1), true);
            default -> simple();
        };
    }

    private static Made<Boolean> not(Made<Boolean> a) {
        return new Made<>("NOT (" + a.text + ")", m -> a.meaning.apply(m).map(b -> !b));
    }

    /** {@code decides}: the value that settles it whatever the other is. */
    private static Made<Boolean> joined(String word, Made<Boolean> a, Made<Boolean> b, boolean decides) {
        return new Made<>("(" + a.text + ")" + word + "(" + b.text + ")", m -> {
            List<Optional<Boolean>> both = List.of(a.meaning.apply(m), b.meaning.apply(m));
            if (both.contains(Optional.of(decides))) {
                return Optional.of(decides);
            }
            return both.contains(Optional.<Boolean>empty()) ? Optional.empty() : Optional.of(!decides);
        });
    }

    private Made<Boolean> simple() {
        return switch (below(8)) {
            case 0 -> flag(NAMES[below(NAMES.length)]);
            case 1 -> isNull(NAMES[below(NAMES.length)], below(2) == 0);
            case 2 -> like(name(), TEXTS[below(TEXTS.length)] + "%".repeat(below(2)) + "_".repeat(below(2)));
            case 3 -> in(name());
            case 4 -> between();
            case 5 -> equality(anything(), anything());
            default -> compared(below(6), number(2), number(2));
        };
    }

    /** Of what can be compared, whatever the message: else the selector does not parse. */
    private Made<Boolean> equality(Made<Object> a, Made<Object> b) {
        boolean comparable = kind(a.text) == ' ' || kind(b.text) == ' ' || kind(a.text) == kind(b.text);
        return comparable ? compared(below(2), a, b) : equality(anything(), anything());
    }

    private static char kind(String text) {
        char first = text.charAt(0);
        boolean number = first == '(' || Character.isDigit(first);
        return first == '\'' ? 's' : number ? 'n' : text.equals("TRUE") || text.equals("FALSE") ? 'b' : ' ';
    }

    private String name() {
        return below(6) == 0 ? "JMSType" : below(6) == 0 ? "JMSDeliveryMode" : NAMES[below(NAMES.length)];
    }

    private static Optional<Object> named(Message m, String name) {
        return Optional.ofNullable(m.value(name));
    }

    private static Made<Boolean> flag(String name) {
        return new Made<>(name, m -> named(m, name).map(v -> v.equals(true)));
    }

    private static Made<Boolean> isNull(String name, boolean negated) {
        String text = name + (negated ? " IS NOT NULL" : " is null");
        return new Made<>(text, m -> Optional.of(named(m, name).isPresent() == negated));
    }

    private Made<Boolean> like(String name, String pattern) {
        boolean escaped = below(3) == 0;
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            boolean wild = (c == '%' || c == '_') && !escaped;
            regex.append(wild ? (c == '%' ? ".*" : ".") : Pattern.quote(String.valueOf(c)));
        }
        String written = escaped ? pattern.replaceAll("[%_]", "!$0") : pattern;
        Pattern p = Pattern.compile(regex.toString(), Pattern.DOTALL);
        boolean negated = below(2) == 0;
        return new Made<>(
                name + (negated ? " NOT LIKE " : " LIKE ") + quoted(written) + (escaped ? " ESCAPE '!'" : ""),
                m -> named(m, name)
                        .map(v -> v instanceof String s && p.matcher(s).matches() != negated));
    }

    private Made<Boolean> in(String name) {
        List<String> all = new ArrayList<>();
        for (int n = below(3); n >= 0; n--) {
            all.add(TEXTS[below(TEXTS.length)]);
        }
        String list = String.join(
                ", ", all.stream().map(SelectorDifferenceTest::quoted).toList());
        boolean negated = below(2) == 0;
        return new Made<>(
                name + (negated ? " NOT IN (" : " in(") + list + ")",
                m -> named(m, name).map(v -> v instanceof String s && all.contains(s) != negated));
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private Made<Boolean> between() {
        Made<Object> x = number(1);
        Made<Object> low = number(1);
        Made<Object> high = number(1);
        boolean negated = below(2) == 0;
        Made<Boolean> both = negated
                ? joined(" OR ", compared(2, x, low), compared(4, x, high), true)
                : joined(" AND ", compared(5, x, low), compared(3, x, high), false);
        String word = negated ? " NOT BETWEEN " : " BETWEEN ";
        return new Made<>(x.text + word + low.text + " AND " + high.text, both.meaning);
    }

    private Made<Object> anything() {
        return switch (below(4)) {
            case 0 -> number(1);
            case 1 -> constant(TEXTS[below(TEXTS.length)]);
            case 2 ->
                below(2) == 0
                        ? new Made<>("TRUE", m -> Optional.of(true))
                        : new Made<>("FALSE", m -> Optional.of(false));
            default -> {
                String name = name();
                yield new Made<>(name, m -> named(m, name));
            }
        };
    }

    private static Made<Object> constant(String text) {
        return new Made<>(quoted(text), m -> Optional.of(text));
    }

    private Made<Object> number(int depth) {
        if (depth > 0 && below(3) == 0) {
            return arithmetic("+-*/".charAt(below(4)), number(depth - 1), number(depth - 1));
        }
        return switch (below(4)) {
            case 0 -> {
                long value = below(5);
                yield new Made<>(value + "", m -> Optional.of(value));
            }
            case 1 -> {
                double value = below(5) / 2.0;
                yield new Made<>(value + "", m -> Optional.of(value));
            }
            case 2 -> new Made<>("JMSPriority", m -> named(m, "JMSPriority"));
            default -> {
                String name = NAMES[below(NAMES.length)];
                yield new Made<>(name, m -> named(m, name));
            }
        };
    }

    private static Made<Object> arithmetic(char sign, Made<Object> a, Made<Object> b) {
        return new Made<>("(" + a.text + " " + sign + " " + b.text + ")", m -> {
            Object x = a.meaning.apply(m).orElse("");
            Object y = b.meaning.apply(m).orElse("");
            if (!(x instanceof Number p) || !(y instanceof Number q)) {
                return Optional.empty();
            }
            return exact(p) && exact(q)
                    ? whole(sign, BigInteger.valueOf(p.longValue()), BigInteger.valueOf(q.longValue()))
                    : Optional.of(real(sign, p.doubleValue(), q.doubleValue()));
        });
    }

    private static boolean exact(Number n) {
        return !(n instanceof Double) && !(n instanceof Float);
    }

    private static Optional<Object> whole(char sign, BigInteger a, BigInteger b) {
        if (sign == '/' && b.signum() == 0) {
            return Optional.empty();
        }
        Supplier<BigInteger> result = () -> switch (sign) {
            case '+' -> a.add(b);
            case '-' -> a.subtract(b);
            case '*' -> a.multiply(b);
            default -> a.divide(b);
        };
        return Optional.of(result.get().longValue());
    }

    private static double real(char sign, double a, double b) {
        return sign == '+' ? a + b : sign == '-' ? a - b : sign == '*' ? a * b : a / b;
    }

    private static Made<Boolean> compared(int which, Made<Object> a, Made<Object> b) {
        String sign = List.of("=", "<>", "<", "<=", ">", ">=").get(which);
        return new Made<>(a.text + sign + b.text, m -> {
            Optional<Object> x = a.meaning.apply(m);
            Optional<Object> y = b.meaning.apply(m);
            return x.isEmpty() || y.isEmpty() ? Optional.empty() : Optional.of(holds(which, x.get(), y.get()));
        });
    }

    private static boolean holds(int which, Object x, Object y) {
        if (x instanceof Number p && y instanceof Number q) {
            double a = p.doubleValue();
            double b = q.doubleValue();
            return List.of(a == b, a != b, a < b, a <= b, a > b, a >= b).get(which);
        }
        boolean like = x.getClass() == y.getClass() && which < 2;
        return like && x.equals(y) == (which == 0);
    }
}
