package io.weir.proxy.program.objconf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The escapes of URIs (RFC 3986 section 2.1). Stateless. */
final class UriEscapes {
    private static final String PLAIN = "-._~/:@!$&'()*+,;=";

    private UriEscapes() {}

    /** Escapes what may not stand in a path. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.ISO_8859_1)) {
            int c = b & 0xFF;
            boolean plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
            if (plain || PLAIN.indexOf(c) >= 0) {
                escaped.append((char) c);
            } else {
                escaped.append('%')
                        .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return escaped.toString();
    }

    /** Replaces escapes by what they stand for; what is no escape stays. */
    static String unescape(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int high = c == '%' && i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), 16);
            if (low >= 0) {
                bytes.write(high << 4 | low);
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }
}
