package io.weir.proxy.cache.disk;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * Hashes of keys to locations: open addressing over arrays of longs, so an object takes 16 bytes over the load. Split
 * into parts with a lock each, so that growing one, or searching all, never keeps a muxer waiting for long. Shared.
 */
// A part grows by half when it is full to 85 %: then 57 % of its places are taken. So an object takes between 18.8 and
// 28.2 bytes, and on average less than 24. Linear probing with removal by shifting back: no graves, so a part whose
// objects come and go does not get slower.
final class DiskIndex {
    private static final int PARTS = 64;
    private static final int FIRST = 64;
    /** Bits of the hash that select a part; the place in it comes from the others. */
    private static final int PART_SHIFT = 58;

    private final Part[] parts = new Part[PARTS];
    private final AtomicLong size = new AtomicLong();
    private final AtomicLong places = new AtomicLong();

    DiskIndex() {
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new Part();
        }
    }

    private Part part(long hash) {
        return parts[(int) (hash >>> PART_SHIFT)];
    }

    /** The record of the hash, or {@link Location#NONE}. */
    long find(long hash) {
        return part(hash).find(hash, false);
    }

    /** As {@link #find}, and counts a use: segments that are reclaimed keep what was used. */
    long use(long hash) {
        return part(hash).find(hash, true);
    }

    void put(long hash, long location) {
        part(hash).put(hash, location);
    }

    /** Returns whether there was one. */
    boolean remove(long hash) {
        return part(hash).remove(hash, Location.NONE);
    }

    /** Removes it if it is still this record. */
    boolean remove(long hash, long location) {
        return part(hash).remove(hash, location);
    }

    /** Puts the second record in place of the first, if that is still the hash's. */
    boolean replace(long hash, long location, long by) {
        return part(hash).replace(hash, location, by);
    }

    void clear() {
        for (Part part : parts) {
            part.clear();
        }
    }

    /** Receives hash and location; called with a part's lock held. */
    interface Visitor {
        void visit(long hash, long location);
    }

    /** Passes all whose location fits, part by part. */
    void forEach(LongPredicate wanted, Visitor visitor) {
        for (Part part : parts) {
            part.forEach(wanted, visitor);
        }
    }

    long size() {
        return size.get();
    }

    /** Heap bytes of all arrays. */
    long heapBytes() {
        return places.get() * 16;
    }

    private final class Part {
        private long[] table = new long[2 * FIRST];
        private int taken;

        Part() {
            places.addAndGet(FIRST);
        }

        private int capacity() {
            return table.length / 2;
        }

        /** Zero means an empty place. */
        private static long stored(long hash) {
            return hash == 0 ? 1 : hash;
        }

        /** Multiplied, so that no power of two is needed and an array can grow by half. */
        private int home(long hash) {
            return (int) Math.unsignedMultiplyHigh(hash << 6, capacity());
        }

        private int next(int at) {
            return at + 1 == capacity() ? 0 : at + 1;
        }

        private int place(long hash) {
            int at = home(hash);
            while (table[2 * at] != 0 && table[2 * at] != hash) {
                at = next(at);
            }
            return at;
        }

        synchronized long find(long hash, boolean using) {
            int at = place(stored(hash));
            if (table[2 * at] == 0) {
                return Location.NONE;
            }
            long found = table[2 * at + 1];
            if (using) {
                table[2 * at + 1] = Location.used(found);
            }
            return found;
        }

        synchronized void put(long hash, long location) {
            long key = stored(hash);
            int at = place(key);
            if (table[2 * at] == 0) {
                if ((taken + 1) * 100L > capacity() * 85L) {
                    grow();
                    at = place(key);
                }
                table[2 * at] = key;
                taken++;
                size.incrementAndGet();
            }
            table[2 * at + 1] = location;
        }

        private void grow() {
            long[] old = table;
            table = new long[2 * (capacity() + capacity() / 2)];
            places.addAndGet((table.length - old.length) / 2);
            for (int i = 0; i < old.length; i += 2) {
                if (old[i] != 0) {
                    int at = place(old[i]);
                    table[2 * at] = old[i];
                    table[2 * at + 1] = old[i + 1];
                }
            }
        }

        synchronized boolean replace(long hash, long location, long by) {
            int at = place(stored(hash));
            if (table[2 * at] == 0 || !Location.same(table[2 * at + 1], location)) {
                return false;
            }
            table[2 * at + 1] = by;
            return true;
        }

        /** Any location if the given one is none. */
        synchronized boolean remove(long hash, long location) {
            int at = place(stored(hash));
            if (table[2 * at] == 0 || (location != Location.NONE && !Location.same(table[2 * at + 1], location))) {
                return false;
            }
            taken--;
            size.decrementAndGet();
            close(at);
            return true;
        }

        /** Moves what follows back into the gap, as far as it may lie there. */
        private void close(int from) {
            int gap = from;
            for (int at = next(gap); table[2 * at] != 0; at = next(at)) {
                int home = home(table[2 * at]);
                boolean stays = gap <= at ? gap < home && home <= at : gap < home || home <= at;
                if (!stays) {
                    table[2 * gap] = table[2 * at];
                    table[2 * gap + 1] = table[2 * at + 1];
                    gap = at;
                }
            }
            table[2 * gap] = 0;
            table[2 * gap + 1] = 0;
        }

        synchronized void clear() {
            places.addAndGet(FIRST - capacity());
            size.addAndGet(-taken);
            table = new long[2 * FIRST];
            taken = 0;
        }

        synchronized void forEach(LongPredicate wanted, Visitor visitor) {
            for (int i = 0; i < table.length; i += 2) {
                if (table[i] != 0 && wanted.test(table[i + 1])) {
                    visitor.visit(table[i], table[i + 1]);
                }
            }
        }
    }
}
