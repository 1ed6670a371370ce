package io.weir.proxy.program.objconf;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads texts in quotes and bare words, with the variables and expressions in them. {@code \"}, {@code \\}, {@code \'}
 * and {@code \$} stand for the character; other backslashes are kept, because Proxy Server 4.0 has none but {@code \"},
 * and regular expressions are full of them. A dollar sign that nothing follows which it could begin is itself. Used once
 * for each text.
 */
final class TemplateParser {
    /** Most characters of a text. */
    static final int MAX_LENGTH = 65_536;

    /** Where the text stands. */
    enum Use {
        /** The value of a directive's parameter. */
        VALUE,
        /** The value of a tag's parameter: without quotes it ends at the tag's end. */
        TAG,
        /** A text of an expression. */
        EXPRESSION
    }

    private final ObjSource source;
    private final Use use;
    private final ExpressionSize size;
    private final List<Expression> parts = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    /** @param size that of the expression of which the text is a part */
    TemplateParser(ObjSource source, Use use, ExpressionSize size) {
        this.source = source;
        this.use = use;
        this.size = size;
    }

    /** Reads a text in single quotes: nothing in it is evaluated. */
    static String single(ObjSource source) throws ObjSyntaxException {
        int from = source.at();
        source.take();
        StringBuilder text = new StringBuilder();
        while (source.peek() != '\'') {
            if (source.ended() || source.peek() == '\n') {
                throw unclosed(source, from, "'");
            }
            if (source.peek() == '\\' && (source.peek(1) == '\'' || source.peek(1) == '\\')) {
                source.take();
            }
            text.append(source.take());
        }
        source.take();
        return text.toString();
    }

    /** Reads a text in double quotes. */
    Template quoted() throws ObjSyntaxException {
        int from = source.at();
        source.take();
        while (source.peek() != '"') {
            if (source.ended() || source.peek() == '\n') {
                throw unclosed(source, from, "\"");
            }
            next(from);
        }
        Template read = done(from + 1);
        source.take();
        return read;
    }

    private static ObjSyntaxException unclosed(ObjSource source, int from, String quote) {
        return new ObjSyntaxException(
                source.place(from),
                "a text that begins with " + quote + " must end with " + quote + " on the same line");
    }

    /** Reads a word: to the next blank. */
    Template bare() throws ObjSyntaxException {
        int from = source.at();
        while (!source.ended() && !Character.isWhitespace(source.peek()) && (use != Use.TAG || source.peek() != '>')) {
            next(from);
        }
        return done(from);
    }

    private void next(int from) throws ObjSyntaxException {
        if (source.at() - from > MAX_LENGTH) {
            throw new ObjSyntaxException(source.place(from), "a text has at most " + MAX_LENGTH + " characters");
        }
        char c = source.peek();
        if (c == '\\') {
            escape();
        } else if (c == '$') {
            dollar();
        } else {
            text.append(source.take());
        }
    }

    private void escape() {
        source.take();
        char c = source.peek();
        if (c == '\n' || (c == '\r' && source.peek(1) == '\n')) {
            source.skipLine();
        } else if (c == '"' || c == '\\' || c == '\'' || c == '$') {
            text.append(source.take());
        } else {
            text.append('\\');
        }
    }

    private void dollar() throws ObjSyntaxException {
        char c = source.peek(1);
        if (c == '$') {
            source.take();
            text.append(source.take());
        } else if (c == '(') {
            source.take();
            // the parentheses are the expression's
            flush();
            parts.add(parenthesised());
        } else if (c == '{' || c == '&' || ExpressionParser.isPartOfName(c)) {
            flush();
            parts.add(new ExpressionParser(source, size).dollar());
        } else {
            text.append(source.take());
        }
    }

    private Expression parenthesised() throws ObjSyntaxException {
        source.take();
        Expression inner = new ExpressionParser(source, size).expression();
        source.skipBlanks();
        if (!source.take(")")) {
            throw new ObjSyntaxException(source.place(), "expected \")\" of \"$(\", found " + source.found());
        }
        return inner;
    }

    private void flush() {
        if (!text.isEmpty()) {
            parts.add(new Expression.Literal(text.toString()));
            text.setLength(0);
        }
    }

    private Template done(int from) {
        flush();
        return new Template(parts, source.since(from));
    }
}
