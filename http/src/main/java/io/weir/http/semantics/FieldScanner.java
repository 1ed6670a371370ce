package io.weir.http.semantics;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over one field value: tokens, quoted strings, optional white space and list commas (RFC 9110 5.6). Strict: a
 * mismatch returns null and leaves the cursor unchanged. Lives for one parse; not shared.
 */
public final class FieldScanner {

    private final String text;
    private int at;

    public FieldScanner(String text) {
        this.text = text;
    }

    /** True for the characters of a token (RFC 9110 5.6.2). */
    public static boolean isTokenChar(char c) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
            return true;
        }
        return c < 0x7f && "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }

    /** True when the text is a token: at least one character, all of them token characters. */
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isTokenChar(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** Whether every quoted string in the list is terminated, so that more can be appended to it. */
    public static boolean quotesClose(String list) {
        FieldScanner scanner = new FieldScanner(list);
        while (scanner.nextElement()) {
            if (!scanner.skipElement()) {
                return false;
            }
        }
        return true;
    }

    public boolean atEnd() {
        return at >= text.length();
    }

    public int position() {
        return at;
    }

    /** The next character, or NUL at the end (a field value never holds NUL: RFC 9110 5.5). */
    public char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    /** Consumes the character if it is next. */
    public boolean take(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    /** Skips spaces and tabs; returns whether there were any. */
    public boolean skipSpace() {
        int from = at;
        while (at < text.length() && isSpace(text.charAt(at))) {
            at++;
        }
        return at > from;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    /** Consumes a token, or returns null. */
    public @Nullable String token() {
        int from = at;
        while (at < text.length() && isTokenChar(text.charAt(at))) {
            at++;
        }
        return at > from ? text.substring(from, at) : null;
    }

    /** Consumes a token and converts it to lower case, or returns null. */
    public @Nullable String lowerToken() {
        String token = token();
        return token == null ? null : token.toLowerCase(Locale.ROOT);
    }

    /** Consumes a quoted string and returns its content unescaped, or returns null (RFC 9110 5.6.4). */
    public @Nullable String quoted() {
        int end = endOfQuoted(at);
        if (end < 0) {
            return null;
        }
        String raw = text.substring(at + 1, end - 1);
        at = end;
        return raw.indexOf('\\') < 0 ? raw : unescape(raw);
    }

    private static String unescape(String raw) {
        StringBuilder out = new StringBuilder(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            out.append(c == '\\' ? raw.charAt(++i) : c);
        }
        return out.toString();
    }

    /**
     * The position after the quoted string that opens at {@code open}, or -1 if there is none or it is not terminated.
     */
    private int endOfQuoted(int open) {
        if (open >= text.length() || text.charAt(open) != '"') {
            return -1;
        }
        for (int i = open + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                return i + 1;
            }
            if (c == '\\') {
                i++;
            }
        }
        return -1;
    }

    /** Skips empty list elements (RFC 9110 5.6.1.2); returns false if nothing is left. */
    public boolean nextElement() {
        while (skipSpace() || take(',')) {
            // skip both until something else follows
        }
        return !atEnd();
    }

    /** Whether the current list element ends here, ignoring optional white space: at a comma or at the end. */
    public boolean atElementEnd() {
        skipSpace();
        return atEnd() || peek() == ',';
    }

    /**
     * Skips to the comma that ends the current list element, or to the end. Commas in quoted strings are ignored.
     *
     * @return false if a quoted string is not terminated
     */
    public boolean skipElement() {
        while (at < text.length() && text.charAt(at) != ',') {
            if (text.charAt(at) != '"') {
                at++;
                continue;
            }
            int end = endOfQuoted(at);
            if (end < 0) {
                at = text.length();
                return false;
            }
            at = end;
        }
        return true;
    }
}
