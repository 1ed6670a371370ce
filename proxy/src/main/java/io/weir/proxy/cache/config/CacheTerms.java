package io.weir.proxy.cache.config;

import io.weir.http.caching.CacheControl;
import io.weir.http.caching.Freshness;
import io.weir.http.caching.Reuse;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.StringJoiner;

/**
 * A route's caching settings, which override the section {@code cache}. Values that are {@link #CONFIGURED} are read
 * from that section for each request. A fill shared by requests of several routes uses its leader's settings.
 * Immutable.
 *
 * @param queryMaxlen longest query that is cached, bytes; 0: none
 * @param minSize smallest body that is stored, bytes
 * @param maxSize largest body that is stored, bytes; in memory at most {@code cache.max-object-size} of it where there
 *     is a disk tier, and on that at most {@code cache.disk.max-object-size}
 * @param maxUncheckMillis the age from which a stored answer is validated although it is fresh, time in other caches
 *     included; 0: always; {@link #CONFIGURED}: as long as it is fresh
 * @param lmFactor heuristic freshness: share of the time since the last modification; 0: explicit freshness only
 * @param coverErrorsSeconds how long after it went stale an answer may be served instead of an origin's error
 * @param termPercent percent of an answer that must have arrived for a fetch to go on without clients; 0: always
 * @param connectMode when requests go to the origin
 * @param cacheAuth store answers to requests with Authorization although the answer does not permit it, against RFC
 *     9111 3.5
 * @param ignored directives to ignore, against RFC 9111 5.2
 */
public record CacheTerms(
        int queryMaxlen,
        long minSize,
        long maxSize,
        long maxUncheckMillis,
        double lmFactor,
        long coverErrorsSeconds,
        int termPercent,
        ConnectMode connectMode,
        boolean cacheAuth,
        Set<Ignored> ignored) {
    /** Use the value of the section {@code cache}. */
    public static final int CONFIGURED = -1;

    /** All values of the section {@code cache}. */
    public static final CacheTerms DEFAULT = new CacheTerms(
            CONFIGURED,
            CONFIGURED,
            CONFIGURED,
            CONFIGURED,
            CONFIGURED,
            CONFIGURED,
            CONFIGURED,
            ConnectMode.NORMAL,
            false,
            Set.of());

    /** When requests go to the origin. */
    public enum ConnectMode {
        /** When the cache cannot answer. */
        NORMAL,
        /** Only when the cache has nothing at all, fresh or stale. */
        FAST_DEMO,
        /** Never: requests that the cache cannot answer get 504. */
        NEVER
    }

    /** Directives that can be ignored. */
    public enum Ignored {
        /** The request's no-cache, Pragma's included. */
        NO_CACHE,
        /** The answer's no-store. */
        NO_STORE,
        /** The answer's private. */
        PRIVATE,
        /** All cache directives of the request. */
        RELOAD
    }

    public CacheTerms {
        Set<Ignored> copy = EnumSet.noneOf(Ignored.class);
        copy.addAll(ignored);
        ignored = Collections.unmodifiableSet(copy);
    }

    /** The same settings with these limits. */
    public CacheTerms with(int query, long min, long max, boolean auth) {
        return new CacheTerms(
                query,
                min,
                max,
                maxUncheckMillis,
                lmFactor,
                coverErrorsSeconds,
                termPercent,
                connectMode,
                auth,
                ignored);
    }

    public boolean never() {
        return connectMode == ConnectMode.NEVER;
    }

    public int queryMaxlen(CacheConfig config) {
        return queryMaxlen < 0 ? config.queryMaxlen() : queryMaxlen;
    }

    public long minSize(CacheConfig config) {
        return minSize < 0 ? config.minObjectSize().bytes() : minSize;
    }

    public long maxSize(CacheConfig config) {
        return maxSize < 0 ? config.maxObjectSize().bytes() : maxSize;
    }

    /** As {@link #maxSize}, of bodies that are kept on the disk only. */
    public long maxSizeBelow(CacheConfig config) {
        long most = config.disk().maxObjectSize().bytes();
        return maxSize < 0 ? most : Math.min(maxSize, most);
    }

    public long coverErrors(CacheConfig config) {
        return coverErrorsSeconds < 0 ? config.coverErrors().toSeconds() : coverErrorsSeconds;
    }

    public int termPercent(CacheConfig config) {
        return termPercent < 0 ? config.termPercent() : termPercent;
    }

    public boolean cacheAuth(CacheConfig config) {
        return cacheAuth || config.cacheAuth();
    }

    public Freshness.Heuristic heuristic(CacheConfig config) {
        long longest = maxUncheckMillis > 0
                ? Math.ceilDiv(maxUncheckMillis, 1000)
                : config.maxUncheck().toSeconds();
        return new Freshness.Heuristic(lmFactor < 0 ? config.lmFactor() : lmFactor, longest);
    }

    /** The effective directives of a request. */
    public CacheControl requested(CacheConfig config, CacheControl control) {
        return config.ignoreReload() || ignored.contains(Ignored.RELOAD)
                ? CacheControl.NONE
                : control.without(ignored.contains(Ignored.NO_CACHE), false, false);
    }

    /** The effective directives of an answer. */
    public CacheControl answered(CacheControl control) {
        return control.without(false, ignored.contains(Ignored.NO_STORE), ignored.contains(Ignored.PRIVATE));
    }

    /** Whether a stored answer of this freshness may be used, and how. */
    public Reuse reuse(Freshness freshness, long nowMillis, CacheControl requested) {
        if (connectMode != ConnectMode.NORMAL) {
            return freshness.isFresh(nowMillis) ? Reuse.FRESH : Reuse.STALE_ALLOWED;
        }
        Reuse reuse = freshness.reuse(nowMillis, requested);
        boolean due = maxUncheckMillis >= 0 && freshness.age(nowMillis) * 1000 >= maxUncheckMillis;
        return due && reuse.usable() ? Reuse.VALIDATE_STALE : reuse;
    }

    /** The differences from the section {@code cache}, for explanations. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(" ").setEmptyValue("as configured");
        add(text, "query-maxlen", queryMaxlen);
        add(text, "min-size", minSize);
        add(text, "max-size", maxSize);
        add(text, "max-uncheck-ms", maxUncheckMillis);
        if (lmFactor >= 0) {
            text.add("lm-factor=" + lmFactor);
        }
        add(text, "cover-errors-s", coverErrorsSeconds);
        add(text, "term-percent", termPercent);
        if (connectMode != ConnectMode.NORMAL) {
            text.add("connect-mode=" + connectMode);
        }
        if (cacheAuth) {
            text.add("cache-auth");
        }
        ignored.forEach(what -> text.add("ignore=" + what));
        return text.toString();
    }

    private static void add(StringJoiner text, String name, long value) {
        if (value >= 0) {
            text.add(name + "=" + value);
        }
    }
}
