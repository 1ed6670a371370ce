package io.weir.proxy.cache;

import java.time.Duration;

/**
 * What perfdump's CacheInfo and the cache-bucket of stats-xml show. Immutable.
 *
 * @param entries objects in the store
 * @param hits requests answered from it
 * @param lookups hits and misses
 * @param maxAge longest time without a check: max-uncheck
 * @param bytes reserved of the budget
 * @param entryBytes bookkeeping of an object that lies in one block, without its key
 */
public record CacheFacts(
        boolean enabled,
        int entries,
        int maxEntries,
        long hits,
        long lookups,
        Duration maxAge,
        long bytes,
        long budgetBytes,
        long entryBytes) {}
