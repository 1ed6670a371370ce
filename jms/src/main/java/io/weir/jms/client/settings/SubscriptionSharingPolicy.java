package io.weir.jms.client.settings;

/**
 * WebLogic's SubscriptionSharingPolicy: whether a durable subscription that is not opened as a shared one accepts
 * several consumers. Immutable.
 */
public enum SubscriptionSharingPolicy {
    /** One consumer at a time, as the specification requires. */
    EXCLUSIVE,
    /** Durable subscriptions are opened as shared ones. */
    SHARABLE
}
