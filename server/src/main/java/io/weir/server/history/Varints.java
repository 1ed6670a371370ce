package io.weir.server.history;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Numbers in seven bits a byte, the least significant first; signed ones fold their sign in. Stateless. */
final class Varints {
    private static final int MORE = 0x80;
    private static final int BITS = 7;
    private static final int LONGEST = 10;

    private Varints() {}

    static void put(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & -MORE) != 0) {
            out.write((int) (rest & (MORE - 1)) | MORE);
            rest >>>= BITS;
        }
        out.write((int) rest);
    }

    static void putSigned(ByteArrayOutputStream out, long value) {
        put(out, (value << 1) ^ (value >> 63));
    }

    /**
     * Reads one.
     *
     * @throws java.nio.BufferUnderflowException if the bytes end within it
     */
    static long get(ByteBuffer in) {
        long value = 0;
        for (int i = 0; i < LONGEST; i++) {
            byte b = in.get();
            value |= (long) (b & (MORE - 1)) << (BITS * i);
            if (b >= 0) {
                break;
            }
        }
        return value;
    }

    static long getSigned(ByteBuffer in) {
        long folded = get(in);
        return (folded >>> 1) ^ -(folded & 1);
    }
}
