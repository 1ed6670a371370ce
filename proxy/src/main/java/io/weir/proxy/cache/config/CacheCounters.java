package io.weir.proxy.cache.config;

import io.weir.base.Counter;
import io.weir.base.Stats;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The cache's counters, resolved once. Shared. */
public final class CacheCounters {
    public final Counter hits;
    public final Counter misses;
    public final Counter headHits;
    public final Counter diskHits;
    public final Counter slowByRequest;
    public final Counter slowByVariant;
    public final Counter slowByAge;
    public final Counter slowByDisk;
    public final Counter slowByFetch;
    public final Counter otherLookUps;
    public final Counter simpleFetches;
    public final Counter simpleStored;
    public final Counter missAbsent;
    public final Counter missVariant;
    public final Counter missStale;
    public final Counter missWithheld;
    public final Counter withheld;
    public final Counter staleAllowed;
    public final Counter staleByConnectMode;
    public final Counter staleRevalidating;
    public final Counter staleForError;
    public final Counter onlyIfCached;
    public final Counter fills;
    public final Counter complete;
    public final Counter failed;
    public final Counter truncated;
    public final Counter abandoned;
    public final Counter tooLarge;
    public final Counter outOfMemory;
    public final Counter elections;
    public final Counter revalidations;
    public final Counter notModified;
    public final Counter headUpdated;
    public final Counter headInvalidated;
    public final Counter collapsed;
    public final Counter aloneForMiss;
    public final Counter aloneReleased;
    public final Counter aloneForWaiters;
    public final Counter released;
    public final Counter cut;
    public final Counter evictedForMemory;
    public final Counter evictedForEntries;
    public final Counter evictedForVariants;
    public final Counter evictedToShrink;
    public final Counter busyRemovals;
    public final Counter replaced;
    public final Counter invalidated;
    private final Map<BypassReason, Counter> bypasses = new EnumMap<>(BypassReason.class);
    public final AtomicLong windowBytes = new AtomicLong();
    public final AtomicInteger activeFills = new AtomicInteger();
    private final Map<String, Counter> refusals = new ConcurrentHashMap<>();
    private final Stats stats;

    public CacheCounters(Stats stats) {
        this.stats = stats;
        hits = stats.counter(CacheStats.HITS);
        misses = stats.counter(CacheStats.MISSES);
        headHits = stats.counter(CacheStats.HITS_ON_HEADS);
        diskHits = stats.counter(CacheStats.HITS_FROM_DISK);
        slowByRequest = stats.counter(CacheStats.SLOW_HITS, "request");
        slowByVariant = stats.counter(CacheStats.SLOW_HITS, "variant");
        slowByAge = stats.counter(CacheStats.SLOW_HITS, "stale");
        slowByDisk = stats.counter(CacheStats.SLOW_HITS, "disk");
        slowByFetch = stats.counter(CacheStats.SLOW_HITS, "fetch");
        otherLookUps = stats.counter(CacheStats.OTHER_LOOK_UPS);
        simpleFetches = stats.counter(CacheStats.SIMPLE_FETCHES);
        simpleStored = stats.counter(CacheStats.SIMPLE_STORED);
        missAbsent = stats.counter(CacheStats.MISS_REASONS, "absent");
        missVariant = stats.counter(CacheStats.MISS_REASONS, "variant");
        missStale = stats.counter(CacheStats.MISS_REASONS, "stale");
        missWithheld = stats.counter(CacheStats.MISS_REASONS, "withheld");
        withheld = stats.counter(CacheStats.WITHHELD);
        staleAllowed = stats.counter(CacheStats.STALE_HITS, "max-stale");
        staleByConnectMode = stats.counter(CacheStats.STALE_HITS, "connect-mode");
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
        busyRemovals = stats.counter(CacheStats.BUSY_REMOVALS);
        replaced = stats.counter(CacheStats.REPLACEMENTS);
        invalidated = stats.counter(CacheStats.INVALIDATIONS);
        for (BypassReason reason : BypassReason.values()) {
            bypasses.put(reason, stats.counter(CacheStats.BYPASSES, reason.label()));
        }
        stats.gauge(CacheStats.WINDOW_BYTES, windowBytes::get);
        stats.gauge(CacheStats.FILLS_ACTIVE, activeFills::get);
    }

    public void bypassed(BypassReason reason) {
        Counter counter = bypasses.get(reason);
        if (counter != null) {
            counter.inc();
        }
    }

    /** An answer that was not stored; the reasons are few. */
    public void refused(String reason) {
        refusals.computeIfAbsent(reason, r -> stats.counter(CacheStats.REFUSALS, r))
                .inc();
    }
}
