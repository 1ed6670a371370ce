package io.weir.broker.config;

/** What becomes of a message whose time is over. */
public enum ExpirationPolicy {
    DISCARD,
    /** Removed, and its header is written to the log. */
    LOG,
    /** Moved to the destination's error destination. */
    REDIRECT
}
