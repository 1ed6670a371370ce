package io.weir.proxy.program.objconf;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.weir.base.ConfigNode;
import io.weir.base.Nearest;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.match.RegexFault;
import io.weir.proxy.program.objconf.Expression.Infix;
import io.weir.proxy.program.objconf.Expression.Prefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads expressions: operators by precedence, as the table of the language gives them. Used once for each expression;
 * begins where its source stands.
 */
final class ExpressionParser {
    // binding powers, the loosest first; the operand of a prefix operator binds with the power of the operator
    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int CHOICE = 4;
    private static final int C_OR = 5;
    private static final int C_AND = 6;
    private static final int XOR = 7;
    private static final int EQUALITY = 8;
    private static final int RELATION = 9;
    private static final int NAMED = 10;
    private static final int SUM = 11;
    private static final int PRODUCT = 12;
    private static final int MATCH = 13;
    private static final int SIGN = 14;

    private static final String TESTS = "deflrsU";

    /** An operator between two expressions. */
    private record Operator(
            String text,
            int power,
            boolean chains,
            @Nullable Infix infix) {
        boolean isWord() {
            return Character.isLetter(text.charAt(0));
        }
    }

    // of those that begin alike the longest first
    private static final List<Operator> OPERATORS = List.of(
            new Operator("||", C_OR, true, Infix.OR),
            new Operator("&&", C_AND, true, Infix.AND),
            new Operator("==", EQUALITY, false, Infix.EQUAL),
            new Operator("!=", EQUALITY, false, Infix.NOT_EQUAL),
            new Operator("=~", MATCH, false, null),
            new Operator("!~", MATCH, false, null),
            new Operator("=", MATCH, false, null),
            new Operator("<=", RELATION, false, Infix.LESS_OR_EQUAL),
            new Operator(">=", RELATION, false, Infix.MORE_OR_EQUAL),
            new Operator("<", RELATION, false, Infix.LESS),
            new Operator(">", RELATION, false, Infix.MORE),
            new Operator("^", XOR, true, Infix.XOR),
            new Operator("+", SUM, true, Infix.PLUS),
            new Operator("-", SUM, true, Infix.MINUS),
            new Operator(".", SUM, true, Infix.CONCATENATED),
            new Operator("*", PRODUCT, true, Infix.TIMES),
            new Operator("/", PRODUCT, true, Infix.DIVIDED),
            new Operator("%", PRODUCT, true, Infix.MODULO),
            new Operator("?", CHOICE, true, null),
            new Operator("lt", RELATION, false, Infix.TEXT_LESS),
            new Operator("le", RELATION, false, Infix.TEXT_LESS_OR_EQUAL),
            new Operator("gt", RELATION, false, Infix.TEXT_MORE),
            new Operator("ge", RELATION, false, Infix.TEXT_MORE_OR_EQUAL),
            new Operator("eq", EQUALITY, false, Infix.TEXT_EQUAL),
            new Operator("ne", EQUALITY, false, Infix.TEXT_NOT_EQUAL),
            new Operator("and", AND, true, Infix.AND),
            new Operator("or", OR, true, Infix.OR),
            new Operator("xor", OR, true, Infix.XOR));

    private static final Set<String> WORDS =
            Set.of("lt", "le", "gt", "ge", "eq", "ne", "and", "or", "xor", "not", "defined");

    private final ObjSource source;
    private final ExpressionSize size;

    /** Reads an expression of its own. */
    ExpressionParser(ObjSource source) {
        this(source, new ExpressionSize());
    }

    /** @param size that of the expression or text of which this one is a part */
    ExpressionParser(ObjSource source, ExpressionSize size) {
        this.source = source;
        this.size = size;
    }

    /** Reads an expression to the source's end. */
    Expression whole() throws ObjSyntaxException {
        Expression expression = expression(0);
        source.skipBlanks();
        if (!source.ended()) {
            throw wrong("expected an operator or the end of the expression, found " + source.found());
        }
        return expression;
    }

    /** Reads an expression as far as it goes. */
    Expression expression() throws ObjSyntaxException {
        return expression(0);
    }

    private Expression expression(int least) throws ObjSyntaxException {
        size.enter(source);
        Expression left = prefix();
        int unchained = Integer.MAX_VALUE;
        while (true) {
            int before = source.at();
            Operator operator = operator();
            if (operator == null || operator.power() <= least) {
                source.back(before);
                break;
            }
            if (operator.power() == unchained) {
                source.back(before);
                source.skipBlanks();
                throw wrong("\"" + operator.text() + "\" cannot follow an operator of its kind: use parentheses");
            }
            size.operator(source);
            left = infix(left, operator);
            unchained = operator.chains() ? Integer.MAX_VALUE : operator.power();
        }
        size.leave();
        return left;
    }

