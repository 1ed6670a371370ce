package io.weir.proxy.cache.store;

import io.netty.buffer.ByteBufAllocator;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.config.CacheCounters;
import io.weir.proxy.cache.config.CacheStats;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The stored objects, their memory and their eviction. Shared. Hits read the table without a lock; everything else
 * holds {@link #lock}. A fill takes its own lock before this one, never after it.
 */
public final class Store {
    private static final int TRIES_FOR_A_RUN = 4;
    private static final int TRIES_FOR_HEAP = 64;
    /** Heap that an object and its fill use in addition to the body. */
    private static final int SPARE_BYTES = 8 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Budget budget;
    private final EntryTable table;
    private final HitForMiss uncacheables;
    private final Live<CacheConfig> config;
    private final CacheCounters counters;
    private final Slab slab;
    private final Eviction eviction;
    private final AtomicInteger objects = new AtomicInteger();
    private final AtomicInteger plain = new AtomicInteger();
    private final long ownHeap;
    private final AtomicLong purges = new AtomicLong();
    private volatile LowerTier lower = LowerTier.NONE;
    private volatile Predicate<byte[]> lowerKeys = _ -> true;

    public Store(
            Live<CacheConfig> config, ByteBufAllocator allocator, CacheCounters counters, long nowMillis, Log log) {
        this.config = config;
        this.counters = counters;
        long bytes = config.get().memoryBudget().bytes();
        budget = new Budget(() -> config.get().memoryBudget().bytes());
        table = new EntryTable(budget);
        GhostTable ghosts = new GhostTable(ghosts(bytes));
        uncacheables = new HitForMiss(uncacheables(bytes), nowMillis);
        slab = new Slab(allocator, budget, Slab.regionBytes(bytes), lock, log);
        eviction = new Eviction(ghosts);
        ownHeap = ownHeap(bytes);
        if (!budget.reserve(ownHeap)) {
            throw new IllegalArgumentException("cache.memory-budget is too small: " + bytes);
        }
    }

    /** How many hashes of evicted objects are remembered. */
    static int ghosts(long budgetBytes) {
        return Math.clamp(Long.highestOneBit(budgetBytes / 4096), 64, 1 << 20);
    }

    private static int uncacheables(long budgetBytes) {
        return Math.clamp(Long.highestOneBit(budgetBytes / 8192), 64, 1 << 16);
    }

    private static long ownHeap(long budgetBytes) {
        return EntryTable.firstHeapBytes()
                + GhostTable.heapBytes(ghosts(budgetBytes))
                + HitForMiss.heapBytes(uncacheables(budgetBytes));
    }

    /** Sets what is told of all changes from now on; before the first request. */
    public void lower(LowerTier tier) {
        lower = tier;
    }

    /** Sets which keys are kept below; others only in memory. */
    public void lowerKeys(Predicate<byte[]> keys) {
        lowerKeys = keys;
    }

    public LowerTier lower() {
        return lower;
    }

    /** Whether answers of the key are kept below. */
    public boolean keptBelow(CacheEntry entry) {
        return lowerKeys.test(entry.key);
    }

    /** Guards all writes to the store. */
    public ReentrantLock lock() {
        return lock;
    }

    public Budget budget() {
        return budget;
    }

    public EntryTable table() {
        return table;
    }

    /** Keys whose answers may not be stored. */
    public HitForMiss uncacheables() {
        return uncacheables;
    }

    public int objects() {
        return objects.get();
    }

    /** Shows the decisions of the eviction policy. */
    public void count(Stats stats) {
        stats.counter(CacheStats.POLICY, eviction::probation, "probation");
        stats.counter(CacheStats.POLICY, eviction::returning, "returning");
        stats.counter(CacheStats.POLICY, eviction::promoted, "promoted");
        stats.counter(CacheStats.POLICY, eviction::kept, "kept");
    }

    /** Objects without Vary whose bodies are in memory. */
    public int plainObjects() {
        return plain.get();
    }

    public long freeBytes() {
        return slab.freeBytes();
    }

    public long takenBytes() {
        return slab.takenBytes();
    }

    public int largestBlock() {
        return slab.largest();
    }

    /** The largest body that would fit if nothing else were stored: fills of larger ones are not begun. */
    public long largestBody() {
        return largestBody(budget.limit(), ownHeap, slab.largest());
    }

    /** The same for a cache that starts with this budget. */
    public static long largestBody(long budgetBytes) {
        return largestBody(budgetBytes, ownHeap(budgetBytes), Slab.regionBytes(budgetBytes));
    }

    private static long largestBody(long budgetBytes, long ownHeap, int regionBytes) {
        // one block is deducted for the head and the gaps between blocks of different sizes
        long room = Slab.room(budgetBytes - ownHeap - SPARE_BYTES, regionBytes);
        return Math.max(0, room - Math.min(Block.LARGEST, regionBytes));
    }

    /** Whether a body would fit if all stored objects were evicted; what is being read or filled cannot be evicted. */
    public boolean hasRoom(long bytes) {
        lock.lock();
        try {
            return bytes <= slab.freeBytes() + eviction.bytes() + slab.growth();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Memory for a fill: a block of {@code want} bytes, or a smaller one of at least {@code least} if free memory is
     * fragmented. Evicts as needed. Null when nothing evictable is left.
     */
    @Nullable
    public Block allocate(int want, int least) {
        lock.lock();
        try {
            int size = Math.min(want, slab.largest());
            Block block = slab.take(size);
            for (int i = 0; block == null && i < TRIES_FOR_A_RUN && evictOne(); i++) {
                block = slab.take(size);
            }
            int floor = Math.min(Math.max(least, 1), size);
            while (block == null && size > floor) {
                size = Math.max(floor, size / 2);
                block = slab.take(size);
            }
            while (block == null && evictOne()) {
                block = slab.take(floor);
            }
            return block;
        } finally {
            lock.unlock();
        }
    }

    public void trim(Block block, int bytes) {
        slab.trim(block, bytes);
    }

    /** Reserves bytes for bookkeeping on the heap; frees mostly empty regions or evicts as needed. */
    public boolean reserve(long bytes) {
        if (budget.reserve(bytes)) {
            return true;
        }
        lock.lock();
        try {
            for (int i = 0; i < TRIES_FOR_HEAP && (drain(slab.mostlyEmpty()) || evictOne()); i++) {
                if (budget.reserve(bytes)) {
                    return true;
                }
            }
            return drain(slab.emptiest()) && budget.reserve(bytes);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Empties a region and frees it, at the latest when the last slice of it is released; returns false for null. Lock
     * held.
     */
    private boolean drain(@Nullable Region region) {
        if (region == null) {
            return false;
        }
        slab.drain(region);
        for (Evictable node = eviction.find(n -> ((StoredObject) n).liesIn(region));
                node != null;
                node = eviction.find(n -> ((StoredObject) n).liesIn(region))) {
            counters.evictedToShrink.inc();
            drop((StoredObject) node);
        }
        return true;
    }

    /** The budget or the number of entries was lowered: evicts the excess. */
    public void shrink() {
        lock.lock();
        try {
            while (objects.get() > config.get().maxEntries() && evictOne()) {
                // each round evicts one
            }
            while (budget.over() && drain(slab.emptiest())) {
                // each round empties another region
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean evictOne() {
        Evictable node = eviction.evict();
        if (node == null) {
            return false;
        }
        counters.evictedForMemory.inc();
        drop((StoredObject) node);
        return true;
    }

    /** The entry of the key, created if there is none; null if there is no room for it. Lock held. */
    @Nullable
    public CacheEntry enter(KeyBuilder key) {
        CacheEntry found = table.find(key);
        if (found != null) {
            return found;
        }
        if (!reserve(CacheEntry.heapBytes(key.length()))) {
            return null;
        }
        // the eviction cannot have removed this key: it was not in the table
        CacheEntry entry = new CacheEntry(key.hash(), key.copy());
        table.add(entry);
        return entry;
    }

    /** As {@link #enter(KeyBuilder)}, of a key that is an array. Lock held. */
    @Nullable
    public CacheEntry enter(long hash, byte[] key) {
        CacheEntry found = table.find(hash, key);
        if (found != null) {
            return found;
        }
        if (!reserve(CacheEntry.heapBytes(key.length))) {
            return null;
        }
        CacheEntry entry = new CacheEntry(hash, key);
        table.add(entry);
        return entry;
    }

    /** Removes an entry that is no longer used. Lock held. */
    public void leave(CacheEntry entry) {
        if (entry.linked() && entry.unused()) {
            entry.unlink(budget);
            table.remove(entry);
            budget.release(CacheEntry.heapBytes(entry.key.length));
        }
    }

    /**
     * Stores an object; it replaces one with the same selecting fields. The store takes over the reference. Lock held.
     */
    public void put(StoredObject object) {
        add(object);
        // before the limits: they may evict it at once
        CacheEntry entry = object.entry();
        boolean own = lowerKeys.test(entry.key);
        if (!own) {
            lower.removed(entry.hash);
        }
        if (own ? lower.stored(object) : object.below() == null) {
            limit(object.entry());
        } else {
            // only what has a record is freed when there is no room
            drop(object);
        }
    }

    /** Stores an object that came from the lower tier. Lock held. */
    public void putRestored(StoredObject object) {
        add(object);
        limit(object.entry());
    }

    private void add(StoredObject object) {
        CacheEntry entry = object.entry();
        StoredObject same = sameVariant(entry, object);
        if (same != null) {
            unlink(same);
            eviction.replace(same, object);
            left(same);
            counters.replaced.inc();
        } else {
            eviction.add(object);
        }
        object.nextVariant(entry.variants);
        entry.variants = object;
        entry.added(object, budget);
        objects.incrementAndGet();
        plain.addAndGet(isPlain(object) ? 1 : 0);
    }

    private static boolean isPlain(StoredObject object) {
        return object.vary().isEmpty() && object.below() == null;
    }

    /** An object has left the table: what is being read of it stays until its last reader is done. */
    private void left(StoredObject object) {
        objects.decrementAndGet();
        plain.addAndGet(isPlain(object) ? -1 : 0);
        if (object.refs() > 1) {
            counters.busyRemovals.inc();
        }
        object.release();
    }

    private static @Nullable StoredObject sameVariant(CacheEntry entry, StoredObject object) {
        for (StoredObject o = entry.variants; o != null; o = o.nextVariant()) {
            if (o.varyKey().equals(object.varyKey())) {
                return o;
            }
        }
        return null;
    }

    private void limit(CacheEntry entry) {
        CacheConfig now = config.get();
        while (entry.variantCount() > now.maxVariants()) {
            StoredObject last = entry.variants;
            for (StoredObject o = last; o != null; o = o.nextVariant()) {
                last = o;
            }
            if (last != null) {
                counters.evictedForVariants.inc();
                drop(last);
            }
        }
        while (objects.get() > now.maxEntries()) {
            Evictable node = eviction.evict();
            if (node == null) {
                return;
            }
            counters.evictedForEntries.inc();
            drop((StoredObject) node);
        }
    }

    /** Removes an object. Lock held. */
    public void drop(StoredObject object) {
        eviction.remove(object);
        if (unlink(object)) {
            left(object);
            leave(object.entry());
        }
    }

    /** A body below the memory cannot be read any more: its object goes, too. Any thread. */
    // this very body: another one of the same key is another record
    @SuppressWarnings("ReferenceEquality")
    public void gone(long hash, byte[] key, LowerBody body) {
        lock.lock();
        try {
            CacheEntry entry = table.find(hash, key);
            for (StoredObject o = entry == null ? null : entry.variants; o != null; o = o.nextVariant()) {
                if (o.below() == body) {
                    drop(o);
                    return;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes an object that may not be used any more, from below as well. Lock held. */
    public void discard(StoredObject object) {
        lower.removed(object.entry().hash);
        drop(object);
    }

    /** Whether the object is still stored: not replaced, evicted or purged since it was found. Lock held. */
    public static boolean holds(StoredObject object) {
        for (StoredObject o = object.entry().variants; o != null; o = o.nextVariant()) {
            if (o == object) {
                return true;
            }
        }
        return false;
    }

    private static boolean unlink(StoredObject object) {
        CacheEntry entry = object.entry();
        StoredObject first = entry.variants;
        entry.removed(object);
        if (first == object) {
            entry.variants = object.nextVariant();
            return true;
        }
        for (StoredObject o = first; o != null; o = o.nextVariant()) {
            if (o.nextVariant() == object) {
                o.nextVariant(object.nextVariant());
                return true;
            }
        }
        return false;
    }

    /**
     * Counts purges and invalidations, also of keys that are not in the table: the answer to a request that was sent before
     * one must not be stored after it.
     */
    public long purges() {
        return purges.get();
    }

    /** A purge or an invalidation, of any key. Lock held, so that no fill is started within it. */
    public void purged() {
        purges.incrementAndGet();
    }

    /** Removes all variants of an entry, and prevents the results of fetches in flight from being stored. Lock held. */
    public int clear(CacheEntry entry) {
        int n = 0;
        for (InFlight fetch = entry.fetches(); fetch != null; fetch = fetch.next) {
            fetch.doom();
        }
        for (StoredObject o = entry.variants; o != null; o = entry.variants) {
            drop(o);
            n++;
        }
        return n;
    }

    /** Frees all memory that is not in use. */
    public void close() {
        lock.lock();
        try {
            table.forEach(this::clear);
            slab.close();
        } finally {
            lock.unlock();
        }
    }
}
