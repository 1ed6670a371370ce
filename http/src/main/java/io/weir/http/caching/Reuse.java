package io.weir.http.caching;

import org.jspecify.annotations.Nullable;

/** Whether a stored response may be used for a request (RFC 9111 4), and the Cache-Status value if not. */
public enum Reuse {
    /** Fresh: use it. */
    FRESH(true, null),
    /** Stale, but the request's max-stale allows it (5.2.1.2). */
    STALE_ALLOWED(true, null),
    /** Stale: use it now and validate it in the background (RFC 5861 3). */
    STALE_WHILE_REVALIDATE(true, null),
    /** Stale: validate first. */
    VALIDATE_STALE(false, Forward.STALE),
    /** Fresh, but the request's directives require validation (5.2.1). */
    VALIDATE_REQUESTED(false, Forward.REQUEST),
    /** The response's no-cache: always validate first (5.2.2.4). */
    VALIDATE_NO_CACHE(false, Forward.STALE);

    private final boolean usable;
    private final @Nullable Forward forward;

    Reuse(boolean usable, @Nullable Forward forward) {
        this.usable = usable;
        this.forward = forward;
    }

    /** Whether the stored response may be sent without contacting the origin first. */
    public boolean usable() {
        return usable;
    }

    /** The {@code fwd} value of Cache-Status (RFC 9211 2.2); null if nothing is forwarded. */
    public @Nullable Forward forward() {
        return forward;
    }
}
