package io.weir.broker.queue;

/** Whether an application saw a message that comes back from a consumer. Immutable. */
public enum ApplicationSaw {
    /** It did not: the message goes back to its place as if it had not been delivered. */
    NO,
    /** Nobody can tell, its connection was lost: the message says from now on that it may come again, and nothing is counted. */
    MAYBE,
    /** It did: that counts as a delivery, for the limit too. */
    YES;

    /** By the tag up to which the application saw messages. */
    public static ApplicationSaw upTo(long consumedTo, QueueEntry e) {
        return e.tag <= consumedTo ? YES : NO;
    }
}