    private Expression infix(Expression left, Operator operator) throws ObjSyntaxException {
        Infix infix = operator.infix();
        if (infix != null) {
            return new Expression.Binary(infix, left, expression(operator.power()));
        }
        if (operator.power() == MATCH) {
            return match(left, operator.text());
        }
        Expression then = expression(0);
        source.skipBlanks();
        if (!source.take(":")) {
            throw wrong("expected \":\" of \"? :\", found " + source.found());
        }
        // groups from the right
        return new Expression.Choice(left, then, expression(CHOICE - 1));
    }

    private @Nullable Operator operator() {
        source.skipBlanks();
        for (Operator o : OPERATORS) {
            int before = source.at();
            if (source.take(o.text())) {
                if (!o.isWord() || !isPartOfName(source.peek())) {
                    return o;
                }
                source.back(before);
            }
        }
        return null;
    }

    /** A pattern is constant: it is compiled once. */
    private Expression match(Expression left, String operator) throws ObjSyntaxException {
        source.skipBlanks();
        int from = source.at();
        Expression right = expression(MATCH);
        String pattern = right instanceof Expression.Literal l ? Values.text(l.value()) : null;
        if (pattern == null) {
            throw new ObjSyntaxException(
                    source.place(from), "the pattern after \"" + operator + "\" must be a constant text");
        }
        try {
            return operator.equals("=")
                    ? new Expression.Wildcard(left, Patterns.parse(PathMatch.WILDCARD, pattern), pattern)
                    : new Expression.Regex(left, Pattern.compile(pattern), operator.equals("=~"));
        } catch (PatternSyntaxException e) {
            throw new ObjSyntaxException(source.place(from), RegexFault.reason(e, pattern));
        } catch (IllegalArgumentException e) {
            throw new ObjSyntaxException(source.place(from), String.valueOf(e.getMessage()));
        }
    }

    private Expression prefix() throws ObjSyntaxException {
        source.skipBlanks();
        char c = source.peek();
        if (c == '-' && TESTS.indexOf(source.peek(1)) >= 0 && !isPartOfName(source.peek(2))) {
            source.take();
            return new Expression.Test(source.take(), expression(NAMED - 1));
        }
        if (c == '!' || c == '-' || c == '+') {
            source.take();
            return new Expression.Unary(
                    c == '!' ? Prefix.NOT : c == '-' ? Prefix.MINUS : Prefix.PLUS, expression(SIGN - 1));
        }
        if (word("not")) {
            return new Expression.Unary(Prefix.NOT, expression(NOT - 1));
        }
        if (word("defined")) {
            return new Expression.Unary(Prefix.DEFINED, expression(NAMED - 1));
        }
        return primary();
    }

    private boolean word(String word) {
        int before = source.at();
        if (source.take(word) && !isPartOfName(source.peek())) {
            return true;
        }
        source.back(before);
        return false;
    }

    private Expression primary() throws ObjSyntaxException {
        char c = source.peek();
        if (c == '(') {
            source.take();
            Expression inner = expression(0);
            close(')');
            return inner;
        }
        if (c == '\'') {
            return new Expression.Literal(TemplateParser.single(source));
        }
        if (c == '"') {
            return text(new TemplateParser(source, TemplateParser.Use.EXPRESSION, size).quoted());
        }
        if (c >= '0' && c <= '9') {
            return number();
        }
        if (c == '$') {
            return dollar();
        }
        if (isStartOfName(c)) {
            return named();
        }
        throw wrong("expected a text, a number, a variable or a function, found " + source.found());
    }

    private static Expression text(Template template) {
        String constant = template.constant();
        return constant == null ? new Expression.Text(template) : new Expression.Literal(constant);
    }

    private Expression number() throws ObjSyntaxException {
        int from = source.at();
        boolean hex = source.take("0x");
        int digits = source.at();
        while (Character.digit(source.peek(), hex ? 16 : 10) >= 0) {
            source.take();
        }
        try {
            return new Expression.Literal(Long.parseLong(source.between(digits, source.at()), hex ? 16 : 10));
        } catch (NumberFormatException e) {
            throw new ObjSyntaxException(
                    source.place(from), "\"" + source.between(from, source.at()) + "\" is not a number of 64 bits");
        }
    }

