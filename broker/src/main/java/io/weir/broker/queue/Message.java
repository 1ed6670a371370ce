package io.weir.broker.queue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.broker.loop.ReadBuffers;
import io.weir.broker.quota.Quota;
import io.weir.jms.frames.BlockFormat;
import io.weir.jms.frames.MessageView;
import org.jspecify.annotations.Nullable;

/**
 * A message at a destination: its block, shared by all queues that refer to it, and of its header what the broker asks
 * for often. Owned by the destination's loop once it arrived there; lives until the last reference is let go. Sessions
 * on other loops are given a reference to the block of their own.
 */
public final class Message implements ReadBuffers.Held {
    /** A larger block keeps the buffer it was read into, where that is at most {@link #MOST_PINNED} times as large. */
    public static final int LARGE = 16 << 10;

    private static final int MOST_PINNED = 2;

    private ByteBuf block;
    private final int size;
    private final boolean persistent;
    private final byte priority;
    private final long expiration;
    private final long deliveryTime;
    private final long origin;
    private final @Nullable String group;
    private @Nullable Quota quota;
    private int references;
    /** References beside the first that memory counts: once it is routed, those that there are. */
    private int counted;

    private boolean routed;
    private boolean own;
    /** What it was read into, while it may wait there, and where its block begins. */
    private @Nullable ByteBuf source;

    private int start;
    private ReadBuffers.@Nullable Page page;
    private int slot;

    /**
     * Takes a block over.
     *
     * @param view already wrapped around the block
     * @param origin the connection that sent it, 0 for none
     */
    public Message(ByteBuf block, MessageView view, long origin) {
        this.block = block;
        this.size = block.readableBytes();
        this.persistent = view.persistent();
        this.priority = (byte) view.priority();
        this.expiration = view.expiration();
        this.deliveryTime = view.deliveryTime();
        this.group = view.hasProperties() ? view.groupId() : null;
        this.origin = origin;
    }

    /** Lent, until the message is released or settles down; retain it to keep it longer. */
    public ByteBuf block() {
        return page == null ? block : page.slice(start, size);
    }

    /** The block is a part of this buffer, from there on; to be said before the message is handed on. */
    public Message in(ByteBuf buffer, int at) {
        source = buffer;
        start = at;
        return this;
    }

    @Override
    public int size() {
        return size;
    }

    public boolean persistent() {
        return persistent;
    }

    public int priority() {
        return priority;
    }

    /** Milliseconds since 1970, 0 for never. */
    public long expiration() {
        return expiration;
    }

    boolean expired(long millis) {
        return expiration != 0 && expiration <= millis;
    }

    long deliveryTime() {
        return deliveryTime;
    }

    /** The connection that sent it. */
    public long origin() {
        return origin;
    }

    /** JMSXGroupID, or null. */
    @Nullable
    public String group() {
        return group;
    }

    /** JMSMessageID for logs. */
    public String id() {
        MessageView view = new MessageView().wrap(block());
        return BlockFormat.messageId(view.idConnection(), view.idSequence());
    }

    /** The quota that it is charged to, or null. */
    @Nullable
    Quota quota() {
        return quota;
    }

    /**
     * It is charged to a quota.
     *
     * @param more references beside the first that were counted with it
     */
    public void charged(Quota by, int more) {
        quota = by;
        counted = more;
    }

    /** All queues that take it have it. */
    public void routed() {
        routed = true;
        count();
    }

    private void count() {
        int more = Math.max(0, references - 1);
        Quota q = quota;
        if (q != null && more != counted) {
            int change = more - counted;
            counted = more;
            q.refer(change);
        }
    }

    /** One more queue, or somebody else, needs it. */
    public void retain() {
        references++;
    }

    /** Whether letting go of one reference is letting go of the message. */
    public boolean isLast() {
        return references == 1;
    }

    /** One less; true when it was the last, and the message is gone. */
    public boolean release() {
        if (--references > 0) {
            if (routed) {
                count();
            }
            return false;
        }
        discard();
        return true;
    }

    /** Nobody took it: frees the block and the room in the quota. */
    public void discard() {
        Quota q = quota;
        if (q != null) {
            quota = null;
            if (counted != 0) {
                q.refer(-counted);
            }
            q.release(size);
        }
        ReadBuffers.Page p = page;
        if (p != null) {
            page = null;
            p.left(slot, size);
        } else {
            block.release();
        }
        source = null;
    }

    /** Whether what it holds of a larger buffer is nothing, little, or accounted for. */
    public boolean isSettled() {
        return own || page != null;
    }

    /** Copies its bytes out of the read buffer, so that a message that waits does not pin it. Called by its owner. */
    public void settleDown() {
        if (!isSettled()) {
            if (pinsMuch(whole(block).capacity())) {
                ByteBuf from = block;
                copyOut(from, from.readerIndex());
                from.release();
            }
            settled();
        }
    }

    /**
     * It will wait at a destination of the loop that these buffers belong to: it stays where it lies while that is no
     * waste.
     */
    public void settleDown(ReadBuffers buffers) {
        ByteBuf in = source;
        if (isSettled() || in == null) {
            settleDown();
            return;
        }
        int capacity = whole(in).capacity();
        if (pinsMuch(capacity)) {
            buffers.add(this, in, capacity);
        } else {
            settled();
        }
    }

    private void settled() {
        own = true;
        source = null;
    }

    @Override
    public void lies(ReadBuffers.Page in, int at) {
        page = in;
        slot = at;
        block.release();
        block = Unpooled.EMPTY_BUFFER;
    }

    @Override
    public void moveOut(ByteBuf from) {
        page = null;
        copyOut(from, start);
        settled();
    }

    private void copyOut(ByteBuf from, int at) {
        ByteBuf copy = from.alloc().directBuffer(size, size);
        copy.writeBytes(from, at, size);
        block = copy;
    }

    private boolean pinsMuch(int capacity) {
        return ReadBuffers.wasteful(capacity, size) && (size <= LARGE || capacity > (long) MOST_PINNED * size);
    }

    /** What a buffer is a part of. */
    private static ByteBuf whole(ByteBuf part) {
        ByteBuf whole = part;
        for (ByteBuf outer = whole.unwrap(); outer != null; outer = outer.unwrap()) {
            whole = outer;
        }
        return whole;
    }
}
