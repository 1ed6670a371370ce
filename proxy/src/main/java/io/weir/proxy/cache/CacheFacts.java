package io.weir.proxy.cache;

import java.time.Duration;

/**
 * The values of perfdump's CacheInfo and the cache-bucket of stats-xml. Immutable.
 *
 * @param entries objects in the store
 * @param plainEntries those without Vary
 * @param hits requests answered from it
 * @param lookups hits and misses
 * @param maxAge longest time without revalidation: max-uncheck
 * @param bytes reserved of the budget
 * @param entryBytes overhead of an object stored in one block, without its key
 * @param places of the hash table
 */
public record CacheFacts(
        boolean enabled,
        int entries,
        int plainEntries,
        int maxEntries,
        long hits,
        long lookups,
        Duration maxAge,
        long bytes,
        long budgetBytes,
        long entryBytes,
        int places) {}
