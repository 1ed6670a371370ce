package io.weir.http.semantics;

import java.nio.charset.StandardCharsets;

/**
 * Converts the path of a request target into the normal form of RFC 3986 6.2.2: percent-encoded unreserved characters
 * are decoded, the digits of other escapes are upper case, and dot segments are removed. Rules, keys, origins and
 * purges all get these bytes. The loose forms are how some origins interpret a path. Normalisation is idempotent.
 * Confined; holds the findings about the last path.
 */
public final class NormalPath {
    /** A form in which a path is written. */
    public enum Form {
        /** The normal form. */
        NORMAL,
        /**
         * All that is visible is decoded, backslashes are slashes, several slashes are one, {@code ..;a} climbs.
         */
        LOOSE,
        /** The same without the parameters of the segments, {@code ;a=b} (RFC 3986 3.3), as in Java's containers. */
        WITHOUT_PARAMETERS
    }

    private boolean suspect;
    private boolean parameters;
    private boolean climbs;

    /** Whether a path since {@link #reset} contains something that some receivers interpret differently. */
    public boolean suspect() {
        return suspect;
    }

    /** Whether the last form that was written left a folder which the path as it was given does not leave. */
    public boolean climbs() {
        return climbs;
    }

    /** Whether a segment of a path since {@link #reset} has parameters. */
    public boolean parameters() {
        return parameters;
    }

    /** Resets the findings for the next path. */
    public void reset() {
        suspect = false;
        parameters = false;
    }

    /** Whether the bytes {@code [from, to)} may differ from their normal form; records ambiguous ones as suspect. */
    public boolean needsWork(byte[] b, int from, int to) {
        boolean work = false;
        byte last = 0;
        for (int i = from; i < to; i++) {
            byte c = b[i];
            if (c == '%' || (c == '.' && last == '/')) {
                work = true;
            } else if (c == '\\' || (c == '/' && last == '/')) {
                suspect = true;
            } else if (c == ';') {
                parameters = true;
            }
            last = c;
        }
        return work;
    }

    /**
     * Writes a form of the bytes {@code [from, to)}; returns its length.
     *
     * @param into has room for as many bytes; must not be {@code b}
     */
    public int write(byte[] b, int from, int to, byte[] into, Form form) {
        boolean loose = form != Form.NORMAL;
        climbs = false;
        int length = decode(b, from, to, into, loose);
        return withoutDots(into, form == Form.WITHOUT_PARAMETERS ? withoutParameters(into, length) : length, loose);
    }

    /** The normal form of a path. */
    public static String of(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.ISO_8859_1);
        NormalPath form = new NormalPath();
        if (!form.needsWork(bytes, 0, bytes.length)) {
            return path;
        }
        byte[] normal = new byte[bytes.length];
        return new String(
                normal, 0, form.write(bytes, 0, bytes.length, normal, Form.NORMAL), StandardCharsets.ISO_8859_1);
    }

    private int decode(byte[] b, int from, int to, byte[] into, boolean loose) {
        int at = 0;
        // decoding an escape right after a percent sign that does not start one would create a new escape: %%36 1
        int decodable = from;
        for (int i = from; i < to; i++) {
            int c = b[i];
            if (c == '%') {
                int value = i + 2 < to ? (hex(b[i + 1]) << 4) | hex(b[i + 2]) : -1;
                if (value < 0) {
                    decodable = i + 3;
                }
                suspect |= isVisible(value) && !isUnreserved(value);
                if (i >= decodable && (isUnreserved(value) || (loose && isVisible(value)))) {
                    c = value;
                    i += 2;
                } else if (value >= 0) {
                    into[at++] = '%';
                    into[at++] = capital(b[++i]);
                    c = capital(b[++i]);
                }
            }
            c = loose && c == '\\' ? '/' : c;
            if (!loose || c != '/' || at == 0 || into[at - 1] != '/') {
                into[at++] = (byte) c;
            }
        }
        return at;
    }

    /** Removes parameters in place, and the slashes of segments that are nothing else; returns the new length. */
    private static int withoutParameters(byte[] b, int length) {
        int at = 0;
        boolean parameter = false;
        for (int i = 0; i < length; i++) {
            byte c = b[i];
            parameter = c != '/' && (parameter || c == ';');
            if (!parameter && (c != '/' || at == 0 || b[at - 1] != '/')) {
                b[at++] = c;
            }
        }
        return at;
    }

    private static byte capital(byte digit) {
        return digit >= 'a' ? (byte) (digit - 'a' + 'A') : digit;
    }

    /** Whether origins that decode escapes read the character itself; what a second decoding would do is not known. */
    private static boolean isVisible(int c) {
        return c > ' ' && c < 0x7f && c != '%';
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0;
    }

    /** The value of a hexadecimal digit, or a negative number. */
    public static int hex(byte c) {
        return Character.digit(c, 16);
    }

    /** Removes dot segments in place (RFC 3986 5.2.4); returns the new length. */
    private int withoutDots(byte[] b, int length, boolean loose) {
        int at = 0;
        int i = 0;
        while (i < length) {
            int end = i + 1;
            while (end < length && b[end] != '/') {
                end++;
            }
            int dots = dots(b, i + 1, end, loose);
            if (dots == 2) {
                climbs = true;
                while (at > 0 && b[--at] != '/') {
                    // back to the previous slash
                }
            } else if (dots == 0) {
                System.arraycopy(b, i, b, at, end - i);
                at += end - i;
            }
            if (dots > 0 && end == length) {
                b[at++] = '/';
            }
            i = end;
        }
        return at;
    }

    /** 1 or 2 if the segment is {@code .} or {@code ..}, otherwise 0; the loose form drops a following parameter. */
    private int dots(byte[] b, int from, int to, boolean loose) {
        int end = from;
        while (end < to && b[end] == '.') {
            end++;
        }
        int dots = end - from;
        boolean parameter = dots > 0 && end < to && b[end] == ';';
        if (dots > 2) {
            return 0;
        }
        suspect |= parameter;
        return end == to || (loose && parameter) ? dots : 0;
    }
}
