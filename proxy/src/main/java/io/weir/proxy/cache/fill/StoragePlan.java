package io.weir.proxy.cache.fill;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.Version;
import io.weir.http.caching.CacheControl;
import io.weir.http.caching.Freshness;
import io.weir.http.caching.Storability;
import io.weir.http.caching.Validators;
import io.weir.http.caching.Vary;
import io.weir.http.semantics.HttpDate;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.StoredObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to do with an answer by RFC 9111 and the configuration, given its head: computed on the leader's loop, without a
 * lock. Immutable; lives for one call.
 *
 * @param disposition what to do with the answer
 * @param reason why it is not stored; empty when it is
 * @param remembered whether others should not wait for this key for a while (hit-for-miss)
 * @param fields what is stored: those of the response, or the merged ones of a 304
 * @param from where it was fetched from; null: from a configured origin
 */
public record StoragePlan(
        Disposition disposition,
        String reason,
        boolean remembered,
        int status,
        Fields fields,
        CacheControl control,
        Freshness freshness,
        Vary vary,
        long requestMillis,
        long responseMillis,
        Version version,
        @Nullable FetchedFrom from) {

    /**
     * An answer as received.
     *
     * @param fields of the response; read during the call only
     * @param contentLength bytes of the body, -1 if unknown until its end
     * @param requestMillis epoch milliseconds when the request was sent
     * @param responseMillis epoch milliseconds when this head arrived
     * @param version HTTP version of the response
     * @param from where it was fetched from; null: from a configured origin
     */
    public record Head(
            int status,
            Fields fields,
            long contentLength,
            long requestMillis,
            long responseMillis,
            Version version,
            @Nullable FetchedFrom from) {}

    static StoragePlan of(Fills fills, LeaderRequest leaderRequest, @Nullable StoredObject stale, Head head) {
        CacheConfig config = fills.config.get();
        if (head.status() == 304) {
            return stale == null
                    ? pass(config, leaderRequest, head, "status", false)
                    : notModified(config, leaderRequest, stale, head);
        }
        if (stale != null && isError(head.status()) && covers(config, leaderRequest, stale, head.responseMillis())) {
            return with(config, leaderRequest, Disposition.SERVED, "error", false, head.status(), head.fields(), head);
        }
        Refusal refusal = refusal(fills, config, leaderRequest, head);
        if (refusal != null) {
            return pass(config, leaderRequest, head, refusal.reason(), refusal.remembered());
        }
        return with(config, leaderRequest, Disposition.STORE, "", false, head.status(), head.fields(), head);
    }

    /**
     * Why an answer may not be stored that validates nothing.
     *
     * @param reason for the counter and for Cache-Status
     * @param remembered whether others should not wait for this key for a while (hit-for-miss)
     */
    public record Refusal(String reason, boolean remembered) {}

    /** The same verdict as for a fill's answer, for one that is relayed; null: it is storable. */
    public static @Nullable Refusal refusal(Fills fills, FillRequest request, CacheControl control, Head head) {
        if (head.status() == 304) {
            return new Refusal("status", false);
        }
        return refusal(fills, fills.config.get(), LeaderRequest.of(request, request.fields(), control), head);
    }

    private static @Nullable Refusal refusal(Fills fills, CacheConfig config, LeaderRequest leaderRequest, Head head) {
        Storability storability = storability(config, leaderRequest, head.status(), head.fields(), head);
        if (storability != Storability.STORABLE) {
            return new Refusal(storability.label(), remembered(storability, head.status()));
        }
        if (!fills.takes(leaderRequest.terms(), head.contentLength())) {
            return new Refusal("too-large", true);
        }
        boolean small = head.contentLength() >= 0
                && head.contentLength() < leaderRequest.terms().minSize(config);
        return small ? new Refusal("too-small", true) : null;
    }

    /** Whether the object may be served instead of an origin's error (RFC 5861 4). */
    static boolean covers(CacheConfig config, LeaderRequest leaderRequest, StoredObject stale, long nowMillis) {
        return stale.freshness()
                .coversError(
                        nowMillis,
                        leaderRequest.control(),
                        leaderRequest.terms().coverErrors(config));
    }

    private static boolean isError(int status) {
        return status == 500 || status == 502 || status == 503 || status == 504;
    }

    /** A reason specific to the request, or a failing origin, does not predict the next request. */
    private static boolean remembered(Storability storability, int status) {
        return status < 500
                && storability != Storability.METHOD
                && storability != Storability.REQUEST_NO_STORE
                && storability != Storability.AUTHORIZATION;
    }

    private static StoragePlan notModified(
            CacheConfig config, LeaderRequest leaderRequest, StoredObject stale, Head head) {
        long now = Math.floorDiv(head.responseMillis(), 1000);
        boolean selected = Validators.select(List.of(stale.validators()), Validators.of(head.fields(), now)) == 0;
        if (!selected || !FetchedFrom.fit(stale.from(), head.from())) {
            return with(config, leaderRequest, Disposition.REPEAT, "status", false, 304, head.fields(), head);
        }
        return freshened(config, leaderRequest, stale, head);
    }

    /** The stored response with the fields of a 304, or of a 200 to HEAD, that applies to it (RFC 9111 3.2). */
    public static StoragePlan freshened(
            CacheConfig config, LeaderRequest leaderRequest, StoredObject stale, Head head) {
        long now = Math.floorDiv(head.responseMillis(), 1000);
        Fields merged = StoredHeadWriter.merge(stale, head.fields(), control(leaderRequest, head.fields()));
        if (!head.fields().has(FieldName.DATE)) {
            // without a Date of its own the validation would seem as old as the stored response (RFC 9110 6.6.1)
            merged.set(FieldName.DATE, HttpDate.format(now));
        }
        Storability storability = storability(config, leaderRequest, stale.status(), merged, head);
        String reason = storability == Storability.STORABLE ? "" : storability.label();
        return with(config, leaderRequest, Disposition.SERVED, reason, false, stale.status(), merged, head);
    }

    private static Storability storability(
            CacheConfig config, LeaderRequest leaderRequest, int status, Fields fields, Head head) {
        CacheControl control = control(leaderRequest, fields);
        return Storability.of(
                Method.GET,
                leaderRequest.fields(),
                leaderRequest.control(),
                status,
                fields,
                control,
                () -> freshness(config, leaderRequest, status, control, fields, head),
                new Storability.Policy(
                        config.setCookie(),
                        leaderRequest.terms().coverErrors(config),
                        leaderRequest.terms().cacheAuth()));
    }

    private static CacheControl control(LeaderRequest leaderRequest, Fields fields) {
        return leaderRequest.terms().answered(CacheControl.ofResponse(fields));
    }

    private static StoragePlan pass(
            CacheConfig config, LeaderRequest leaderRequest, Head head, String reason, boolean remembered) {
        return with(config, leaderRequest, Disposition.PASS, reason, remembered, head.status(), head.fields(), head);
    }

    private static StoragePlan with(
            CacheConfig config,
            LeaderRequest leaderRequest,
            Disposition disposition,
            String reason,
            boolean remembered,
            int status,
            Fields fields,
            Head head) {
        CacheControl control = control(leaderRequest, fields);
        return new StoragePlan(
                disposition,
                reason,
                remembered,
                status,
                fields,
                control,
                freshness(config, leaderRequest, status, control, fields, head),
                Vary.parse(fields.combined(FieldName.VARY)),
                head.requestMillis(),
                head.responseMillis(),
                head.version(),
                head.from());
    }

    private static Freshness freshness(
            CacheConfig config,
            LeaderRequest leaderRequest,
            int status,
            CacheControl control,
            Fields fields,
            Head head) {
        return Freshness.of(
                status,
                control,
                fields,
                head.requestMillis(),
                head.responseMillis(),
                leaderRequest.terms().heuristic(config));
    }
}
