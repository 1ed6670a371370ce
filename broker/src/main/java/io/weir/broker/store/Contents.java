package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * Receives the contents of the store while it opens, on the opening thread: all subscriptions, then all messages in
 * order.
 */
public interface Contents {
    /**
     * Receives one subscription.
     *
     * @param entry the id for its removal: {@link MessageStore#unsubscribe}
     */
    void subscription(long entry, StoredSubscription subscription);

    /** The maximum number of messages that follow. */
    default void expected(int messages) {
        // only needed to report progress
    }

    /**
     * Receives one message.
     *
     * @param copies the copies that were not removed; {@link StoredCopy#dispatched()} ones are flagged redelivered
     * @param block its message block; the receiver owns it
     */
    void message(List<StoredCopy> copies, ByteBuf block);

    /**
     * The last call.
     *
     * @param copies of messages for subscriptions that were deleted, or got another selector: they are removed
     */
    void orphans(int copies);

    /**
     * The last call instead, while damage of the store is not acknowledged.
     *
     * @param copies of messages whose subscription is missing: they are kept, because it may be what was damaged
     */
    default void kept(int copies) {
        orphans(0);
    }
}
