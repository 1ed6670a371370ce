package io.weir.proxy.cache.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash-1-3 over bytes (Aumasson and Bernstein): without the seed it is infeasible to make keys that collide.
 * Immutable, shared.
 */
public final class KeyHash {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long k0;
    private final long k1;

    public KeyHash(long k0, long k1) {
        this.k0 = k0;
        this.k1 = k1;
    }

    /** The hash of the first {@code length} bytes. Allocates nothing. */
    public long of(byte[] bytes, int length) {
        long v0 = k0 ^ 0x736f6d6570736575L;
        long v1 = k1 ^ 0x646f72616e646f6dL;
        long v2 = k0 ^ 0x6c7967656e657261L;
        long v3 = k1 ^ 0x7465646279746573L;
        int words = length & ~7;
        for (int i = 0; i <= words; i += 8) {
            long m = i < words ? (long) LONGS.get(bytes, i) : tail(bytes, words, length);
            v3 ^= m;
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= m;
        }
        return finish(v0, v1, v2 ^ 0xff, v3);
    }

    private static long tail(byte[] bytes, int from, int length) {
        long m = (long) length << 56;
        for (int i = from; i < length; i++) {
            m |= (bytes[i] & 0xffL) << (8 * (i - from));
        }
        return m;
    }

    private static long finish(long a, long b, long c, long d) {
        long v0 = a;
        long v1 = b;
        long v2 = c;
        long v3 = d;
        for (int i = 0; i < 3; i++) {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }
}
