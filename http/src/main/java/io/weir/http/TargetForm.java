package io.weir.http;

/** The four forms of a request target (RFC 9112 3.2). Immutable. */
public enum TargetForm {
    /** {@code /path?query}. */
    ORIGIN,
    /** {@code http://host/path?query}: sent to forward proxies. */
    ABSOLUTE,
    /** {@code host:port}: CONNECT only. */
    AUTHORITY,
    /** {@code *}: OPTIONS only. */
    ASTERISK
}
