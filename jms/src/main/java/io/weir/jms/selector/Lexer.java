package io.weir.jms.selector;

import io.weir.jms.selector.Token.Kind;
import java.util.Locale;
import java.util.Set;

/** Splits a selector into tokens. Confined to one parse. */
final class Lexer {
    private static final Set<String> WORDS =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

    private final String text;
    private int at;

    Lexer(String text) {
        this.text = text;
    }

    Token next() throws SelectorFault {
        while (at < text.length() && " \t\f\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (at == text.length()) {
            return new Token(Kind.END, "", at);
        }
        int c = text.codePointAt(at);
        if (c == '\'') {
            return string();
        }
        if (digit(at) || (c == '.' && digit(at + 1))) {
            return number();
        }
        return Character.isJavaIdentifierStart(c) ? identifier() : sign();
    }

    private boolean digit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    private Token string() throws SelectorFault {
        int start = at++;
        StringBuilder value = new StringBuilder();
        while (true) {
            int quote = text.indexOf('\'', at);
            if (quote < 0) {
                throw new SelectorFault(
                        "at character " + start + ": the string that begins here has no closing quote", start);
            }
            value.append(text, at, quote);
            at = quote + 1;
            if (at == text.length() || text.charAt(at) != '\'') {
                return new Token(Kind.STRING, value.toString(), start);
            }
            value.append('\'');
            at++;
        }
    }

    private Token identifier() {
        int start = at;
        while (at < text.length() && Character.isJavaIdentifierPart(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        String name = text.substring(start, at);
        String word = name.toUpperCase(Locale.ROOT);
        return WORDS.contains(word) ? new Token(Kind.WORD, word, start) : new Token(Kind.IDENTIFIER, name, start);
    }

    private Token sign() throws SelectorFault {
        int start = at;
        char c = text.charAt(at++);
        if ((c == '<' && follows('>')) || ((c == '<' || c == '>') && follows('='))) {
            at++;
        } else if ("=<>()+-*/,".indexOf(c) < 0) {
            String bad = text.substring(start, text.offsetByCodePoints(start, 1));
            throw new SelectorFault("at character " + start + ": '" + bad + "' means nothing in a selector", start);
        }
        return new Token(Kind.SIGN, text.substring(start, at), start);
    }

    private boolean follows(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    /** Takes all characters that can belong to a Java number; {@link Numbers} validates it. */
    private Token number() {
        int start = at;
        boolean hexadecimal = text.startsWith("0x", at) || text.startsWith("0X", at);
        boolean approximate = false;
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean exponent = hexadecimal ? c == 'p' || c == 'P' : c == 'e' || c == 'E';
            if (c == '.' || exponent) {
                approximate = true;
            } else if (!hexadecimal && "fFdD".indexOf(c) >= 0) {
                approximate = true;
            } else if (!Character.isJavaIdentifierPart(c)) {
                break;
            }
            at++;
            if (exponent && (follows('+') || follows('-'))) {
                at++;
            }
        }
        return new Token(approximate ? Kind.APPROXIMATE : Kind.EXACT, text.substring(start, at), start);
    }
}
