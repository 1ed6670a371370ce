package io.weir.proxy.cache.config;

import io.weir.base.StatSpec;
import java.util.List;

/** The statistics of the cache. perfdump's CacheInfo and the cache-bucket of stats-xml read them. */
public final class CacheStats {
    public static final StatSpec HITS = StatSpec.counter(
            "weir_cache_hits_total", "requests", "Requests answered from the store, stale ones included.");
    public static final StatSpec MISSES = StatSpec.counter(
            "weir_cache_misses_total",
            "requests",
            "Look-ups that found nothing usable: fetched, joined or refused (504).");
    public static final StatSpec WITHHELD = StatSpec.counter(
            "weir_cache_withheld_total",
            "requests",
            "Misses although an answer is stored: it was fetched from an address that proxy.destinations denies this"
                    + " client, or by a route of the other kind (forward proxy or configured origins).");
    public static final StatSpec STALE_HITS = StatSpec.counter(
            "weir_cache_stale_hits_total",
            "requests",
            "Stale answers served, by reason: max-stale, stale-while-revalidate, an origin's error, or the"
                    + " route's connect-mode.",
            "reason");
    public static final StatSpec BYPASSES = StatSpec.counter(
            "weir_cache_bypass_total", "requests", "Requests that bypassed the cache, by reason.", "reason");
    public static final StatSpec ONLY_IF_CACHED = StatSpec.counter(
            "weir_cache_only_if_cached_total",
            "requests",
            "Requests with only-if-cached, or under connect-mode never, that got 504.");
    public static final StatSpec FILLS =
            StatSpec.counter("weir_cache_fills_total", "fetches", "Fetches started to fill or validate the store.");
    public static final StatSpec FILLS_COMPLETE =
            StatSpec.counter("weir_cache_fills_complete_total", "fetches", "Fetches whose answer is now in the store.");
    public static final StatSpec FILLS_FAILED =
            StatSpec.counter("weir_cache_fills_failed_total", "fetches", "Fetches that ended in an error.");
    public static final StatSpec FILLS_TRUNCATED = StatSpec.counter(
            "weir_cache_fills_truncated_total",
            "fetches",
            "Answers shorter or longer than their Content-Length, not stored.");
    public static final StatSpec FILLS_ABANDONED = StatSpec.counter(
            "weir_cache_fills_abandoned_total", "fetches", "Fetches aborted because no request waited any more.");
    public static final StatSpec FILLS_TOO_LARGE = StatSpec.counter(
            "weir_cache_fills_too_large_total",
            "fetches",
            "Answers of unknown length that turned out too large to store while they arrived, by reason:"
                    + " max-object-size or memory-budget.",
            "reason");
    public static final StatSpec ELECTIONS =
            StatSpec.counter("weir_cache_elections_total", "fetches", "Fetches taken over by a waiting request.");
    public static final StatSpec REVALIDATIONS =
            StatSpec.counter("weir_cache_revalidations_total", "fetches", "Conditional fetches for a stored object.");
    public static final StatSpec NOT_MODIFIED = StatSpec.counter(
            "weir_cache_not_modified_total", "fetches", "Conditional fetches answered 304: the stored object is kept.");
    public static final StatSpec HEADS = StatSpec.counter(
            "weir_cache_head_answers_total",
            "answers",
            "Answers to HEAD that concerned a stored answer, by their effect: updated or invalidated.",
            "outcome");
    public static final StatSpec COLLAPSED =
            StatSpec.counter("weir_cache_collapsed_total", "requests", "Requests that joined a fetch in flight.");
    public static final StatSpec UNCOLLAPSED = StatSpec.counter(
            "weir_cache_uncollapsed_total",
            "requests",
            "Fetches that others could not join, by reason: hit-for-miss, released, waiters.",
            "reason");
    public static final StatSpec RELEASED =
            StatSpec.counter("weir_cache_released_total", "requests", "Waiting requests sent to fetch for themselves.");
    public static final StatSpec READERS_CUT = StatSpec.counter(
            "weir_cache_readers_cut_total",
            "requests",
            "Readers disconnected for delaying others too long, of an answer of unknown length too large to store.");
    public static final StatSpec REFUSALS = StatSpec.counter(
            "weir_cache_refusals_total",
            "answers",
            "Answers that were not stored, by reason (docs/http-caching.md).",
            "reason");
    public static final StatSpec EVICTIONS = StatSpec.counter(
            "weir_cache_evictions_total",
            "objects",
            "Objects evicted, by reason: memory, entries, variants, shrink.",
            "reason");
    public static final StatSpec REPLACEMENTS = StatSpec.counter(
            "weir_cache_replacements_total", "objects", "Objects replaced by a newer answer for the same request.");
    public static final StatSpec INVALIDATIONS = StatSpec.counter(
            "weir_cache_invalidations_total",
            "objects",
            "Objects removed by an unsafe request (RFC 9111 4.4) or a purge.");
    public static final StatSpec BYTES =
            StatSpec.gauge("weir_cache_bytes", "bytes", "Bytes reserved of the memory budget, bookkeeping included.");
    public static final StatSpec BYTES_FREE = StatSpec.gauge(
            "weir_cache_free_bytes", "bytes", "Part of weir_cache_bytes that is allocated but holds no object.");
    public static final StatSpec BUDGET =
            StatSpec.gauge("weir_cache_budget_bytes", "bytes", "The memory budget as configured.");
    public static final StatSpec WINDOW_BYTES = StatSpec.gauge(
            "weir_cache_window_bytes", "bytes", "Bytes held for the readers of objects too large to store.");
    public static final StatSpec ENTRIES = StatSpec.gauge("weir_cache_entries", "objects", "Objects in the store.");
    public static final StatSpec FILLS_ACTIVE =
            StatSpec.gauge("weir_cache_fills_active", "fetches", "Fetches in flight that fill the store.");

    /** All of them. */
    public static final List<StatSpec> ALL = List.of(
            HITS,
            MISSES,
            WITHHELD,
            STALE_HITS,
            BYPASSES,
            ONLY_IF_CACHED,
            FILLS,
            FILLS_COMPLETE,
            FILLS_FAILED,
            FILLS_TRUNCATED,
            FILLS_ABANDONED,
            FILLS_TOO_LARGE,
            ELECTIONS,
            REVALIDATIONS,
            NOT_MODIFIED,
            HEADS,
            COLLAPSED,
            UNCOLLAPSED,
            RELEASED,
            READERS_CUT,
            REFUSALS,
            EVICTIONS,
            REPLACEMENTS,
            INVALIDATIONS,
            BYTES,
            BYTES_FREE,
            BUDGET,
            WINDOW_BYTES,
            ENTRIES,
            FILLS_ACTIVE);

    private CacheStats() {}
}
