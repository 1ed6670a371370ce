package io.weir.broker.queue;

/** Whether an application saw a message that is returned by a consumer. Immutable. */
public enum ApplicationSaw {
    /** It did not: the message returns to its place as if it had not been delivered. */
    NO,
    /** Unknown, because the connection was lost: the message is flagged redelivered, and no delivery is counted. */
    MAYBE,
    /** It did: this counts as a delivery, also towards the redelivery limit. */
    YES;

    /** Derived from the tag of the last message that the application saw. */
    public static ApplicationSaw upTo(long consumedTo, QueueEntry e) {
        return e.tag <= consumedTo ? YES : NO;
    }
}
