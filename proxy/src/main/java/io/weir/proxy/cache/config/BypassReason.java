package io.weir.proxy.cache.config;

import io.weir.http.caching.Forward;

/** Why a request bypasses the cache. Immutable. */
public enum BypassReason {
    DISABLED("disabled", Forward.BYPASS),
    /** Neither GET nor HEAD. */
    METHOD("method", Forward.METHOD),
    /** A HEAD that found nothing usable: its answer cannot be stored. */
    HEAD("head", Forward.METHOD),
    /** A GET with a body, an upgrade, or without a host. */
    FORM("form", Forward.BYPASS),
    NO_STORE("request-no-store", Forward.REQUEST),
    RANGE("range", Forward.BYPASS),
    CONDITION("condition", Forward.BYPASS),
    AUTHORIZATION("authorization", Forward.BYPASS),
    HTTPS("https", Forward.BYPASS),
    QUERY("query", Forward.BYPASS),
    KEY_LENGTH("key-length", Forward.BYPASS),
    MEMORY("memory", Forward.BYPASS);

    private final String label;
    private final Forward forward;

    BypassReason(String label, Forward forward) {
        this.label = label;
        this.forward = forward;
    }

    /** The label of the counter and the detail parameter of Cache-Status. */
    public String label() {
        return label;
    }

    /** The {@code fwd} of Cache-Status (RFC 9211 2.2). */
    public Forward forward() {
        return forward;
    }
}
