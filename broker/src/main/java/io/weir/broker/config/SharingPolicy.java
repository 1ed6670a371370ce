package io.weir.broker.config;

/** Whether subscriptions of connections with the same client identifier are shared (WebLogic's SubscriptionSharingPolicy). */
public enum SharingPolicy {
    EXCLUSIVE,
    SHARABLE
}
