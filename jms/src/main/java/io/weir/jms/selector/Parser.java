package io.weir.jms.selector;

import io.weir.jms.selector.Token.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses by precedence, with two or three stack frames per nesting level. Parentheses can contain conditions or values;
 * which is checked where they are used. Confined to one parse.
 */
final class Parser {
    private static final int MAX_DEPTH = 200;
    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int COMPARISON = 4;
    private static final int SUM = 5;
    private static final int PRODUCT = 6;
    private static final int SIGNED = 7;

    private final Lexer lexer;
    private final boolean strict;
    private Token token;
    private int depth;

    /**
     * @param strict whether a comparison of incomparable types is a fault; earlier versions accepted it and it never
     * matched
     */
    Parser(String text, boolean strict) throws SelectorFault {
        this.strict = strict;
        lexer = new Lexer(text);
        token = lexer.next();
    }

    Condition parse() throws SelectorFault {
        Token start = token;
        Condition condition = condition(expression(OR), start, "the selector");
        if (token.kind() != Kind.END) {
            throw expected("AND, OR or the end");
        }
        return condition;
    }

    private Token take() throws SelectorFault {
        Token taken = token;
        token = lexer.next();
        return taken;
    }

    private boolean took(String wordOrSign) throws SelectorFault {
        boolean is = token.is(wordOrSign);
        if (is) {
            take();
        }
        return is;
    }

    private void expect(String wordOrSign) throws SelectorFault {
        if (!took(wordOrSign)) {
            throw expected(wordOrSign);
        }
    }

    private SelectorFault expected(String what) {
        return fault(token, "expected " + what + " but found " + token.described());
    }

    private static SelectorFault fault(Token where, String why) {
        return new SelectorFault("at character " + where.position() + ": " + why, where.position());
    }

    /** The depth of a node over these; bounded, because a match recurses as deep. */
    private int over(Node a, @Nullable Node b) throws SelectorFault {
        int deeper = 1 + Math.max(a.depth(), b == null ? 0 : b.depth());
        if (deeper > 2 * MAX_DEPTH) {
            throw fault(token, "an expression of more than " + (2 * MAX_DEPTH) + " parts within each other");
        }
        return deeper;
    }

    /** An expression of operators that bind at least as {@code least}. */
    private Node expression(int least) throws SelectorFault {
        Token start = token;
        Node left = prefixed(least);
        boolean compared = false;
        for (int level = level(); level >= least && !(compared && level == COMPARISON); level = level()) {
            if (level <= AND) {
                left = chain(level, left, start);
            } else if (level == COMPARISON) {
                compared = true;
                left = comparison(left, start);
            } else {
                char operator = take().text().charAt(0);
                Token then = token;
                Value right = number(expression(level + 1), then);
                Value first = number(left, start);
                left = new Value.Arithmetic(operator, first, right, over(first, right));
            }
        }
        return left;
    }

    /** The precedence of the operator at the token; 0 if there is none. */
    private int level() {
        if (token.kind() == Kind.WORD) {
            return switch (token.text()) {
                case "OR" -> OR;
                case "AND" -> AND;
                case "NOT", "BETWEEN", "IN", "LIKE", "IS" -> COMPARISON;
                default -> 0;
            };
        }
        if (token.is("+") || token.is("-")) {
            return SUM;
        }
        return token.is("*") || token.is("/") ? PRODUCT : comparator() != null ? COMPARISON : 0;
    }

    /** Operands of one OR or AND after another; flat, so that a long chain needs no depth. */
    private Node chain(int level, Node first, Token start) throws SelectorFault {
        String word = level == OR ? "OR" : "AND";
        List<Condition> all = new ArrayList<>();
        all.add(condition(first, start, "what stands before " + word));
        while (took(word)) {
            Token then = token;
            all.add(condition(expression(level + 1), then, "what follows " + word));
        }
        int depth = deepest(all);
        return level == OR ? new Condition.Or(List.copyOf(all), depth) : new Condition.And(List.copyOf(all), depth);
    }

    private int deepest(List<Condition> all) throws SelectorFault {
        int deepest = 0;
        for (Condition c : all) {
            deepest = Math.max(deepest, over(c, null));
        }
        return deepest;
    }

    private Node comparison(Node left, Token start) throws SelectorFault {
        Comparator operator = comparator();
        if (operator != null) {
            take();
            Token then = token;
            return compare(operator, left, start, expression(SUM), then);
        }
        if (token.is("IS")) {
            return isNull(named(left, start, "IS"));
        }
        boolean negated = took("NOT");
        if (took("BETWEEN")) {
            return between(number(left, start), negated);
        }
        if (token.is("IN")) {
            return in(named(left, start, "IN"), negated);
        }
        if (token.is("LIKE")) {
            return like(named(left, start, "LIKE"), negated);
        }
        throw expected("BETWEEN, IN or LIKE");
    }

    private @Nullable Comparator comparator() {
        for (Comparator c : Comparator.values()) {
            if (token.is(c.sign())) {
                return c;
            }
        }
        return null;
    }

    private Condition compare(Comparator operator, Node left, Token start, Node right, Token then)
            throws SelectorFault {
        Value a = operator.equality() ? value(left) : number(left, start);
        Value b = operator.equality() ? value(right) : number(right, then);
        if (strict && a.type() != Value.Type.ANY && b.type() != Value.Type.ANY && a.type() != b.type()) {
            throw fault(
                    then,
                    "a " + a.type().words + " and a " + b.type().words + " can not be compared, whatever the message");
        }
        if (a instanceof Value.Named named && b instanceof Value.Text text) {
            return new Condition.TextComparison(named.identifier(), text.literal(), operator == Comparator.EQUAL);
        }
        if (b instanceof Value.Named named && a instanceof Value.Text text) {
            return new Condition.TextComparison(named.identifier(), text.literal(), operator == Comparator.EQUAL);
        }
        return new Condition.Comparison(operator, a, b, over(a, b));
    }

