package io.weir.proxy.cache;

import io.weir.base.Counter;
import io.weir.base.Stats;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The cache's counters, resolved once. Shared. */
final class CacheCounters {
    final Counter hits;
    final Counter misses;
    final Counter withheld;
    final Counter staleAllowed;
    final Counter staleUnasked;
    final Counter staleRevalidating;
    final Counter staleForError;
    final Counter onlyIfCached;
    final Counter fills;
    final Counter complete;
    final Counter failed;
    final Counter truncated;
    final Counter abandoned;
    final Counter tooLarge;
    final Counter outOfMemory;
    final Counter elections;
    final Counter revalidations;
    final Counter notModified;
    final Counter headUpdated;
    final Counter headInvalidated;
    final Counter collapsed;
    final Counter aloneForMiss;
    final Counter aloneReleased;
    final Counter aloneForWaiters;
    final Counter released;
    final Counter cut;
    final Counter evictedForMemory;
    final Counter evictedForEntries;
    final Counter evictedForVariants;
    final Counter evictedToShrink;
    final Counter replaced;
    final Counter invalidated;
    private final Map<Decision.Reason, Counter> bypasses = new EnumMap<>(Decision.Reason.class);
    final AtomicLong windowBytes = new AtomicLong();
    final AtomicInteger activeFills = new AtomicInteger();
    private final Map<String, Counter> refusals = new ConcurrentHashMap<>();
    private final Stats stats;

    CacheCounters(Stats stats) {
        this.stats = stats;
        hits = stats.counter(CacheStats.HITS);
        misses = stats.counter(CacheStats.MISSES);
        withheld = stats.counter(CacheStats.WITHHELD);
        staleAllowed = stats.counter(CacheStats.STALE_HITS, "max-stale");
        staleUnasked = stats.counter(CacheStats.STALE_HITS, "connect-mode");
        staleRevalidating = stats.counter(CacheStats.STALE_HITS, "stale-while-revalidate");
        staleForError = stats.counter(CacheStats.STALE_HITS, "error");
        onlyIfCached = stats.counter(CacheStats.ONLY_IF_CACHED);
        fills = stats.counter(CacheStats.FILLS);
        complete = stats.counter(CacheStats.FILLS_COMPLETE);
        failed = stats.counter(CacheStats.FILLS_FAILED);
        truncated = stats.counter(CacheStats.FILLS_TRUNCATED);
        abandoned = stats.counter(CacheStats.FILLS_ABANDONED);
        tooLarge = stats.counter(CacheStats.FILLS_TOO_LARGE, "max-object-size");
        outOfMemory = stats.counter(CacheStats.FILLS_TOO_LARGE, "memory-budget");
        elections = stats.counter(CacheStats.ELECTIONS);
        revalidations = stats.counter(CacheStats.REVALIDATIONS);
        notModified = stats.counter(CacheStats.NOT_MODIFIED);
        headUpdated = stats.counter(CacheStats.HEADS, "updated");
        headInvalidated = stats.counter(CacheStats.HEADS, "invalidated");
        collapsed = stats.counter(CacheStats.COLLAPSED);
        aloneForMiss = stats.counter(CacheStats.UNCOLLAPSED, "hit-for-miss");
        aloneReleased = stats.counter(CacheStats.UNCOLLAPSED, "released");
        aloneForWaiters = stats.counter(CacheStats.UNCOLLAPSED, "waiters");
        released = stats.counter(CacheStats.RELEASED);
        cut = stats.counter(CacheStats.READERS_CUT);
        evictedForMemory = stats.counter(CacheStats.EVICTIONS, "memory");
        evictedForEntries = stats.counter(CacheStats.EVICTIONS, "entries");
        evictedForVariants = stats.counter(CacheStats.EVICTIONS, "variants");
        evictedToShrink = stats.counter(CacheStats.EVICTIONS, "shrink");
        replaced = stats.counter(CacheStats.REPLACEMENTS);
        invalidated = stats.counter(CacheStats.INVALIDATIONS);
        for (Decision.Reason reason : Decision.Reason.values()) {
            bypasses.put(reason, stats.counter(CacheStats.BYPASSES, reason.label()));
        }
        stats.gauge(CacheStats.WINDOW_BYTES, windowBytes::get);
        stats.gauge(CacheStats.FILLS_ACTIVE, activeFills::get);
    }

    void bypassed(Decision.Reason reason) {
        Counter counter = bypasses.get(reason);
        if (counter != null) {
            counter.inc();
        }
    }

    /** An answer that was not stored; the reasons are few. */
    void refused(String reason) {
        refusals.computeIfAbsent(reason, r -> stats.counter(CacheStats.REFUSALS, r))
                .inc();
    }
}
