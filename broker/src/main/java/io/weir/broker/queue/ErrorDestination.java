package io.weir.broker.queue;

import java.util.List;

/**
 * The destination of a queue's messages that exceed the redelivery limit or are expired. Called on the queue's loop.
 */
public interface ErrorDestination {
    /** Its address, for logs: {@code queue/errors}. */
    String address();

    /** Moves entries that are in no list. */
    void take(QueueAccess from, List<QueueEntry> entries, MoveReason why, MoveCallback moved);
}
