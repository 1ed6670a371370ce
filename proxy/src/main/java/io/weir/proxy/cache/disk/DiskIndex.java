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
    /** A part whose places are taken to this share grows by half. */
    private static final int MOST_PERCENT = 85;
    /** This share of them is taken then. */
    private static final int LEAST_PERCENT = 57;

    private static final int USUAL_PERCENT = 71;
    /** Places that an array of longs can have. */
    private static final int LARGEST = 1 << 29;
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

    /** Makes room for so many objects, which come now: growing until then would move each several times. */
    void expect(long objects) {
        // hashes spread at random: few parts get more, and those grow
        long each = objects / PARTS;
        int places = (int) Math.min((each + each / 20 + FIRST) * 100 / MOST_PERCENT + 1, LARGEST);
        for (Part part : parts) {
            part.atLeast(places);
        }
    }

    /** Gives back what {@link #expect} took for objects that did not come. */
    void fit() {
        for (Part part : parts) {
            part.fit();
        }
    }

    /**
     * Records in the order of a log, put part by part: their locks are taken for many at once, and so many of a part lie
     * near each other in the processor's caches. Confined to the thread that reads the log; the index has all of them
     * after {@link #flush}.
     */
    final class Intake {
        private static final int ROOM = 256;

        private final long[][] waiting = new long[PARTS][2 * ROOM];
        private final int[] used = new int[PARTS];

        /** As {@link DiskIndex#put}; no location: as {@link DiskIndex#remove(long)}. */
        void put(long hash, long location) {
            int to = (int) (hash >>> PART_SHIFT);
            int at = used[to];
            long[] entries = waiting[to];
            entries[at] = hash;
            entries[at + 1] = location;
            used[to] = at + 2;
            if (at + 2 == entries.length) {
                flush(to);
            }
        }

        private void flush(int part) {
            parts[part].putAll(waiting[part], used[part]);
            used[part] = 0;
        }

        void flush() {
            for (int i = 0; i < PARTS; i++) {
                flush(i);
            }
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
            long[] in = table;
            int at = 2 * home(hash);
            for (long there = in[at]; there != 0 && there != hash; there = in[at]) {
                at += 2;
                at = at == in.length ? 0 : at;
            }
            return at / 2;
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
            if (enter(hash, location)) {
                size.incrementAndGet();
            }
        }

        synchronized void putAll(long[] entries, int used) {
            int before = taken;
            for (int i = 0; i < used; i += 2) {
                if (entries[i + 1] != Location.NONE) {
                    enter(entries[i], entries[i + 1]);
                } else {
                    leave(entries[i], Location.NONE);
                }
            }
            size.addAndGet(taken - before);
        }

        private boolean enter(long hash, long location) {
            long key = stored(hash);
            int at = place(key);
            boolean added = table[2 * at] == 0;
            if (added) {
                if ((taken + 1) * 100L > capacity() * (long) MOST_PERCENT) {
                    resize(capacity() + capacity() / 2);
                    at = place(key);
                }
                table[2 * at] = key;
                taken++;
            }
            table[2 * at + 1] = location;
            return added;
        }

        synchronized void atLeast(int capacity) {
            if (capacity() < capacity) {
                resize(capacity);
            }
        }

        synchronized void fit() {
            int fitting = Math.max(FIRST, (int) (taken * 100L / LEAST_PERCENT));
            if (capacity() > fitting) {
                resize(Math.max(FIRST, (int) (taken * 100L / USUAL_PERCENT)));
            }
        }

        private void resize(int capacity) {
            long[] old = table;
            table = new long[2 * capacity];
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
            boolean left = leave(hash, location);
            if (left) {
                size.decrementAndGet();
            }
            return left;
        }

        private boolean leave(long hash, long location) {
            int at = place(stored(hash));
            if (table[2 * at] == 0 || (location != Location.NONE && !Location.same(table[2 * at + 1], location))) {
                return false;
            }
            taken--;
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