    /** What follows a dollar sign: a variable, an entry of a map, or a group. */
    Expression dollar() throws ObjSyntaxException {
        int from = source.at();
        source.take();
        if (source.take("&")) {
            return new Expression.Group(0);
        }
        boolean braced = source.take("{");
        if (braced && source.take("&")) {
            close('}');
            return new Expression.Group(0);
        }
        if (source.peek() >= '0' && source.peek() <= '9') {
            return group(from, braced);
        }
        String name = name("a variable's name after \"$\"");
        if (braced) {
            close('}');
        } else if (source.peek() == '{') {
            return entry(name, from);
        }
        return source.variable(name, source.place(from));
    }

    private Expression group(int from, boolean braced) throws ObjSyntaxException {
        int number = source.take() - '0';
        if (Character.digit(source.peek(), 10) >= 0 || number == 0) {
            throw new ObjSyntaxException(source.place(from), "groups are $1 to $9, and $& for the whole match");
        }
        if (braced) {
            close('}');
        }
        return new Expression.Group(number);
    }

    private Expression entry(String map, int from) throws ObjSyntaxException {
        ConfigNode.Place at = source.place(from);
        if (!Names.MAPS.contains(map)) {
            throw new ObjSyntaxException(at, "there is no map \"" + map + "\"" + Nearest.known(map, Names.MAPS));
        }
        source.take();
        Expression key = expression(0);
        close('}');
        return new Expression.Entry(map, key, at);
    }

    private void close(char with) throws ObjSyntaxException {
        source.skipBlanks();
        if (!source.take(String.valueOf(with))) {
            throw wrong("expected \"" + with + "\", found " + source.found());
        }
    }

    /** A name without a dollar sign: a function, a map, or a predefined variable. */
    private Expression named() throws ObjSyntaxException {
        int from = source.at();
        String name = name("a name");
        if (source.peek() == '{') {
            return entry(name, from);
        }
        int after = source.at();
        source.skipBlanks();
        if (source.peek() == '(') {
            return call(name, from);
        }
        source.back(after);
        ConfigNode.Place at = source.place(from);
        if (name.equals("true") || name.equals("false")) {
            return new Expression.Literal(name.equals("true"));
        }
        if (Names.VARIABLES.contains(name)) {
            return source.variable(name, at);
        }
        if (WORDS.contains(name)) {
            throw new ObjSyntaxException(at, "\"" + name + "\" is an operator: an expression is missing before it");
        }
        throw new ObjSyntaxException(
                at,
                "there is no variable \"" + name + "\"" + Nearest.known(name, Names.VARIABLES)
                        + ". A text is written in quotes, a variable of your own with \"$\"");
    }

    private Expression call(String name, int from) throws ObjSyntaxException {
        Expression.Function function = Arrays.stream(Expression.Function.values())
                .filter(f -> f.word().equals(name))
                .findAny()
                .orElse(null);
        if (function == null) {
            List<String> known = Arrays.stream(Expression.Function.values())
                    .map(Expression.Function::word)
                    .toList();
            String why = name.equals("external")
                    ? "\"external\" is not supported: it would run a program for a request. Known: "
                            + String.join(", ", known)
                    : "there is no function \"" + name + "\"" + Nearest.known(name, known);
            throw new ObjSyntaxException(source.place(from), why);
        }
        source.take();
        List<Expression> arguments = new ArrayList<>();
        source.skipBlanks();
        if (source.peek() != ')') {
            do {
                arguments.add(expression(0));
                source.skipBlanks();
            } while (source.take(","));
        }
        close(')');
        if (arguments.size() < function.least || arguments.size() > function.most) {
            String number = function.least == function.most
                    ? String.valueOf(function.least)
                    : function.least + " to " + function.most;
            throw new ObjSyntaxException(
                    source.place(from), name + " takes " + number + " arguments, found " + arguments.size());
        }
        return new Expression.Call(function, arguments);
    }

    private String name(String expected) throws ObjSyntaxException {
        int from = source.at();
        if (!isStartOfName(source.peek())) {
            throw wrong("expected " + expected + ", found " + source.found());
        }
        while (isPartOfName(source.peek())) {
            source.take();
        }
        return source.between(from, source.at());
    }

    private ObjSyntaxException wrong(String what) {
        return new ObjSyntaxException(source.place(), what);
    }

    static boolean isStartOfName(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    static boolean isPartOfName(char c) {
        return isStartOfName(c) || (c >= '0' && c <= '9');
    }
}
