package io.weir.journal.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Pairs of an id and the segment whose copy of it is dead, growing without allocating garbage. Confined to the
 * journal's thread.
 */
public final class Removals {
    private long[] pairs = new long[64];
    private int length;

    public void add(long id, long segment) {
        if (length == pairs.length) {
            pairs = Arrays.copyOf(pairs, length * 2);
        }
        pairs[length++] = id;
        pairs[length++] = segment;
    }

    public void clear() {
        length = 0;
    }

    /** Discards pairs beyond this size. */
    public void cut(int size) {
        length = size * 2;
    }

    public int size() {
        return length / 2;
    }

    public long id(int i) {
        return pairs[2 * i];
    }

    public long segment(int i) {
        return pairs[2 * i + 1];
    }

    /** Writes the pairs from the given index on. */
    public void write(ByteBuffer b, int from) {
        for (int i = 2 * from; i < length; i++) {
            b.putLong(pairs[i]);
        }
    }
}
