package io.weir.broker.queue;

import java.util.List;

/** Where the messages of a queue go that were delivered too often or are expired. Called on the queue's loop. */
public interface ErrorDestination {
    /** Its address, for logs: {@code queue/errors}. */
    String address();

    /** Moves entries that are in no list. */
    void take(QueueAccess from, List<QueueEntry> entries, MoveReason why, MoveCallback moved);
}
