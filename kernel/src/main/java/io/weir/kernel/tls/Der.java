package io.weir.kernel.tls;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;

/**
 * A reader of DER (X.690): a cursor over the elements of one constructed value. Throws IllegalArgumentException on
 * malformed or unexpected input. Confined to its caller.
 */
final class Der {
    static final int INTEGER = 0x02;
    static final int BIT_STRING = 0x03;
    static final int OCTETS = 0x04;
    static final int OID = 0x06;
    static final int URI_NAME = 0x86;
    static final int GENERALIZED_TIME = 0x18;
    static final int SEQUENCE = 0x30;
    static final int CONTEXT_0 = 0xA0;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'");

    private final byte[] bytes;
    private final int end;
    private int at;
    private int valueAt;
    private int valueEnd;

    Der(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private Der(byte[] bytes, int at, int end) {
        this.bytes = bytes;
        this.at = at;
        this.end = end;
    }

    /** Encodes an element with these parts as its content. */
    static byte[] of(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] p : parts) {
            content.writeBytes(p);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int n = content.size();
        if (n < 0x80) {
            out.write(n);
        } else if (n < 0x100) {
            out.write(0x81);
            out.write(n);
        } else {
            out.write(0x82);
            out.write(n >> 8);
            out.write(n);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }

    boolean more() {
        return at < end;
    }

    /** The tag of the next element. */
    int peek() {
        if (at >= end) {
            throw new IllegalArgumentException("the value is truncated");
        }
        return bytes[at] & 0xFF;
    }

    /** Skips the next element, whatever its tag. */
    Der skip() {
        peek();
        int p = at + 1;
        int length = byteAt(p++);
        if (length >= 0x80) {
            int count = length & 0x7F;
            if (count == 0 || count > 3) {
                throw new IllegalArgumentException("unsupported length encoding");
            }
            length = 0;
            for (int i = 0; i < count; i++) {
                length = length << 8 | byteAt(p++);
            }
        }
        if (length > end - p) {
            throw new IllegalArgumentException("length exceeds the value");
        }
        valueAt = p;
        valueEnd = p + length;
        at = valueEnd;
        return this;
    }

    private int byteAt(int p) {
        if (p >= end) {
            throw new IllegalArgumentException("the value is truncated");
        }
        return bytes[p] & 0xFF;
    }

    private void take(int tag) {
        int found = peek();
        if (found != tag) {
            throw new IllegalArgumentException("expected tag " + tag + ", found " + found);
        }
        skip();
    }

    /** A reader for the content of the next element, which must have this tag. */
    Der in(int tag) {
        take(tag);
        return new Der(bytes, valueAt, valueEnd);
    }

    /** The content of the next element, which must have this tag. */
    byte[] value(int tag) {
        take(tag);
        return Arrays.copyOfRange(bytes, valueAt, valueEnd);
    }

    /** The next element, a GeneralizedTime as used in OCSP, in milliseconds since the epoch. */
    long time() {
        String text = new String(value(GENERALIZED_TIME), StandardCharsets.US_ASCII);
        try {
            return LocalDateTime.parse(text, TIME).toInstant(ZoneOffset.UTC).toEpochMilli();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("not a time: " + text, e);
        }
    }
}
