package io.weir.base;

/**
 * Text of others (clients, origins, files) in a form that a terminal shows and does not obey: control characters, and those
 * that change the direction or the lines of a text, become JSON's escapes, such as <code>&#92;u001b</code>, so that JSON
 * stays JSON. Stateless.
 */
public final class Printable {
    private Printable() {}

    /** Text of several lines: line feeds and tabs are kept. */
    public static String text(String text) {
        return escaped(text, true);
    }

    /** A name or a value, which is part of a line: line feeds and tabs are escaped, too. */
    public static String word(String text) {
        return escaped(text, false);
    }

    private static String escaped(String text, boolean lines) {
        StringBuilder out = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean safe = (lines && (c == '\n' || c == '\t')) || !isControl(c);
            if (out == null && !safe) {
                out = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (out != null) {
                if (safe) {
                    out.append(c);
                } else {
                    escape(out, c);
                }
            }
        }
        return out == null ? text : out.toString();
    }

    /** Whether a terminal, or a reader of lines, may take the character for more than a sign. */
    public static boolean isControl(char c) {
        return Character.isISOControl(c)
                || c == '\u2028'
                || c == '\u2029'
                || c == '\u061c'
                || (c >= '\u200e' && c <= '\u200f')
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }

    private static void escape(StringBuilder out, char c) {
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> out.append("\\u").append(String.format("%04x", (int) c));
        }
    }
}
