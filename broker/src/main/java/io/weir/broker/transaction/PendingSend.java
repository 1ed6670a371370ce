package io.weir.broker.transaction;

import io.weir.broker.destination.Destination;
import io.weir.broker.queue.Message;

/**
 * A send that waits for its commit, or the copy of a message that is moved. Immutable.
 *
 * @param delivered whether it may have been delivered at the destination it is moved from
 */
public record PendingSend(Destination destination, Message message, boolean delivered) {
    /** It counts as uncommitted. */
    public void counted() {
        destination.counts.uncommittedMessages.incrementAndGet();
        destination.counts.uncommittedBytes.addAndGet(message.size());
    }

    /** It counts as uncommitted no more. */
    public void uncounted() {
        destination.counts.uncommittedMessages.decrementAndGet();
        destination.counts.uncommittedBytes.addAndGet(-message.size());
    }
}
