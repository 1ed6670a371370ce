package io.weir.http.caching;

import java.util.Locale;

/** Why a request was forwarded, for the Cache-Status field (RFC 9211 2.2). */
public enum Forward {
    /** The cache was configured not to handle it. */
    BYPASS,
    /** The method must be forwarded. */
    METHOD,
    /** Nothing is stored for the URI. */
    URI_MISS,
    /** Something is stored for the URI, but not for this request's Vary key. */
    VARY_MISS,
    /** Nothing usable is stored; the two cases above are not distinguished. */
    MISS,
    /** The stored response is fresh, but the request's directives require more. */
    REQUEST,
    /** The stored response is stale. */
    STALE,
    /** The stored response is incomplete. */
    PARTIAL;

    private final String token = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The token of the {@code fwd} parameter. */
    public String token() {
        return token;
    }
}
