package io.weir.server.migrate.nginx;

import io.weir.base.ConfigNode.Place;

/**
 * The words and signs of an {@code nginx.conf}. Used by one parser.
 *
 */
final class NginxTokens {
    /** What a token is. */
    enum Kind {
        WORD,
        OPEN,
        CLOSE,
        SEMICOLON,
        WRONG,
        END
    }

    /** @param text of a word, or what is wrong */
    record Token(Kind kind, String text, Place at) {}

    private final String source;
    private final String text;
    private int at;
    private int line = 1;
    private int column = 1;

    NginxTokens(String source, String text) {
        this.source = source;
        this.text = text;
    }

    Place place() {
        return new Place(source, line, column);
    }

    void skipAll() {
        while (at < text.length()) {
            take();
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private char take() {
        char c = text.charAt(at++);
        column++;
        if (c == '\n') {
            line++;
            column = 1;
        }
        return c;
    }

    Token next() {
        while (at < text.length() && (Character.isWhitespace(peek()) || peek() == '#')) {
            if (take() == '#') {
                while (at < text.length() && peek() != '\n') {
                    take();
                }
            }
        }
        Place here = place();
        if (at >= text.length()) {
            return new Token(Kind.END, "", here);
        }
        return switch (peek()) {
            case '{' -> sign(Kind.OPEN, here);
            case '}' -> sign(Kind.CLOSE, here);
            case ';' -> sign(Kind.SEMICOLON, here);
            case '"', '\'' -> quoted(here);
            default -> word(here);
        };
    }

    private Token sign(Kind kind, Place here) {
        return new Token(kind, String.valueOf(take()), here);
    }

    private Token quoted(Place here) {
        char quote = take();
        StringBuilder value = new StringBuilder();
        while (at < text.length()) {
            char c = take();
            if (c == quote) {
                return new Token(Kind.WORD, value.toString(), here);
            }
            if (c == '\\' && at < text.length()) {
                escaped(take(), value);
            } else {
                value.append(c);
            }
        }
        return new Token(Kind.WRONG, "the quote " + quote + " is not closed before the end of the file", here);
    }

    /** Escaped quotes and backslashes lose the backslash; other characters keep it. */
    private static void escaped(char c, StringBuilder value) {
        switch (c) {
            case '"', '\'', '\\' -> value.append(c);
            case 't' -> value.append('\t');
            case 'r' -> value.append('\r');
            case 'n' -> value.append('\n');
            default -> value.append('\\').append(c);
        }
    }

    private Token word(Place here) {
        StringBuilder value = new StringBuilder();
        while (at < text.length() && !Character.isWhitespace(peek()) && peek() != ';' && peek() != '{') {
            char c = take();
            if (c == '\\' && at < text.length()) {
                escaped(take(), value);
            } else if (c == '$' && peek() == '{') {
                value.append(c);
                variable(value);
            } else {
                value.append(c);
            }
        }
        return new Token(Kind.WORD, value.toString(), here);
    }

    /**
     * {@code ${name}} is {@code $name}; its braces are none of a block.
     *
     */
    private void variable(StringBuilder value) {
        take();
        while (at < text.length() && peek() != '}' && peek() != '\n') {
            value.append(take());
        }
        if (peek() == '}') {
            take();
        }
    }
}
