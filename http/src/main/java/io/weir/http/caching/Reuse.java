package io.weir.http.caching;

/** Whether a stored response may answer a request (RFC 9111 4), and what Cache-Status says when it may not. */
public enum Reuse {
    /** Fresh: answer with it. */
    FRESH(true, ""),
    /** Stale, but the request's max-stale allows it (5.2.1.2). */
    STALE_ALLOWED(true, ""),
    /** Stale: answer with it now and validate it in the background (RFC 5861 3). */
    STALE_WHILE_REVALIDATE(true, ""),
    /** Stale: validate first. */
    VALIDATE_STALE(false, "stale"),
    /** Fresh, but the request asks for more than that: validate first (5.2.1). */
    VALIDATE_REQUESTED(false, "request"),
    /** The response's no-cache: validate first, always (5.2.2.4). */
    VALIDATE_NO_CACHE(false, "stale");

    private final boolean usable;
    private final String forward;

    Reuse(boolean usable, String forward) {
        this.usable = usable;
        this.forward = forward;
    }

    /** The stored response may be sent without asking the origin first. */
    public boolean usable() {
        return usable;
    }

    /** The {@code fwd} value of Cache-Status (RFC 9211 2.2); empty when nothing is forwarded. */
    public String forward() {
        return forward;
    }
}
