package io.weir.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Byte classes of HTTP/1 as tables, and the scans over them. Stateless and shared. */
final class Ascii {
    static final byte[] EMPTY = new byte[0];

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SPACES = 0x2020202020202020L;
    private static final long DELETES = 0x7F7F7F7F7F7F7F7FL;
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;

    private static final byte TOKEN = 1;
    private static final byte CONTROL = 2;
    private static final byte TARGET = 4;
    private static final byte DIGIT = 8;
    private static final byte HOST = 16;
    private static final byte ALPHA = 32;
    private static final byte[] CLASS = classes();
    private static final byte[] LOWER = lower();
    private static final byte[] HEX = hex();

    private Ascii() {}

    private static byte[] classes() {
        byte[] table = new byte[256];
        for (int c = 0; c < 0x20; c++) if (c != '\t') table[c] |= CONTROL;
        table[0x7F] |= CONTROL;
        for (int c = 0x21; c < 0x7F; c++) if (c != '#') table[c] |= TARGET;
        mark(table, "0123456789", (byte) (TOKEN | DIGIT | HOST));
        mark(table, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", (byte) (TOKEN | HOST | ALPHA));
        mark(table, "!#$%&'*+-.^_`|~", TOKEN);
        mark(table, "-._~", HOST);
        return table;
    }

    private static void mark(byte[] table, String chars, byte bits) {
        for (int i = 0; i < chars.length(); i++) table[chars.charAt(i)] |= bits;
    }

    private static byte[] lower() {
        byte[] table = new byte[256];
        for (int c = 0; c < 256; c++) table[c] = (byte) (c >= 'A' && c <= 'Z' ? c + 32 : c);
        return table;
    }

    private static byte[] hex() {
        byte[] table = new byte[256];
        Arrays.fill(table, (byte) -1);
        for (int i = 0; i < 16; i++) {
            table["0123456789abcdef".charAt(i)] = (byte) i;
            table["0123456789ABCDEF".charAt(i)] = (byte) i;
        }
        return table;
    }

    static boolean isToken(int b) {
        return (CLASS[b & 0xFF] & TOKEN) != 0;
    }

    /** Visible ASCII except the number sign, which starts a fragment. */
    static boolean isTarget(int b) {
        return (CLASS[b & 0xFF] & TARGET) != 0;
    }

    static boolean isDigit(int b) {
        return (CLASS[b & 0xFF] & DIGIT) != 0;
    }

    static boolean isAlpha(int b) {
        return (CLASS[b & 0xFF] & ALPHA) != 0;
    }

    /** Unreserved characters of RFC 3986, of which DNS names and similar names consist. */
    static boolean isHost(int b) {
        return (CLASS[b & 0xFF] & HOST) != 0;
    }

    /** Control characters without the horizontal tab. */
    static boolean isControl(int b) {
        return (CLASS[b & 0xFF] & CONTROL) != 0;
    }

    static byte lower(int b) {
        return LOWER[b & 0xFF];
    }

    /** The value of a hexadecimal digit, or -1. */
    static int hex(int b) {
        return HEX[b & 0xFF];
    }

    /** First index in {@code [from, to)} of a control character other than HTAB (CR and LF included), or {@code to}. */
    static int firstControl(byte[] buf, int from, int to) {
        int i = from;
        for (; i <= to - 8; i += 8) {
            long word = (long) LONGS.get(buf, i);
            long below = (word - SPACES) & ~word;
            long delete = word ^ DELETES;
            long hit = (below | ((delete - ONES) & ~delete)) & TOPS;
            while (hit != 0) {
                int at = i + (Long.numberOfTrailingZeros(hit) >>> 3);
                // the subtraction borrows: bits above the first hit are only candidates
                if (isControl(buf[at])) return at;
                hit &= hit - 1;
            }
        }
        for (; i < to; i++) if (isControl(buf[i])) return i;
        return to;
    }

    /** First index in {@code [from, to)} of a byte that is not a token character, or {@code to}. */
    static int tokenEnd(byte[] buf, int from, int to) {
        int i = from;
        while (i < to && (CLASS[buf[i] & 0xFF] & TOKEN) != 0) i++;
        return i;
    }

    /** First index in {@code [from, to)} of a byte that is not allowed in a request target, or {@code to}. */
    static int targetEnd(byte[] buf, int from, int to) {
        int i = from;
        while (i < to && (CLASS[buf[i] & 0xFF] & TARGET) != 0) i++;
        return i;
    }

    static boolean isBlank(int b) {
        return b == ' ' || b == '\t';
    }

    /** First index in {@code [from, to)} that is neither space nor tab. */
    static int skipBlanks(byte[] buf, int from, int to) {
        int i = from;
        while (i < to && isBlank(buf[i])) i++;
        return i;
    }

    /** End of {@code [from, to)} without trailing spaces and tabs. */
    static int trimBlanks(byte[] buf, int from, int to) {
        int i = to;
        while (i > from && isBlank(buf[i - 1])) i--;
        return i;
    }

    /** Whether the bytes at {@code from} equal {@code text}; the caller has compared the lengths. */
    static boolean same(byte[] text, byte[] buf, int from) {
        return Arrays.equals(text, 0, text.length, buf, from, from + text.length);
    }

    /** Whether bytes {@code [from, to)} spell {@code text}, which is ASCII. */
    static boolean same(String text, byte[] buf, int from, int to) {
        if (text.length() != to - from) return false;
        for (int i = from; i < to; i++) if (buf[i] != text.charAt(i - from)) return false;
        return true;
    }

    /** Whether bytes {@code [from, to)} spell {@code lower} in any case; {@code lower} is lower-case ASCII. */
    static boolean sameIgnoreCase(String lower, byte[] buf, int from, int to) {
        if (lower.length() != to - from) return false;
        for (int i = from; i < to; i++) if (LOWER[buf[i] & 0xFF] != lower.charAt(i - from)) return false;
        return true;
    }

    static boolean sameIgnoreCase(byte[] lower, byte[] buf, int from) {
        for (int i = 0; i < lower.length; i++) if (LOWER[buf[from + i] & 0xFF] != lower[i]) return false;
        return true;
    }

    /** The bytes of an ASCII constant. */
    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String string(byte[] buf, int from, int to) {
        return new String(buf, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
