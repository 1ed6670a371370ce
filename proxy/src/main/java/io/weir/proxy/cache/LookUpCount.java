package io.weir.proxy.cache;

import io.weir.http.caching.Reuse;
import io.weir.proxy.cache.config.CacheCounters;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * Counts look-ups by their kind and outcome. What happens most, a fresh hit without Vary of a simple GET, is what is
 * left of all hits, so that it costs no further counter. Stateless.
 */
final class LookUpCount {
    private LookUpCount() {}

    static void hit(CacheCounters counters, CacheRequest request, StoredObject found, Reuse reuse) {
        counters.hits.inc();
        boolean simple = request.simple();
        if (!simple) {
            counters.otherLookUps.inc();
        }
        if (fromDisk(request, found)) {
            counters.diskHits.inc();
            counters.slowByDisk.inc();
        } else if (request.awaitedFetch()) {
            counters.slowByFetch.inc();
        } else if (!simple) {
            counters.slowByRequest.inc();
        } else if (reuse != Reuse.FRESH) {
            counters.slowByAge.inc();
        } else if (!found.vary().isEmpty()) {
            counters.slowByVariant.inc();
        }
    }

    /** Whether the object was read for this request, or its body is sent from the disk. */
    static boolean fromDisk(CacheRequest request, StoredObject found) {
        return request.fromDisk() || found.below() != null;
    }

    /** The first look-up of a request found nothing to use. */
    static void miss(CacheCounters counters, CacheRequest request, @Nullable CacheEntry entry) {
        counters.misses.inc();
        if (!request.simple()) {
            counters.otherLookUps.inc();
        }
        if (request.withheld()) {
            counters.withheld.inc();
            counters.missWithheld.inc();
        } else if (request.select(entry) != null) {
            counters.missStale.inc();
        } else {
            (hasVariants(request, entry) ? counters.missVariant : counters.missAbsent).inc();
        }
    }

    /** A request is fetched by itself. */
    static void fetches(CacheCounters counters, CacheRequest request) {
        if (request.simple()) {
            counters.simpleFetches.inc();
        }
    }

    /** Whether variants are stored that the request does not select. */
    static boolean hasVariants(CacheRequest request, @Nullable CacheEntry entry) {
        return (entry != null && entry.variants() != null) || request.hasVariantsBelow();
    }
}
