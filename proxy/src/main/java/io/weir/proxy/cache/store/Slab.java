package io.weir.proxy.cache.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.base.Log;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Direct memory for stored objects, in regions that are reserved in the budget before they are allocated and kept until
 * the budget shrinks or bookkeeping needs the bytes. Shared; guarded by the store's lock, which hits never take.
 */
final class Slab {
    /** Heap bytes of a region: its bit set and objects. */
    static final int REGION_HEAP = 2048;

    private final ByteBufAllocator allocator;
    private final Budget budget;
    private final ReentrantLock lock;
    private final Log log;
    private final int regionBytes;
    private final List<Region> regions = new ArrayList<>();
    // where to search first: the last region that had room or freed some
    private int hint;
    private boolean refused;
    private final AtomicLong freeBytes = new AtomicLong();

    Slab(ByteBufAllocator allocator, Budget budget, int regionBytes, ReentrantLock lock, Log log) {
        this.log = log;
        this.allocator = allocator;
        this.budget = budget;
        this.regionBytes = regionBytes;
        this.lock = lock;
    }

    /** A size that leaves at least 32 regions in the budget, from 16 KiB to 1 MiB. */
    static int regionBytes(long budgetBytes) {
        long share = Long.highestOneBit(Math.max(1, budgetBytes / 32));
        return Math.clamp(share, 16 << 10, 1 << 20);
    }

    /** Bytes of blocks that fit in the given bytes of the budget. */
    static long room(long budgetBytes, int regionBytes) {
        int block = Math.min(Block.LARGEST, regionBytes);
        long overhead = REGION_HEAP + (regionBytes / block + 1L) * (Block.HEAP_BYTES + StoredObject.BLOCK_HEAP_BYTES);
        return Math.max(0, budgetBytes / (regionBytes + overhead) * regionBytes);
    }

    /** Bytes that new regions could still provide. Lock held. */
    long growth() {
        return refused ? 0 : room(budget.limit() - budget.used(), regionBytes);
    }

    /** Longest possible run. */
    int largest() {
        return regionBytes;
    }

    /** A block of at least {@code bytes}, from existing regions or a new one; null if neither has room. Lock held. */
    @Nullable
    Block take(int bytes) {
        int n = granules(bytes);
        Block found = search(n);
        if (found != null || n * Region.GRANULE > regionBytes) {
            return found;
        }
        return grow() ? search(n) : null;
    }

    static int granules(int bytes) {
        return Math.max(1, (bytes + Region.GRANULE - 1) / Region.GRANULE);
    }

    private @Nullable Block search(int n) {
        if (!budget.reserve(Block.HEAP_BYTES)) {
            return null;
        }
        Block found = place(n);
        if (found == null) {
            budget.release(Block.HEAP_BYTES);
        }
        return found;
    }

    private @Nullable Block place(int n) {
        int count = regions.size();
        for (int i = 0; i < count; i++) {
            int at = hint + i < count ? hint + i : hint + i - count;
            Region region = regions.get(at);
            int first = region.take(n);
            if (first >= 0) {
                hint = at;
                count(-n);
                return Block.of(
                        new Block.Span(region, first, n),
                        region.memory.nioBuffer(first * Region.GRANULE, n * Region.GRANULE));
            }
        }
        return null;
    }

    private boolean grow() {
        if (refused || !budget.reserve(regionBytes + (long) REGION_HEAP)) {
            return false;
        }
        ByteBuf memory = allocate();
        if (memory == null) {
            budget.release(regionBytes + (long) REGION_HEAP);
            return false;
        }
        hint = regions.size();
        regions.add(new Region(this, memory));
        count(regionBytes / Region.GRANULE);
        return true;
    }

    /** Null if the JVM has no more: its limit of direct memory may be lower than the budget. */
    private @Nullable ByteBuf allocate() {
        try {
            return allocator.directBuffer(regionBytes, regionBytes);
        } catch (OutOfMemoryError _) {
            // not tried again until a region is freed: the existing regions are used
            refused = true;
            log.log(CacheMessages.DIRECT_MEMORY_EXHAUSTED, budget.used(), budget.limit());
            return null;
        }
    }

    /** Frees the end of a block beyond {@code bytes}; the block must have no readers. */
    void trim(Block block, int bytes) {
        Block.Span span = block.span();
        lock.lock();
        try {
            int keep = granules(bytes);
            if (keep < span.granules) {
                span.region.give(span.first + keep, span.granules - keep);
                count(span.granules - keep);
                span.granules = keep;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The last reference to a block was released. Any thread. */
    void free(Block.Span span) {
        lock.lock();
        try {
            Region region = span.region;
            region.give(span.first, span.granules);
            count(span.granules);
            budget.release(Block.HEAP_BYTES);
            if (region.draining && region.empty()) {
                drop(region);
            } else if (hint < regions.size() && regions.get(hint) != region) {
                int at = regions.indexOf(region);
                hint = at < 0 ? hint : at;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The emptiest region that is not draining yet, or null. Lock held. */
    @Nullable
    Region emptiest() {
        Region emptiest = null;
        for (Region region : regions) {
            if (!region.draining && (emptiest == null || region.freeGranules() > emptiest.freeGranules())) {
                emptiest = region;
            }
        }
        return emptiest;
    }

    /** A region that holds little: using its bytes for bookkeeping is better than evicting more objects. Lock held. */
    @Nullable
    Region mostlyEmpty() {
        if (freeBytes.get() < regionBytes) {
            return null;
        }
        Region emptiest = emptiest();
        return emptiest != null && emptiest.freeGranules() * (long) Region.GRANULE * 4 >= regionBytes * 3L
                ? emptiest
                : null;
    }

    /** Stops allocating from the region; it is freed with its last block. Lock held. */
    void drain(Region region) {
        region.draining = true;
        if (region.empty()) {
            drop(region);
        }
    }

    private void drop(Region region) {
        refused = false;
        regions.remove(region);
        hint = 0;
        count(-(regionBytes / Region.GRANULE));
        region.memory.release();
        budget.release(regionBytes + (long) REGION_HEAP);
    }

    /** Frees all regions that are empty; the others are freed with their last block. */
    void close() {
        for (Region region = emptiest(); region != null; region = emptiest()) {
            drain(region);
        }
    }

    /** Bytes in regions that are not allocated. */
    long freeBytes() {
        return freeBytes.get();
    }

    /** Bytes allocated. */
    long takenBytes() {
        lock.lock();
        try {
            return regions.size() * (long) regionBytes - freeBytes.get();
        } finally {
            lock.unlock();
        }
    }

    private void count(int granules) {
        assert lock.isHeldByCurrentThread();
        freeBytes.addAndGet((long) granules * Region.GRANULE);
    }
}
