package io.weir.proxy.program;

import org.jspecify.annotations.Nullable;

/** What {@code cache-enable} says. Shared; it remembers the settings made with the last terms, so that requests make none. */
final class CacheChoice {
    private final int queryMaxlen;
    private final long minSize;
    private final long maxSize;
    private final boolean cacheAuth;
    private volatile @Nullable Made made;

    private record Made(CacheTerms terms, CacheSettings settings) {}

    CacheChoice(int queryMaxlen, long minSize, long maxSize, boolean cacheAuth) {
        this.queryMaxlen = queryMaxlen;
        this.minSize = minSize;
        this.maxSize = maxSize;
        this.cacheAuth = cacheAuth;
    }

    CacheSettings with(@Nullable CacheTerms terms) {
        CacheTerms t = terms == null ? CacheTerms.STANDARD : terms;
        Made m = made;
        if (m == null || !m.terms().equals(t)) {
            m = new Made(
                    t,
                    new CacheSettings(
                            queryMaxlen,
                            minSize,
                            maxSize,
                            t.checkAlways(),
                            t.maxUncheckSeconds(),
                            t.lmFactor(),
                            t.coverErrorsSeconds(),
                            t.connectMode(),
                            cacheAuth,
                            t.ignore()));
            made = m;
        }
        return m.settings();
    }
}
