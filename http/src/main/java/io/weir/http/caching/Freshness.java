package io.weir.http.caching;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.semantics.DeltaSeconds;
import io.weir.http.semantics.HttpDate;
import org.jspecify.annotations.Nullable;

/**
 * How long a stored response may be used, computed once when it is stored or validated (RFC 9111 4.2). Immutable; lives
 * with the stored response. Checking its freshness is then one comparison with {@link #staleAtMillis}.
 *
 * @param lifetime freshness lifetime in seconds (4.2.1), 0 if there is none
 * @param source the source of the lifetime
 * @param initialAge corrected_initial_age in seconds (4.2.3)
 * @param responseMillis epoch milliseconds when the response was received
 * @param staleAtMillis epoch milliseconds from which on it is stale
 * @param validateAlways no-cache: never used without validation (5.2.2.4)
 * @param staleForbidden must-revalidate, proxy-revalidate, or s-maxage, which implies it: neither the request nor the
 * configuration may allow stale use (4.2.4)
 * @param staleWhileRevalidate seconds after {@code staleAtMillis} in which it may be served while it is validated (RFC
 * 5861 3), 0 for none. It applies together with s-maxage, because both address shared caches and this directive is more
 * specific; it does not apply together with must-revalidate or proxy-revalidate
 * @param staleIfError seconds after {@code staleAtMillis} in which it may be served instead of an error (RFC 5861 4), 0
 * for none; with other directives as {@code staleWhileRevalidate}
 */
