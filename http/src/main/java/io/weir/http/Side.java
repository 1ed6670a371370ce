package io.weir.http;

/** The sender of the decoded message, which determines the status of a rejection (400 family, or 502). Immutable. */
public enum Side {
    REQUEST,
    RESPONSE
}
