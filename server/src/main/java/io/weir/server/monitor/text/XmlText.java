package io.weir.server.monitor.text;

/**
 * Makes untrusted text valid in attributes of XML 1.0. A parser reads a line end or tab in an attribute as a space (XML
 * 1.0 section 3.3.3) unless it is a reference, which the JDK's writer does not produce: it gets a mark, a character that
 * no document can have, and the mark is replaced once the document is complete.
 */
public final class XmlText {
    private static final char TAB = '\u0001';
    private static final char LINE_FEED = '\u0002';
    private static final char CARRIAGE_RETURN = '\u0003';

    private XmlText() {}

    /** An attribute's value, with every character that XML 1.0 cannot carry replaced by a question mark. */
    static String attribute(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> out.appendCodePoint(mark(c)));
        return out.toString();
    }

    private static int mark(int c) {
        return switch (c) {
            case '\t' -> TAB;
            case '\n' -> LINE_FEED;
            case '\r' -> CARRIAGE_RETURN;
            default -> isLegal(c) ? c : '?';
        };
    }

    private static boolean isLegal(int c) {
        return (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
    }

    /** A complete document, with the marks replaced by references. */
    public static String document(String text) {
        return text.replace(String.valueOf(TAB), "&#9;")
                .replace(String.valueOf(LINE_FEED), "&#10;")
                .replace(String.valueOf(CARRIAGE_RETURN), "&#13;");
    }
}
