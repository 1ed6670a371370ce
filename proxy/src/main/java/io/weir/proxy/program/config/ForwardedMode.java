package io.weir.proxy.program.config;

/** Which fields describe the client to an origin. Immutable. */
public enum ForwardedMode {
    OFF,
    X_FORWARDED,
    /** RFC 7239. */
    FORWARDED,
    BOTH
}
