package io.weir.proxy.accesslog;

import org.jspecify.annotations.Nullable;

/**
 * A record under construction: bytes of one line. What exchanges append is escaped so that no value can end the line, a
 * quoted item or the record, or steer a terminal: control characters, bytes above ASCII, quote and backslash become
 * {@code \xHH}, {@code \"} and {@code \\}, and outside quotation marks so does a space. A record that grows too long is cut. Confined to a loop, reused.
 */
public final class LogText {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private final byte[] bytes;
    private int length;
    private boolean cut;
    private boolean quoted;

    /** A text of at most {@code limit} bytes, the line's end included. */
    public LogText(int limit) {
        bytes = new byte[limit];
    }

    /** Appends one character's low byte, escaped. */
    public LogText append(char c) {
        escape((byte) c);
        return this;
    }

    /** Appends a text, escaped; null appends nothing. */
    public LogText append(@Nullable CharSequence text) {
        if (text != null) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                escape(c > 0xff ? (byte) '?' : (byte) c);
            }
        }
        return this;
    }

    /** Appends bytes {@code [from, to)}, escaped. */
    public LogText append(byte[] source, int from, int to) {
        for (int i = from; i < to; i++) {
            escape(source[i]);
        }
        return this;
    }

    /** Appends a number in decimal. */
    public LogText append(long number) {
        if (number == Long.MIN_VALUE) {
            return append(Long.toString(number));
        }
        long n = number;
        if (n < 0) {
            put('-');
            n = -n;
        }
        long scale = 1;
        while (n / scale >= 10) {
            scale *= 10;
        }
        for (; scale > 0; scale /= 10) {
            put((byte) ('0' + n / scale % 10));
        }
        return this;
    }

    int length() {
        return length;
    }

    byte[] bytes() {
        return bytes;
    }

    boolean wasCut() {
        return cut;
    }

    /** Whether values that follow stand between the format's quotation marks. */
    void quoted(boolean inside) {
        quoted = inside;
    }

    void clear() {
        length = 0;
        cut = false;
    }

    /** Appends the format's own text, as it is. */
    void literal(byte[] text) {
        for (byte b : text) {
            put(b);
        }
    }

    /** Ends the line; there is always room for that. */
    void endLine() {
        bytes[length++] = '\n';
    }

    private void escape(byte b) {
        if ((b > 0x20 && b < 0x7f && b != '"' && b != '\\') || (b == ' ' && quoted)) {
            put(b);
        } else if (b == '"' || b == '\\') {
            if (room(2)) {
                put('\\');
                put(b);
            }
        } else if (room(4)) {
            put('\\');
            put('x');
            put(HEX[(b >> 4) & 0xf]);
            put(HEX[b & 0xf]);
        }
    }

    private boolean room(int more) {
        if (length + more < bytes.length) {
            return true;
        }
        cut = true;
        return false;
    }

    private void put(int b) {
        if (length + 1 < bytes.length) {
            bytes[length++] = (byte) b;
        } else {
            cut = true;
        }
    }
}
