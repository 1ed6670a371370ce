package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * Receives the contents of the store while it opens, on the opening thread: all subscriptions, the
 * transactions in doubt, then all messages in order.
 */
public interface Contents {
    /**
     * Receives one subscription.
     *
     * @param entry the id for its removal: {@link MessageStore#unsubscribe}
     */
    void subscription(long entry, StoredSubscription subscription);

    /** Receives a prepared transaction branch; its messages follow. */
    default void prepared(StoredBranch branch) {
        throw new IllegalStateException("the store has a prepared transaction, " + branch.id());
    }

    /**
     * Receives how an operator ended a prepared branch.
     *
     * @param entry the id for its removal: {@link MessageStore#forget}
     */
    default void outcome(long entry, StoredOutcome outcome) {
        throw new IllegalStateException("the store has the outcome of a transaction, " + outcome.id());
    }

    /** The maximum number of messages that follow. */
    default void expected(int messages) {
        // only needed to report progress
    }

    /**
     * Receives one message.
     *
     * @param copies the copies that were not removed; {@link StoredCopy#dispatched()} ones are flagged redelivered,
     * and those that a prepared branch has consumed ({@link StoredCopy#heldBy()}) wait for its end
     * @param block its message block; the receiver owns it
     */
    void message(List<StoredCopy> copies, ByteBuf block);

    /** Receives a message that a prepared branch adds when it is committed. Otherwise like {@link #message}. */
    default void pending(StoredBranch branch, List<StoredCopy> copies, ByteBuf block) {
        throw new IllegalStateException("a message of " + branch.id());
    }

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
