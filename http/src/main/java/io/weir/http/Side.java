package io.weir.http;

/** Whose message is decoded: it decides the status of a refusal (400 family, or 502). Immutable. */
public enum Side {
    REQUEST,
    RESPONSE
}
