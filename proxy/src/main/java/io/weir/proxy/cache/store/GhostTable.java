package io.weir.proxy.cache.store;

/**
 * Hashes of objects that left the small queue unused: one that is stored again soon goes directly to the main queue. A
 * fixed-size table, four ways per bucket, where the oldest is replaced. Guarded by the store's lock.
 */
final class GhostTable {
    private static final int WAYS = 4;

    private final int[] prints;
    private final int[] born;
    private final int mask;
    private int now;

    /** Remembers about {@code size} objects, a power of two. */
    GhostTable(int size) {
        prints = new int[size];
        born = new int[size];
        mask = size - 1;
    }

    static long heapBytes(int size) {
        return size * 8L + 64;
    }

    void add(long hash) {
        int bucket = bucket(hash);
        int place = bucket;
        for (int i = bucket; i < bucket + WAYS; i++) {
            if (prints[i] == print(hash)) {
                place = i;
                break;
            }
            if (now - born[i] > now - born[place]) {
                place = i;
            }
        }
        prints[place] = print(hash);
        born[place] = now++;
    }

    /** Whether the hash is remembered; if so, it is removed. */
    boolean take(long hash) {
        int bucket = bucket(hash);
        for (int i = bucket; i < bucket + WAYS; i++) {
            if (prints[i] == print(hash)) {
                prints[i] = 0;
                born[i] = now - prints.length;
                return true;
            }
        }
        return false;
    }

    private int bucket(long hash) {
        return (int) (hash >>> 3) & mask & -WAYS;
    }

    private static int print(long hash) {
        return (int) (hash >>> 32) | 1;
    }
}
