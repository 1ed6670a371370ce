package io.weir.jms.client.settings;

/** WebLogic's AcknowledgePolicy: what {@code Message.acknowledge} covers in a client-acknowledged session. Immutable. */
public enum AcknowledgePolicy {
    /** All messages that the session consumed, as the specification requires. */
    ALL,
    /** The messages consumed up to and including this one. */
    PREVIOUS
}