    /** {@code x BETWEEN a AND b} is {@code x >= a AND x <= b}; with NOT, {@code x < a OR x > b}. */
    private Condition between(Value x, boolean negated) throws SelectorFault {
        Token start = token;
        Value low = number(expression(SUM), start);
        expect("AND");
        start = token;
        Value high = number(expression(SUM), start);
        Condition below = comparison(negated ? Comparator.LESS : Comparator.GREATER_OR_EQUAL, x, low);
        Condition above = comparison(negated ? Comparator.GREATER : Comparator.LESS_OR_EQUAL, x, high);
        List<Condition> both = List.of(below, above);
        return negated ? new Condition.Or(both, deepest(both)) : new Condition.And(both, deepest(both));
    }

    private Condition comparison(Comparator operator, Value left, Value right) throws SelectorFault {
        return new Condition.Comparison(operator, left, right, over(left, right));
    }

    private Condition isNull(Identifier identifier) throws SelectorFault {
        expect("IS");
        boolean negated = took("NOT");
        expect("NULL");
        Condition test = new Condition.IsNull(identifier);
        return negated ? new Condition.Not(test, 2) : test;
    }

    private Condition in(Identifier identifier, boolean negated) throws SelectorFault {
        expect("IN");
        expect("(");
        List<Literal> literals = new ArrayList<>();
        Set<String> texts = new HashSet<>();
        do {
            Literal literal = new Literal(string("a string"));
            literals.add(literal);
            texts.add(literal.text);
        } while (took(","));
        expect(")");
        return new Condition.In(identifier, List.copyOf(literals), Set.copyOf(texts), negated);
    }

    private Condition like(Identifier identifier, boolean negated) throws SelectorFault {
        expect("LIKE");
        Token at = token;
        String pattern = string("a pattern in quotes");
        int escape = -1;
        if (took("ESCAPE")) {
            Token then = token;
            String text = string("one character in quotes");
            if (text.codePointCount(0, text.length()) != 1) {
                throw fault(then, "expected one character in quotes but found " + then.described());
            }
            escape = text.codePointAt(0);
        }
        try {
            return new Condition.Like(identifier, new LikePattern(pattern, escape), negated);
        } catch (IllegalArgumentException unfinished) {
            throw fault(at, String.valueOf(unfinished.getMessage()));
        }
    }

    private String string(String what) throws SelectorFault {
        if (token.kind() != Kind.STRING) {
            throw expected(what);
        }
        return take().text();
    }

    /** NOT, signs and parentheses with what follows them, or a primary. */
    private Node prefixed(int least) throws SelectorFault {
        boolean not = token.is("NOT") && least <= NOT;
        boolean sign = token.is("-") || token.is("+");
        if (!not && !sign && !token.is("(")) {
            return primary();
        }
        if (++depth > MAX_DEPTH) {
            throw fault(token, "nested deeper than " + MAX_DEPTH);
        }
        Token operator = take();
        Token start = token;
        Node inner;
        if (not) {
            Condition condition = condition(expression(NOT), start, "what follows NOT");
            inner = new Condition.Not(condition, over(condition, null));
        } else if (!sign) {
            inner = expression(OR);
            expect(")");
        } else if (operator.is("-") && token.kind() == Kind.EXACT) {
            inner = new Value.Exact(Numbers.exact(take(), true));
        } else {
            Value operand = number(expression(SIGNED), start);
            inner = operator.is("-") ? new Value.Negated(operand, over(operand, null)) : operand;
        }
        depth--;
        return inner;
    }

    private Node primary() throws SelectorFault {
        return switch (token.kind()) {
            case IDENTIFIER -> identifier();
            case STRING -> new Value.Text(new Literal(take().text()));
            case EXACT -> new Value.Exact(Numbers.exact(take(), false));
            case APPROXIMATE -> new Value.Approximate(Numbers.approximate(take()));
            default -> truth();
        };
    }

    private Node identifier() throws SelectorFault {
        Identifier identifier = Identifier.of(token.text());
        if (identifier == null) {
            throw fault(
                    token,
                    "selectors can not name " + token.described() + ", of the header only"
                            + " JMSDeliveryMode, JMSPriority, JMSMessageID, JMSTimestamp, JMSCorrelationID and JMSType");
        }
        take();
        return new Value.Named(identifier);
    }

    private Node truth() throws SelectorFault {
        if (token.is("TRUE") || token.is("FALSE")) {
            return new Condition.Constant(take().is("TRUE"));
        }
        throw expected("an identifier, a literal or (");
    }

    private static Condition condition(Node node, Token start, String what) throws SelectorFault {
        if (node instanceof Condition condition) {
            return condition;
        }
        if (node instanceof Value.Named named) {
            return new Condition.Flag(named.identifier());
        }
        throw fault(start, what + " must be true or false, " + start.described() + " begins a value");
    }

    private static Value value(Node node) {
        return node instanceof Value value ? value : new Value.Truth((Condition) node);
    }

    private static Value number(Node node, Token start) throws SelectorFault {
        if (node instanceof Value value && value.maybeNumber()) {
            return value;
        }
        throw fault(
                start,
                "expected a number but found " + start.described()
                        + "; strings and booleans are compared by = and <> only");
    }

    private static Identifier named(Node node, Token start, String operator) throws SelectorFault {
        if (node instanceof Value.Named named) {
            return named.identifier();
        }
        throw fault(start, "expected an identifier before " + operator + " but found " + start.described());
    }
}
