package io.weir.broker;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BlockFormat;
import io.weir.jms.frames.MessageView;
import org.jspecify.annotations.Nullable;

/**
 * A message at a destination: its block, shared by all queues that refer to it, and of its header what the broker asks for
 * often. Owned by the destination's loop once it arrived there; lives until the last reference is let go. Sessions on
 * other loops are given a reference to the block of their own.
 */
final class Message {
    /** Smaller blocks are copied out of the buffer they were read into before they are kept waiting. */
    static final int COPIED = 16 << 10;

    /** So is a block that would keep a buffer of so many times its size. */
    private static final int MOST_PINNED = 2;

    private ByteBuf block;
    private final int size;
    private final boolean persistent;
    private final int priority;
    private final long expiration;
    private final long deliveryTime;
    private final long origin;
    private final @Nullable String group;
    private @Nullable Quota quota;
    private int references;
    private boolean own;

    /**
     * Takes a block over.
     *
     * @param view already wrapped around the block
     * @param origin the connection that sent it, 0 for none
     */
    Message(ByteBuf block, MessageView view, long origin) {
        this.block = block;
        this.size = block.readableBytes();
        this.persistent = view.persistent();
        this.priority = view.priority();
        this.expiration = view.expiration();
        this.deliveryTime = view.deliveryTime();
        this.group = view.hasProperties() ? view.groupId() : null;
        this.origin = origin;
    }

    ByteBuf block() {
        return block;
    }

    int size() {
        return size;
    }

    boolean persistent() {
        return persistent;
    }

    int priority() {
        return priority;
    }

    /** Milliseconds since 1970, 0 for never. */
    long expiration() {
        return expiration;
    }

    boolean expired(long millis) {
        return expiration != 0 && expiration <= millis;
    }

    long deliveryTime() {
        return deliveryTime;
    }

    /** The connection that sent it. */
    long origin() {
        return origin;
    }

    /** JMSXGroupID, or null. */
    @Nullable
    String group() {
        return group;
    }

    /** JMSMessageID for logs. */
    String id() {
        MessageView view = new MessageView().wrap(block);
        return BlockFormat.messageId(view.idConnection(), view.idSequence());
    }

    /** The quota that it is charged to, or null. */
    @Nullable
    Quota quota() {
        return quota;
    }

    void charged(Quota by) {
        quota = by;
    }

    /** One more queue, or somebody else, needs it. */
    void retain() {
        references++;
    }

    /** One less; true when it was the last, and the message is gone. */
    boolean release() {
        if (--references > 0) {
            return false;
        }
        discard();
        return true;
    }

    /** Nobody took it: frees the block and the room in the quota. */
    void discard() {
        Quota q = quota;
        if (q != null) {
            quota = null;
            q.release(size);
        }
        block.release();
    }

    /** Whether nothing of a larger buffer is held. */
    boolean isSettled() {
        return own;
    }

    /** It will wait: a small block no longer pins the large buffer it was read into. */
    void settleDown() {
        if (!own && (size <= COPIED || pins() > (long) MOST_PINNED * size)) {
            ByteBuf copy = block.alloc().directBuffer(size, size);
            copy.writeBytes(block, block.readerIndex(), size);
            block.release();
            block = copy;
        }
        own = true;
    }

    /** The size of the buffer that the block is a part of. */
    private long pins() {
        ByteBuf whole = block;
        for (ByteBuf outer = whole.unwrap(); outer != null; outer = outer.unwrap()) {
            whole = outer;
        }
        return whole.capacity();
    }
}
