package io.weir.proxy.program.config;

/** Which fields tell an origin about the client. Immutable. */
public enum ForwardedMode {
    OFF,
    X_FORWARDED,
    /** RFC 7239. */
    FORWARDED,
    BOTH
}
