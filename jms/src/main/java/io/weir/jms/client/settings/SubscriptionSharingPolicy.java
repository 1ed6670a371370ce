package io.weir.jms.client.settings;

/** WebLogic's SubscriptionSharingPolicy: whether a durable subscription opened the plain way admits several consumers. Immutable. */
public enum SubscriptionSharingPolicy {
    /** One consumer at a time, as the specification says. */
    EXCLUSIVE,
    /** Durable subscriptions are opened as shared ones. */
    SHARABLE
}
