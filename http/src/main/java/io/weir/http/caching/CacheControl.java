package io.weir.http.caching;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The directives of one Cache-Control field, of a request or of a response (RFC 9111 5.2; RFC 5861; RFC 8246).
 * Immutable. Common short values share one object each, so parsing them allocates nothing.
 *
 * <p>Errors are resolved to the safe side. A freshness lifetime that is not a number, or is specified twice with
 * different values, is stale (4.2.1): {@link #maxAge()} is 0. An invalid limit in a request forces validation; a
 * malformed permission ({@code public=1}, an invalid stale-while-revalidate) is ignored; a prohibition applies whatever
 * follows its name. An unterminated quoted string makes the whole lifetime stale.
 */
public final class CacheControl {

    /** Seconds of a directive that is absent. */
    public static final long ABSENT = -1;

    /** Seconds of {@code max-stale} without a value: any staleness is accepted (5.2.1.2). */
    public static final long ANY = Long.MAX_VALUE;

    /** No directive at all. */
    public static final CacheControl NONE = CacheControlParser.parse("");

    private static final CacheControl PRAGMA_NO_CACHE = CacheControlParser.parse("no-cache");
    private static final Map<String, CacheControl> USUAL = CacheControlParser.usual();

    static final int NO_STORE = 1;
    static final int NO_CACHE = 1 << 1;
    static final int PRIVATE = 1 << 2;
    static final int PUBLIC = 1 << 3;
    static final int MUST_REVALIDATE = 1 << 4;
    static final int PROXY_REVALIDATE = 1 << 5;
    static final int MUST_UNDERSTAND = 1 << 6;
    static final int NO_TRANSFORM = 1 << 7;
    static final int ONLY_IF_CACHED = 1 << 8;
    static final int IMMUTABLE = 1 << 9;
    static final int MALFORMED = 1 << 10;

    private final int flags;
    private final long maxAge;
    private final long sMaxAge;
    private final long maxStale;
    private final long minFresh;
    private final long staleWhileRevalidate;
    private final long staleIfError;
    private final List<String> noCacheFields;
    private final List<String> privateFields;

    CacheControl(CacheControlParser from) {
        flags = from.flags;
        maxAge = from.maxAge;
        sMaxAge = from.sMaxAge;
        maxStale = from.maxStale;
        minFresh = from.minFresh;
        staleWhileRevalidate = from.staleWhileRevalidate;
        staleIfError = from.staleIfError;
        noCacheFields = List.copyOf(from.noCacheFields);
        privateFields = List.copyOf(from.privateFields);
    }

    private CacheControl(CacheControl from, int flags, List<String> privateFields) {
        this.flags = flags;
        this.privateFields = privateFields;
        maxAge = from.maxAge;
        sMaxAge = from.sMaxAge;
        maxStale = from.maxStale;
        minFresh = from.minFresh;
        staleWhileRevalidate = from.staleWhileRevalidate;
        staleIfError = from.staleIfError;
        noCacheFields = from.noCacheFields;
    }

    /**
     * A copy without some directives that the configuration ignores, against RFC 9111. {@link #NONE} if nothing is
     * left; allocates nothing then, nor if none of them is present.
     */
    public CacheControl without(boolean noCache, boolean noStore, boolean isPrivate) {
        int left = flags & ~((noCache ? NO_CACHE : 0) | (noStore ? NO_STORE : 0) | (isPrivate ? PRIVATE : 0));
        boolean fieldsToo = isPrivate && !privateFields.isEmpty();
        if (left == flags && !fieldsToo) {
            return this;
        }
        boolean empty = left == 0
                && !hasLifetime()
                && maxStale == ABSENT
                && minFresh == ABSENT
                && staleWhileRevalidate == ABSENT
                && staleIfError == ABSENT
                && noCacheFields.isEmpty()
                && (isPrivate || privateFields.isEmpty());
        return empty ? NONE : new CacheControl(this, left, isPrivate ? List.of() : privateFields);
    }

    /**
     * Parses a field value.
     *
     * @param value all lines of the field joined with commas, or null if it is absent
     */
    public static CacheControl parse(@Nullable String value) {
        if (value == null) {
            return NONE;
        }
        CacheControl usual = USUAL.get(value);
        return usual != null ? usual : CacheControlParser.parse(value);
    }

    /**
     * The directives of a request: without Cache-Control, {@code Pragma: no-cache} is treated as no-cache (RFC 9111
     * 5.4).
     */
    public static CacheControl ofRequest(Fields request) {
        String value = request.combined(FieldName.CACHE_CONTROL);
        if (value != null) {
            return parse(value);
        }
        String pragma = request.combined(FieldName.PRAGMA);
        return pragma != null && parse(pragma).noCache() ? PRAGMA_NO_CACHE : NONE;
    }

    /** The directives of a response. Pragma has no meaning in a response (RFC 9111 5.4). */
    public static CacheControl ofResponse(Fields response) {
        return parse(response.combined(FieldName.CACHE_CONTROL));
    }

    private boolean is(int flag) {
        return (flags & flag) != 0;
    }

    /** No part of the exchange may be stored (5.2.1.5, 5.2.2.5). */
    public boolean noStore() {
        return is(NO_STORE);
    }

    /** No reuse without validation (5.2.1.4, 5.2.2.4). False for the form with field names: {@link #noCacheFields}. */
    public boolean noCache() {
        return is(NO_CACHE);
    }

    /** No shared storage (5.2.2.7). False for the form with field names: {@link #privateFields}. */
    public boolean isPrivate() {
        return is(PRIVATE);
    }

    /** Storable even if it otherwise would not be (5.2.2.9). */
    public boolean isPublic() {
        return is(PUBLIC);
    }

    /** Once stale, must not be used without validation, even if the origin is unavailable (5.2.2.2). */
    public boolean mustRevalidate() {
        return is(MUST_REVALIDATE);
    }

    /** As {@link #mustRevalidate}, for shared caches (5.2.2.8). */
    public boolean proxyRevalidate() {
        return is(PROXY_REVALIDATE);
    }

    /** Only for caches that understand the status, which then ignore no-store (5.2.2.3). */
    public boolean mustUnderstand() {
        return is(MUST_UNDERSTAND);
    }

    /** Content must not be transformed (5.2.1.6, 5.2.2.6). */
    public boolean noTransform() {
        return is(NO_TRANSFORM);
    }

    /** The client accepts only a stored response, otherwise 504 (5.2.1.7). */
    public boolean onlyIfCached() {
        return is(ONLY_IF_CACHED);
    }

    /** Content does not change while fresh (RFC 8246). */
    public boolean immutable() {
        return is(IMMUTABLE);
    }

    /** A quoted string was not terminated: what follows it is unknown. */
    public boolean malformed() {
        return is(MALFORMED);
    }

    /** Seconds 0..2^31, or {@link #ABSENT} (5.2.1.1, 5.2.2.1). */
    public long maxAge() {
        return maxAge;
    }

    /** Seconds 0..2^31, or {@link #ABSENT} (5.2.2.10). */
    public long sMaxAge() {
        return sMaxAge;
    }

    /** Seconds 0..2^31, {@link #ANY} or {@link #ABSENT} (5.2.1.2). */
    public long maxStale() {
        return maxStale;
    }

    /** Seconds 0..2^31, or {@link #ABSENT} (5.2.1.3). */
    public long minFresh() {
        return minFresh;
    }

    /** Seconds 0..2^31, or {@link #ABSENT} (RFC 5861 3). */
    public long staleWhileRevalidate() {
        return staleWhileRevalidate;
    }

    /** Seconds 0..2^31, or {@link #ABSENT} (RFC 5861 4). */
    public long staleIfError() {
        return staleIfError;
    }

    /** Names in lower case of fields that must not be reused without validation (5.2.2.4); empty without that form. */
    public List<String> noCacheFields() {
        return noCacheFields;
    }

    /** Names in lower case of fields that a shared cache must not store (5.2.2.7); empty without that form. */
    public List<String> privateFields() {
        return privateFields;
    }

    /** Whether max-age or s-maxage is present, even if invalid. */
    public boolean hasLifetime() {
        return maxAge != ABSENT || sMaxAge != ABSENT;
    }
}
