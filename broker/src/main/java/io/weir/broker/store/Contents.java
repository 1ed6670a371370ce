package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** Is given what the store holds while it opens, on the opening thread: all subscriptions, then all messages in order. */
public interface Contents {
    /**
     * One subscription.
     *
     * @param entry the id with which it is forgotten: {@link MessageStore#unsubscribe}
     */
    void subscription(long entry, StoredSubscription subscription);

    /** How many messages there are at most; they come next. */
    default void coming(int messages) {
        // only who says how far he is needs it
    }

    /**
     * One message.
     *
     * @param copies those that were not removed; {@link StoredCopy#dispatched()} ones are flagged redelivered
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
     * @param copies of messages whose subscription is not there: they are kept, because it may be what was damaged
     */
    default void kept(int copies) {
        orphans(0);
    }
}
