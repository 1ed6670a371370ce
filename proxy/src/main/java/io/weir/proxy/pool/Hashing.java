package io.weir.proxy.pool;

/**
 * 64-bit hashes that are the same on every machine and in every version, so that keys stay with their servers.
 * Stateless.
 */
public final class Hashing {
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private Hashing() {}

    /** Of a range of bytes. */
    public static long of(byte[] bytes, int from, int to) {
        long h = OFFSET;
        for (int i = from; i < to; i++) {
            h = (h ^ (bytes[i] & 0xff)) * PRIME;
        }
        return mix(h);
    }

    /** Of the low bytes of a text's characters. */
    public static long of(String text) {
        long h = OFFSET;
        for (int i = 0; i < text.length(); i++) {
            h = (h ^ (text.charAt(i) & 0xff)) * PRIME;
        }
        return mix(h);
    }

    /** Mixes every bit into all others (the finalizer of SplitMix64). */
    public static long mix(long h) {
        long a = (h ^ (h >>> 30)) * 0xbf58476d1ce4e5b9L;
        long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
        return b ^ (b >>> 31);
    }
}
