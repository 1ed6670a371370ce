package io.weir.journal;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Pairs of an id and the segment whose copy of it is dead, growing without garbage. Confined to the journal's thread. */
final class Removals {
    private long[] pairs = new long[64];
    private int length;

    void add(long id, long segment) {
        if (length == pairs.length) {
            pairs = Arrays.copyOf(pairs, length * 2);
        }
        pairs[length++] = id;
        pairs[length++] = segment;
    }

    void clear() {
        length = 0;
    }

    /** Takes back what was added after this size. */
    void cut(int size) {
        length = size * 2;
    }

    int size() {
        return length / 2;
    }

    long id(int i) {
        return pairs[2 * i];
    }

    long segment(int i) {
        return pairs[2 * i + 1];
    }

    /** Puts the pairs from the given one on. */
    void write(ByteBuffer b, int from) {
        for (int i = 2 * from; i < length; i++) {
            b.putLong(pairs[i]);
        }
    }
}
