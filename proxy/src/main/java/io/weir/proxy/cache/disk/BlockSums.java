package io.weir.proxy.cache.disk;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The checksums of a body's blocks. One thread adds to them while the body arrives; others read what is there. */
final class BlockSums {
    private static final int FIRST = 64;

    private int[] sums;
    private int known;
    private volatile int count;
    private volatile long length;

    private BlockSums(int[] sums, int count, long length) {
        this.sums = sums;
        this.known = count;
        this.length = length;
        this.count = count;
    }

    /** Of a body that is still to come. */
    static BlockSums begun() {
        return new BlockSums(new int[FIRST], 0, 0);
    }

    /** Of a whole body. */
    static BlockSums of(byte[] record, long length) {
        int[] sums = new int[record.length / Integer.BYTES];
        ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(sums);
        return new BlockSums(sums, sums.length, length);
    }

    /** Of the next block. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
    void add(int sum, int bytes) {
        int n = known;
        if (n == sums.length) {
            sums = Arrays.copyOf(sums, n + Math.max(FIRST, n / 2));
        }
        sums[n] = sum;
        known = n + 1;
        // after the array, and the length last: who sees them finds the checksum
        count = n + 1;
        length = length + bytes;
    }

    int count() {
        return count;
    }

    /** Bytes of the blocks. */
    long length() {
        return length;
    }

    int of(int block) {
        if (block >= count) {
            throw new IllegalStateException("block " + block + " of " + count);
        }
        return sums[block];
    }

    int blockBytes(int block) {
        return (int) Math.min(RecordHead.BLOCK, length - (long) block * RecordHead.BLOCK);
    }

    long heapBytes() {
        return (long) Integer.BYTES * count;
    }

    void put(ByteBuffer record) {
        int n = count;
        for (int i = 0; i < n; i++) {
            record.putInt(sums[i]);
        }
    }
}
