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
    public static final StatSpec HITS_ON_HEADS = StatSpec.counter(
            "weir_cache_head_hits_total",
            "requests",
            "Hits that needed the stored head alone: answers 304, answers to HEAD, and those without a body.");
    public static final StatSpec HITS_FROM_DISK = StatSpec.counter(
            "weir_cache_hits_from_disk_total",
            "requests",
            "Hits for which the answer was first read from the disk into memory, or whose body is sent from the disk; all"
                    + " others were in memory.");
    public static final StatSpec SLOW_HITS = StatSpec.counter(
            "weir_cache_slow_hits_total",
            "requests",
            "Hits that did not take the shortest way, by reason: request (not a simple GET: with conditions, a range or"
                    + " Cache-Control, or HEAD), variant (the answer has Vary), stale, disk (it was read first, or its body is there), fetch"
                    + " (another request's was waited for). All other hits take no lock and allocate nothing.",
            "reason");
    public static final StatSpec OTHER_LOOK_UPS = StatSpec.counter(
            "weir_cache_other_look_ups_total",
            "requests",
            "Look-ups, hits included, of requests that are not simple GETs: with conditions, a range or Cache-Control,"
                    + " or HEAD.");
    public static final StatSpec SIMPLE_FETCHES = StatSpec.counter(
            "weir_cache_simple_fetches_total", "requests", "Simple GETs that were fetched, by themselves.");
    public static final StatSpec SIMPLE_STORED = StatSpec.counter(
            "weir_cache_simple_fetches_stored_total",
            "answers",
            "Answers to them that were stored, without Vary: the next simple GET takes the shortest way.");
    public static final StatSpec MISS_REASONS = StatSpec.counter(
            "weir_cache_miss_reasons_total",
            "requests",
            "Misses by reason: absent (nothing is stored for the URI), variant (other variants are, in memory or on"
                    + " disk), stale (the stored answer must be validated first), withheld.",
            "reason");
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
            "weir_cache_bypass_total",
            "requests",
            "Requests that bypassed the cache, by reason. head, range and memory looked in it before, and are misses,"
                    + " too; all others are neither hits nor misses.",
            "reason");
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
    public static final StatSpec POLICY = StatSpec.counter(
            "weir_cache_policy_decisions_total",
            "objects",
            "Decisions of the eviction policy (S3-FIFO): probation (a new object enters the small queue), returning (it"
                    + " enters the main queue, as it was evicted from the small one lately), promoted (used more than"
                    + " once in the small queue, it moves to the main queue), kept (used in the main queue, it goes"
                    + " round once more). Many that return: more memory would help.",
            "decision");
    public static final StatSpec BUSY_REMOVALS = StatSpec.counter(
            "weir_cache_busy_removals_total",
            "objects",
            "Objects removed, for whatever reason, while they were still used: by an answer that was being written, by"
                    + " their validation, or by the queue to the disk.");
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
    public static final StatSpec PLAIN_ENTRIES = StatSpec.gauge(
            "weir_cache_plain_entries",
            "objects",
            "Those of them without Vary and with their bodies in memory, which simple GETs take the shortest way.");
    public static final StatSpec FILLS_ACTIVE =
            StatSpec.gauge("weir_cache_fills_active", "fetches", "Fetches in flight that fill the store.");

    /** All of them. */
    public static final List<StatSpec> ALL = List.of(
            HITS,
            MISSES,
            HITS_ON_HEADS,
            HITS_FROM_DISK,
            SLOW_HITS,
            OTHER_LOOK_UPS,
            SIMPLE_FETCHES,
            SIMPLE_STORED,
            MISS_REASONS,
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
            POLICY,
            BUSY_REMOVALS,
            REPLACEMENTS,
            INVALIDATIONS,
            BYTES,
            BYTES_FREE,
            BUDGET,
            WINDOW_BYTES,
            ENTRIES,
            PLAIN_ENTRIES,
            FILLS_ACTIVE);

    private CacheStats() {}
}
