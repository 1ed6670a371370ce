package io.weir.broker.config;

/** What a CLIENT acknowledgement covers: all messages of the session, or those up to the message that it was called on. */
public enum AcknowledgePolicy {
    ALL,
    PREVIOUS
}
