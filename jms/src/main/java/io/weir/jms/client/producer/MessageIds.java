package io.weir.jms.client.producer;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids of the messages that a connection sends: the number that the server assigned to its link, and a sequence. Shared.
 */
public final class MessageIds {
    private final AtomicLong sequence = new AtomicLong();
    private volatile long connection;

    /** Sets the number of the connection's new link. */
    public void on(long number) {
        connection = number;
    }

    /** First part of the ids of messages sent now. */
    long connection() {
        return connection;
    }

    /** Second part of the next message's id. */
    long next() {
        return sequence.incrementAndGet();
    }
}
