package io.weir.journal.segment;

import java.util.Arrays;

/**
 * The location of each live entry: id to segment, offset and size, 20 bytes per slot, open addressing. Confined to the
 * journal's thread (the opening one before).
 */
public final class LocationIndex {
    public static final long NONE = -1;
    private static final int OFFSET_BITS = 37;
    private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;
    private static final int SMALLEST = 1024;
    private static final int SLOT = 20;
    /** Maximum bytes per entry, while the index grows. */
    public static final int MOST_BYTES = SLOT * 3 * 3 / 2;

    private long[] ids = new long[SMALLEST];
    private long[] places = new long[SMALLEST];
    private int[] sizes = new int[SMALLEST];
    private int used;
    private volatile int count;

    public static long place(long segment, long offset) {
        return segment << OFFSET_BITS | offset >>> 3;
    }

    public static long segment(long place) {
        return place >>> OFFSET_BITS;
    }

    public static long offset(long place) {
        return (place & OFFSET_MASK) << 3;
    }

    /** Readable from any thread. */
    public int count() {
        return count;
    }

    /** Maximum size in bytes while one more entry is added. */
    public long bytesForOneMore() {
        long slots = used >= ids.length / 3 * 2 ? ids.length * 3L : ids.length;
        return slots * SLOT;
    }

    /** The location of an entry, or {@link #NONE}. */
    public long get(long id) {
        int i = find(id);
        return ids[i] == id ? places[i] : NONE;
    }

    /** The size of an entry's record; 0 if there is none. */
    public int size(long id) {
        int i = find(id);
        return ids[i] == id ? sizes[i] : 0;
    }

    public void put(long id, long place, int size) {
        int i = find(id);
        if (ids[i] != id) {
            if (used >= ids.length / 3 * 2) {
                resize(ids.length * 2);
                i = find(id);
            }
            ids[i] = id;
            count = ++used;
        }
        places[i] = place;
        sizes[i] = size;
    }

    /** Removes all entries, and releases the memory. */
    public void clear() {
        ids = new long[SMALLEST];
        places = new long[SMALLEST];
        sizes = new int[SMALLEST];
        count = used = 0;
    }

    /** Removes an entry; returns true if it existed. */
    public boolean remove(long id) {
        int i = find(id);
        if (ids[i] != id) {
            return false;
        }
        close(i);
        count = --used;
        if (ids.length > SMALLEST && used < ids.length / 8) {
            resize(ids.length / 2);
        }
        return true;
    }

    /** All ids, ascending. */
    public long[] sortedIds() {
        long[] all = new long[used];
        int n = 0;
        for (long id : ids) {
            if (id != 0) {
                all[n++] = id;
            }
        }
        Arrays.sort(all);
        return all;
    }

    /** Moves later entries of the same probe chain forward, so that no gap hides them. */
    private void close(int gap) {
        int mask = ids.length - 1;
        int i = gap;
        for (int j = (i + 1) & mask; ids[j] != 0; j = (j + 1) & mask) {
            int home = home(ids[j]);
            if (((j - home) & mask) >= ((j - i) & mask)) {
                ids[i] = ids[j];
                places[i] = places[j];
                sizes[i] = sizes[j];
                i = j;
            }
        }
        ids[i] = 0;
    }

    private int find(long id) {
        int mask = ids.length - 1;
        int i = home(id);
        while (ids[i] != 0 && ids[i] != id) {
            i = (i + 1) & mask;
        }
        return i;
    }

    private int home(long id) {
        return (int) ((id * 0x9E3779B97F4A7C15L) >>> 32) & (ids.length - 1);
    }

    private void resize(int slots) {
        long[] oldIds = ids;
        long[] oldPlaces = places;
        int[] oldSizes = sizes;
        ids = new long[slots];
        places = new long[slots];
        sizes = new int[slots];
        for (int i = 0; i < oldIds.length; i++) {
            if (oldIds[i] != 0) {
                int to = find(oldIds[i]);
                ids[to] = oldIds[i];
                places[to] = oldPlaces[i];
                sizes[to] = oldSizes[i];
            }
        }
    }
}