public record Freshness(
        long lifetime,
        Source source,
        long initialAge,
        long responseMillis,
        long staleAtMillis,
        boolean validateAlways,
        boolean staleForbidden,
        long staleWhileRevalidate,
        long staleIfError) {

    /** The source of a lifetime, in the order of RFC 9111 4.2.1. */
    public enum Source {
        S_MAXAGE,
        MAX_AGE,
        EXPIRES,
        HEURISTIC,
        NONE
    }

    /**
     * Heuristic freshness (4.2.2), as in the Sun proxy's cache-setting.
     *
     * @param lmFactor fraction of the time since Last-Modified, 0 to use explicit lifetimes only
     * @param maxUncheck maximum heuristic lifetime in seconds, 0 to always validate
     */
    public record Heuristic(double lmFactor, long maxUncheck) {

        /** A tenth, at most a day. */
        public static final Heuristic DEFAULT = new Heuristic(0.1, 86_400);

        public Heuristic {
            if (!(lmFactor >= 0) || maxUncheck < 0) {
                throw new IllegalArgumentException("negative heuristic: " + lmFactor + ", " + maxUncheck);
            }
        }
    }

    /**
     * The freshness of a response in a shared cache.
     *
     * @param requestMillis epoch milliseconds when the corresponding request was sent
     * @param responseMillis epoch milliseconds when the response head was received
     */
    public static Freshness of(
            int status,
            CacheControl control,
            Fields response,
            long requestMillis,
            long responseMillis,
            Heuristic heuristic) {
        long now = Math.floorDiv(responseMillis, 1000);
        long sent = HttpDate.parse(response.combined(FieldName.DATE), now);
        long date = sent == HttpDate.INVALID ? now : sent;
        Source source = source(status, control, response);
        long lifetime = lifetime(source, control, response, date, now, heuristic);
        long age = initialAge(response, date, requestMillis, responseMillis);
        boolean strict = control.mustRevalidate() || control.proxyRevalidate();
        return new Freshness(
                lifetime,
                source,
                age,
                responseMillis,
                responseMillis + (lifetime - age) * 1000,
                control.noCache(),
                strict || control.sMaxAge() != CacheControl.ABSENT,
                strict ? 0 : Math.max(0, control.staleWhileRevalidate()),
                strict ? 0 : Math.max(0, control.staleIfError()));
    }

    private static Source source(int status, CacheControl control, Fields response) {
        if (control.sMaxAge() != CacheControl.ABSENT) {
            return Source.S_MAXAGE;
        }
        if (control.maxAge() != CacheControl.ABSENT) {
            return Source.MAX_AGE;
        }
        if (response.has(FieldName.EXPIRES)) {
            return Source.EXPIRES;
        }
        boolean allowed = Storability.heuristicallyCacheable(status) || control.isPublic();
        return allowed && !hasPragmaNoCache(control, response) ? Source.HEURISTIC : Source.NONE;
    }

    /** Pragma has no meaning in a response, but a sender of no-cache does not want a heuristic lifetime. */
    private static boolean hasPragmaNoCache(CacheControl control, Fields response) {
        String pragma = response.combined(FieldName.PRAGMA);
        return pragma != null
                && !control.isPublic()
                && CacheControl.parse(pragma).noCache();
    }

    private static long lifetime(
            Source source, CacheControl control, Fields response, long date, long now, Heuristic heuristic) {
        return switch (source) {
            case S_MAXAGE -> control.sMaxAge();
            case MAX_AGE -> control.maxAge();
            case EXPIRES -> until(HttpDate.parse(response.combined(FieldName.EXPIRES), now), date);
            case HEURISTIC ->
                heuristic(HttpDate.parse(response.combined(FieldName.LAST_MODIFIED), now), date, heuristic);
            case NONE -> 0;
        };
    }

    /** An invalid Expires, such as 0, is treated as past (5.3). */
    private static long until(long expires, long date) {
        return expires == HttpDate.INVALID ? 0 : Math.clamp(expires - date, 0, DeltaSeconds.MAX);
    }

    /** A Last-Modified later than Date is ignored. */
    private static long heuristic(long modified, long date, Heuristic heuristic) {
        if (modified == HttpDate.INVALID || modified >= date) {
            return 0;
        }
        double guessed = (double) (date - modified) * heuristic.lmFactor();
        return guessed < (double) heuristic.maxUncheck() ? (long) guessed : heuristic.maxUncheck();
    }

    /** corrected_initial_age (4.2.3), in seconds. */
    private static long initialAge(Fields response, long date, long requestMillis, long responseMillis) {
        long apparent = Math.max(0, Math.floorDiv(responseMillis, 1000) - date);
        long delay = Math.max(0, (responseMillis - requestMillis) / 1000);
        long corrected = Math.min(ageValue(response.combined(FieldName.AGE)) + delay, DeltaSeconds.MAX);
        return Math.min(Math.max(apparent, corrected), DeltaSeconds.MAX);
    }

    /**
     * The value of an Age field in seconds (5.1): the first if there are several, 0 if it is not a number.
     *
     * @param value all lines joined with commas, or null
     */
    public static long ageValue(@Nullable String value) {
        if (value == null) {
            return 0;
        }
        int comma = value.indexOf(',');
        String first = comma < 0 ? value.strip() : value.substring(0, comma).strip();
        return Math.max(0, DeltaSeconds.parse(first));
    }

    /**
     * current_age in seconds (4.2.3), at most 2^31: the value of the Age field. A clock that was set back adds nothing.
     */
    public long age(long nowMillis) {
        long resident = Math.max(0, nowMillis - responseMillis) / 1000;
        return Math.min(initialAge + resident, DeltaSeconds.MAX);
    }

    /** Whether it is fresh according to the response alone (4.2). */
    public boolean isFresh(long nowMillis) {
        return nowMillis < staleAtMillis && !validateAlways;
    }

    /** Remaining freshness in seconds, negative if stale: Cache-Status ttl (RFC 9211 2.4). */
    public long ttl(long nowMillis) {
        return lifetime - age(nowMillis);
    }

    /**
     * Whether the stored response may be used for this request, and how (4.2, 4.2.4, 5.2.1).
     *
     * @param request the request's directives; {@link CacheControl#NONE} to ignore clients' directives
     */
    public Reuse reuse(long nowMillis, CacheControl request) {
        if (validateAlways) {
            return Reuse.VALIDATE_NO_CACHE;
        }
        boolean fresh = nowMillis < staleAtMillis;
        if (request == CacheControl.NONE) {
            return fresh ? Reuse.FRESH : stale(nowMillis, request);
        }
        if (excludedBy(request, nowMillis)) {
            return fresh ? Reuse.VALIDATE_REQUESTED : Reuse.VALIDATE_STALE;
        }
        return fresh ? Reuse.FRESH : stale(nowMillis, request);
    }

    /** max-age=0 requires validation even within the first second, because a browser's reload sends it. */
    private boolean excludedBy(CacheControl request, long nowMillis) {
        if (request.noCache()) {
            return true;
        }
        long maxAge = request.maxAge();
        if (maxAge == 0 || (maxAge > 0 && age(nowMillis) > maxAge)) {
            return true;
        }
        return request.minFresh() > 0 && ttl(nowMillis) < request.minFresh();
    }

    private Reuse stale(long nowMillis, CacheControl request) {
        long staleness = Math.max(0, nowMillis - staleAtMillis) / 1000;
        if (!staleForbidden && request.maxStale() != CacheControl.ABSENT && staleness <= request.maxStale()) {
            return Reuse.STALE_ALLOWED;
        }
        boolean refused = request.maxAge() != CacheControl.ABSENT || request.minFresh() != CacheControl.ABSENT;
        return !refused && staleness < staleWhileRevalidate ? Reuse.STALE_WHILE_REVALIDATE : Reuse.VALIDATE_STALE;
    }

    /**
     * Whether the stale response may be used if the origin fails: is unreachable, or answers 500, 502, 503 or 504 (RFC
     * 5861 4; RFC 9111 4.2.4).
     *
     * @param coverErrors seconds of staleness that the configuration allows if the response has no directive (the Sun
     * proxy's cover-errors), 0 for none
     */
    public boolean coversError(long nowMillis, CacheControl request, long coverErrors) {
        if (validateAlways || request.noCache()) {
            return false;
        }
        long requested = staleForbidden ? 0 : Math.max(coverErrors, request.staleIfError());
        long allowed = Math.max(staleIfError, requested);
        return Math.max(0, nowMillis - staleAtMillis) / 1000 < allowed;
    }
}
