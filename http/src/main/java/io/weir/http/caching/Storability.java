package io.weir.http.caching;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.semantics.EntityTags;
import io.weir.http.semantics.HttpDate;
import java.util.function.Supplier;

/**
 * Whether a shared cache may store a response, and if not, why (RFC 9111 3). Each reason is the label of a counter and
 * the {@code detail} of Cache-Status.
 */
public enum Storability {
    /** Store it. */
    STORABLE("stored"),
    /** The method is not GET: HEAD only freshens (4.3.5), and Weir does not store responses to POST. */
    METHOD("method"),
    /** The request has no-store (5.2.1.5). */
    REQUEST_NO_STORE("request-no-store"),
    /** The response has no-store (5.2.2.5). */
    NO_STORE("no-store"),
    /** The response has private (5.2.2.7). */
    PRIVATE("private"),
    /** The request was authorised, and the response does not permit sharing (3.5). */
    AUTHORIZATION("authorization"),
    /** 206 or 416: Weir stores only complete representations (3.3). */
    PARTIAL("partial"),
    /** A status about this exchange, not about the resource: interim, 304, 407, 412, and those of RFC 6585. */
    STATUS("status"),
    /** must-understand, and Weir has no rules for this status (5.2.2.3). */
    NOT_UNDERSTOOD("not-understood"),
    /** No explicit lifetime, and the status has no heuristic one (RFC 9110 15.1). */
    NO_LIFETIME("no-lifetime"),
    /** Neither a lifetime nor a validator: it could never be reused. */
    NOT_REUSABLE("not-reusable"),
    /** Vary: * or a malformed Vary: no request would match (4.1). */
    VARY_STAR("vary-star"),
    /** Vary names more fields than {@link Vary#MAX_NAMES}. */
    VARY_LIMIT("vary-limit"),
    /** A cookie for one client, and the origin does not declare the response shareable. */
    SET_COOKIE("set-cookie");

    private final String label;

    Storability(String label) {
        this.label = label;
    }

    /** The reason in lower case, for counters and Cache-Status. */
    public String label() {
        return label;
    }

    /** The handling of Set-Cookie, about which RFC 9111 7.3 only warns. */
    public enum SetCookie {
        /** Never store a response that sets a cookie. */
        REFUSE,
        /** Store it, with the cookie, if the response has public or s-maxage. The default. */
        EXPLICIT,
        /** Store it like any other. */
        STORE
    }

    /**
     * Rules that a configuration may relax.
     *
     * @param setCookie how to handle responses that set cookies
     * @param coverErrors seconds for which a stale response may be used instead of an error, which makes one without
     * validator useful
     * @param shareAuthorized store responses to authorised requests even if they do not allow it, against 3.5
     */
    public record Policy(SetCookie setCookie, long coverErrors, boolean shareAuthorized) {

        /** Cookies if explicitly shareable, no covered errors, responses to authorised requests if they allow it. */
        public static final Policy DEFAULT = new Policy(SetCookie.EXPLICIT, 0, false);
    }

    /**
     * Decides for one exchange.
     *
     * @param method of the request, as received
     * @param status of the final response
     * @param freshness of the response, from {@link Freshness#of}; asked for only if nothing else decides
     */
    public static Storability of(
            Method method,
            Fields request,
            CacheControl requested,
            int status,
            Fields response,
            CacheControl control,
            Supplier<Freshness> freshness,
            Policy policy) {
        if (method != Method.GET) {
            return METHOD;
        }
        if (requested.noStore()) {
            return REQUEST_NO_STORE;
        }
        Storability byStatus = byStatus(status, control);
        if (byStatus != STORABLE) {
            return byStatus;
        }
        Storability byDirective = byDirective(request, control, policy);
        if (byDirective != STORABLE) {
            return byDirective;
        }
        Storability byFields = byFields(response, control, policy);
        return byFields != STORABLE ? byFields : byUse(status, response, control, freshness.get(), policy);
    }

    private static Storability byStatus(int status, CacheControl control) {
        if (status == 206 || status == 416) {
            return PARTIAL;
        }
        if (!mayBeStored(status)) {
            return STATUS;
        }
        return control.mustUnderstand() && !understood(status) ? NOT_UNDERSTOOD : STORABLE;
    }

    /** no-store yields to must-understand if the status is understood (5.2.2.3). */
    private static Storability byDirective(Fields request, CacheControl control, Policy policy) {
        if (control.noStore() && !control.mustUnderstand()) {
            return NO_STORE;
        }
        if (control.isPrivate()) {
            return PRIVATE;
        }
        boolean shareable = policy.shareAuthorized()
                || control.mustRevalidate()
                || control.isPublic()
                || control.sMaxAge() != CacheControl.ABSENT;
        return request.has(FieldName.AUTHORIZATION) && !shareable ? AUTHORIZATION : STORABLE;
    }

    private static Storability byFields(Fields response, CacheControl control, Policy policy) {
        Vary vary = Vary.parse(response.combined(FieldName.VARY));
        if (!vary.matchable()) {
            return vary.overLimit() ? VARY_LIMIT : VARY_STAR;
        }
        boolean cookie = response.has(FieldName.SET_COOKIE);
        if (!cookie || policy.setCookie() == SetCookie.STORE) {
            return STORABLE;
        }
        boolean shared = control.isPublic() || control.sMaxAge() != CacheControl.ABSENT;
        return policy.setCookie() == SetCookie.EXPLICIT && shared ? STORABLE : SET_COOKIE;
    }

    private static Storability byUse(
            int status, Fields response, CacheControl control, Freshness freshness, Policy policy) {
        boolean explicit = control.isPublic() || control.hasLifetime() || response.has(FieldName.EXPIRES);
        if (!explicit && !heuristicallyCacheable(status)) {
            return NO_LIFETIME;
        }
        boolean used = (!control.noCache() && freshness.lifetime() > freshness.initialAge())
                || freshness.staleWhileRevalidate() > 0
                || freshness.staleIfError() > 0
                || policy.coverErrors() > 0;
        return used || hasValidator(response, freshness) ? STORABLE : NOT_REUSABLE;
    }

    private static boolean hasValidator(Fields response, Freshness freshness) {
        long now = Math.floorDiv(freshness.responseMillis(), 1000);
        return EntityTags.isValid(response.combined(FieldName.ETAG))
                || HttpDate.parse(response.combined(FieldName.LAST_MODIFIED), now) != HttpDate.INVALID;
    }

    /**
     * Statuses that may be stored without an explicit lifetime (RFC 9110 15.1), except 206, which Weir never stores.
     */
    public static boolean heuristicallyCacheable(int status) {
        return switch (status) {
            case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501 -> true;
            default -> false;
        };
    }

    /** 428, 429, 431 and 511 according to RFC 6585; the others concern this client, condition or connection only. */
    private static boolean mayBeStored(int status) {
        return switch (status) {
            case 304, 407, 412, 417, 421, 425, 426, 428, 429, 431, 511 -> false;
            default -> status >= 200 && status <= 599;
        };
    }

    /** Statuses whose caching rules Weir implements: those of RFC 9110 that have no rule beyond the general ones. */
    private static boolean understood(int status) {
        return switch (status) {
            case 200, 201, 202, 203, 204, 300, 301, 302, 303, 307, 308 -> true;
            case 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 413, 414, 415, 422, 451 -> true;
            case 500, 501, 502, 503, 504, 505 -> true;
            default -> false;
        };
    }
}
