package io.weir.proxy.cache.store;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keys to entries: a chained hash table whose look-ups take no lock and allocate nothing. Written with the store's lock
 * held. A look-up concurrent with a change may miss an existing entry but never finds a wrong one; so a miss is looked
 * up again with the lock held before it is acted on.
 */
public final class EntryTable {
    private static final int FIRST = 1024;

    private final Budget budget;
    private volatile AtomicReferenceArray<@Nullable CacheEntry> slots = new AtomicReferenceArray<>(FIRST);
    private int size;

    EntryTable(Budget budget) {
        this.budget = budget;
    }

    static long heapBytes(int slots) {
        return 16L + 4L * slots;
    }

    static long firstHeapBytes() {
        return heapBytes(FIRST);
    }

    @Nullable
    public CacheEntry find(KeyBuilder key) {
        long hash = key.hash();
        AtomicReferenceArray<@Nullable CacheEntry> now = slots;
        for (CacheEntry e = now.get(slot(hash, now.length())); e != null; e = e.next) {
            if (e.hash == hash && key.matches(e.key)) {
                return e;
            }
        }
        return null;
    }

    /** The entry of a key whose hash was computed before. */
    @Nullable
    CacheEntry find(long hash, byte[] key) {
        AtomicReferenceArray<@Nullable CacheEntry> now = slots;
        for (CacheEntry e = now.get(slot(hash, now.length())); e != null; e = e.next) {
            if (e.hash == hash && Arrays.equals(e.key, key)) {
                return e;
            }
        }
        return null;
    }

    /** Whether answers of a key with this hash are stored. Takes no lock. */
    public boolean has(long hash) {
        AtomicReferenceArray<@Nullable CacheEntry> now = slots;
        for (CacheEntry e = now.get(slot(hash, now.length())); e != null; e = e.next) {
            if (e.hash == hash) {
                return e.variants != null;
            }
        }
        return false;
    }

    void add(CacheEntry entry) {
        if (size >= slots.length()) {
            grow();
        }
        push(slots, entry);
        size++;
    }

    void remove(CacheEntry entry) {
        AtomicReferenceArray<@Nullable CacheEntry> now = slots;
        int at = slot(entry.hash, now.length());
        CacheEntry first = now.get(at);
        if (first == entry) {
            now.set(at, entry.next);
            size--;
            return;
        }
        for (CacheEntry e = first; e != null; e = e.next) {
            if (e.next == entry) {
                // the removed entry keeps its link: concurrent look-ups that are at it continue
                e.next = entry.next;
                size--;
                return;
            }
        }
    }

    /** Bytes reserved beyond those of the first array. */
    public long grownBytes() {
        return heapBytes(slots.length()) - firstHeapBytes();
    }

    /** Places of the table: keys whose hashes select the same place are chained. */
    public int places() {
        return slots.length();
    }

    public int size() {
        return size;
    }

    public void forEach(Consumer<CacheEntry> action) {
        AtomicReferenceArray<@Nullable CacheEntry> now = slots;
        for (int i = 0; i < now.length(); i++) {
            for (CacheEntry e = now.get(i); e != null; ) {
                CacheEntry following = e.next;
                action.accept(e);
                e = following;
            }
        }
    }

    /**
     * Passes entries to {@code more} until it returns false; takes no lock, so entries added or removed concurrently
     * may be missed.
     */
    public void walk(Predicate<CacheEntry> more) {
        AtomicReferenceArray<@Nullable CacheEntry> now = slots;
        for (int i = 0; i < now.length(); i++) {
            for (CacheEntry e = now.get(i); e != null; e = e.next) {
                if (!more.test(e)) {
                    return;
                }
            }
        }
    }

    /** Doubles the table if the budget has room for it; otherwise chains get longer. */
    private void grow() {
        AtomicReferenceArray<@Nullable CacheEntry> old = slots;
        int length = old.length() * 2;
        if (length > 1 << 28 || !budget.reserve(heapBytes(length))) {
            return;
        }
        AtomicReferenceArray<@Nullable CacheEntry> grown = new AtomicReferenceArray<>(length);
        for (int i = 0; i < old.length(); i++) {
            for (CacheEntry e = old.get(i); e != null; ) {
                CacheEntry following = e.next;
                push(grown, e);
                e = following;
            }
        }
        slots = grown;
        budget.release(heapBytes(old.length()));
    }

    private static void push(AtomicReferenceArray<@Nullable CacheEntry> to, CacheEntry entry) {
        int at = slot(entry.hash, to.length());
        entry.next = to.get(at);
        to.set(at, entry);
    }

    private static int slot(long hash, int length) {
        return (int) (hash ^ hash >>> 32) & (length - 1);
    }
}
