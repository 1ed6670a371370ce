package io.weir.broker.config;

/** What happens to an expired message. */
public enum ExpirationPolicy {
    DISCARD,
    /** Removed, and its header is written to the log. */
    LOG,
    /** Moved to the destination's error destination. */
    REDIRECT
}
