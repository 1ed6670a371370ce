package io.weir.proxy.accesslog;

import org.jspecify.annotations.Nullable;

/**
 * A record under construction: bytes of one line. What exchanges append is escaped so that no value can end the line, a
 * quoted item or the record, or control a terminal: control characters, bytes above ASCII, quote and backslash become
 * {@code \xHH}, {@code \"} and {@code \\}, and outside quotation marks so does a space; in JSON they become {@code
 * \}{@code u00HH}, {@code \"} and {@code \\}. A record that grows too long is cut. Confined to a loop, reused.
 */
public final class RecordText {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    /** Digits of a record's size, which never exceeds 64 KiB. */
    private static final int SIZE_DIGITS = 5;

    private final byte[] bytes;
    private int length;
    private int end;
    private int valueEnd;
    private int sizeAt = -1;
    private boolean cut;
    private boolean overflow;
    private boolean stopped;
    private boolean quoted;
    private boolean json;

    /** A text of at most {@code limit} bytes, including the line end. */
    public RecordText(int limit) {
        bytes = new byte[limit];
        end = limit;
        valueEnd = limit;
    }

    /** Appends one character's low byte, escaped. */
    public RecordText append(char c) {
        escape((byte) c);
        return this;
    }

    /** Appends a text, escaped; null appends nothing. */
    public RecordText append(@Nullable CharSequence text) {
        if (text != null) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                escape(c > 0xff ? (byte) '?' : (byte) c);
            }
        }
        return this;
    }

    /** Appends bytes {@code [from, to)}, escaped. */
    public RecordText append(byte[] source, int from, int to) {
        for (int i = from; i < to; i++) {
            escape(source[i]);
        }
        return this;
    }

    /** Appends a number in decimal. */
    public RecordText append(long number) {
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

    /** Whether anything was omitted. */
    boolean wasCut() {
        return cut;
    }

    /** Whether the record is full. */
    boolean overflowed() {
        return overflow;
    }

    /** Whether the following values are between the format's quotation marks. */
    void quoted(boolean inside) {
        quoted = inside;
    }

    /** Switches to JSON until the text is cleared. */
    void json() {
        json = true;
        quoted = true;
    }

    void clear() {
        length = 0;
        end = bytes.length;
        valueEnd = end;
        sizeAt = -1;
        cut = false;
        overflow = false;
        stopped = false;
        json = false;
    }

    /** Appends literal text of the format. */
    void literal(byte[] text) {
        for (byte b : text) {
            put(b);
        }
    }

    /** Appends a literal character. */
    void literal(char c) {
        put(c);
    }

    /** Keeps this many bytes free for the end of the record. */
    void reserve(int spare) {
        end = bytes.length - spare;
        valueEnd = end;
    }

    /** Begins a quoted value, which may use a quarter of the record. */
    void openValue() {
        put('"');
        valueEnd = Math.min(end - 1, length + bytes.length / 4);
    }

    void closeValue() {
        valueEnd = end;
        stopped = false;
        put('"');
    }

    /** Removes everything from the given position on. */
    void shorten(int to) {
        length = to;
        valueEnd = end;
        stopped = false;
    }

    /** Ends a record that was cut: keeps the complete part, and appends the end. */
    void cutTo(int to, byte[] ending) {
        shorten(to);
        reserve(0);
        literal(ending);
    }

    /** Reserves space for the record's size, which {@link #endLine} fills in. */
    void size() {
        if (room(SIZE_DIGITS)) {
            sizeAt = length;
            length += SIZE_DIGITS;
        }
    }

    /** Ends the line; there is always room for it. */
    void endLine() {
        bytes[length++] = '\n';
        int size = length;
        for (int i = SIZE_DIGITS - 1; i >= 0 && sizeAt >= 0; i--) {
            bytes[sizeAt + i] = (byte) ('0' + size % 10);
            size /= 10;
        }
    }

    private void escape(byte b) {
        if ((b > 0x20 && b < 0x7f && b != '"' && b != '\\') || (b == ' ' && quoted)) {
            if (room(1)) {
                put(b);
            }
        } else if (b == '"' || b == '\\') {
            if (room(2)) {
                put('\\');
                put(b);
            }
        } else if (room(json ? 6 : 4)) {
            put('\\');
            put(json ? 'u' : 'x');
            if (json) {
                put('0');
                put('0');
            }
            put(HEX[(b >> 4) & 0xf]);
            put(HEX[b & 0xf]);
        }
    }

    /** Whether a value may grow by this much; in JSON, where a value can be cut on its own, a cut value stays cut. */
    private boolean room(int more) {
        if (!stopped && length + more < valueEnd) {
            return true;
        }
        stopped = json;
        cut = true;
        overflow |= length + more >= end - 1;
        return false;
    }

    private void put(int b) {
        if (length + 1 < end) {
            bytes[length++] = (byte) b;
        } else {
            cut = true;
            overflow = true;
        }
    }
}
