package io.weir.proxy.program.run;

import io.weir.proxy.cache.config.CacheTerms;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@code cache-enable}. Shared; it caches the terms of the last settings, so that requests allocate
 * none.
 */
public final class CacheChoice {
    private final int queryMaxlen;
    private final long minSize;
    private final long maxSize;
    private final boolean cacheAuth;
    private volatile @Nullable Made made;

    private record Made(CacheTerms settings, CacheTerms terms) {}

    public CacheChoice(int queryMaxlen, long minSize, long maxSize, boolean cacheAuth) {
        this.queryMaxlen = queryMaxlen;
        this.minSize = minSize;
        this.maxSize = maxSize;
        this.cacheAuth = cacheAuth;
    }

    /** The terms of a request with these settings of {@code cache-setting}; null: none. */
    CacheTerms with(@Nullable CacheTerms settings) {
        CacheTerms s = settings == null ? CacheTerms.DEFAULT : settings;
        Made m = made;
        if (m == null || !m.settings().equals(s)) {
            m = new Made(s, s.with(queryMaxlen, minSize, maxSize, cacheAuth));
            made = m;
        }
        return m.terms();
    }
}
