package io.weir.server.monitor.text;

/** Makes untrusted text valid in XML 1.0. */
public final class XmlText {
    private XmlText() {}

    /** The text with every character that XML 1.0 cannot carry replaced by a question mark. */
    public static String legal(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> out.appendCodePoint(isLegal(c) ? c : '?'));
        return out.toString();
    }

    private static boolean isLegal(int c) {
        boolean plain = (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
        return plain || c == '\t' || c == '\n' || c == '\r';
    }
}
