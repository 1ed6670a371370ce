package io.weir.proxy.program;

import java.util.List;

/**
 * What {@code cache-enable} and {@code cache-setting} say about a request's answer. Immutable.
 *
 * @param queryMaxlen longest query that is cached, bytes; 0: none
 * @param minSize bytes
 * @param maxSize bytes; 0: what the store allows
 * @param maxUncheckSeconds longest use without asking; 0: as long as it is fresh (the seed's 0 means ask always: that is
 *     {@code checkAlways})
 * @param lmFactor heuristic freshness: share of the time since the last modification; 0: explicit freshness only
 * @param coverErrorsSeconds stale answers on errors
 * @param connectMode when the origin is asked
 * @param cacheAuth store answers to requests with Authorization
 * @param ignore names among no-cache, no-store, private, reload that are ignored
 */
public record CacheSettings(
        int queryMaxlen,
        long minSize,
        long maxSize,
        boolean checkAlways,
        long maxUncheckSeconds,
        double lmFactor,
        long coverErrorsSeconds,
        ConnectMode connectMode,
        boolean cacheAuth,
        List<String> ignore) {
    /** When the origin is asked. */
    public enum ConnectMode {
        /** When the cache cannot answer. */
        NORMAL,
        /** Only when the cache has nothing at all, fresh or stale. */
        FAST_DEMO,
        /** Never: what is not in the cache is answered 504. */
        NEVER
    }

    public CacheSettings {
        ignore = List.copyOf(ignore);
    }
}
