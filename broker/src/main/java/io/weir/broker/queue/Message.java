package io.weir.broker.queue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.broker.loop.ReadBuffers;
import io.weir.broker.quota.Quota;
import io.weir.jms.frames.BlockFormat;
import io.weir.jms.frames.MessageView;
import org.jspecify.annotations.Nullable;

/**
 * A message at a destination: its block, shared by all queues that refer to it, and the header fields that the broker
 * reads often. Owned by the destination's loop once it has arrived there; lives until the last reference is released.
 * Sessions on other loops get their own reference to the block.
 */
public final class Message implements ReadBuffers.Held {
    /**
     * A block larger than this keeps the buffer it was read into if that is at most {@link #MOST_PINNED} times as
     * large.
     */
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
    private final @Nullable String unit;
    private @Nullable Quota quota;
    private int references;
    /** References in addition to the first that are counted in memory: once it is routed, the actual ones. */
    private int counted;

    private boolean routed;
    private boolean own;
    /** The buffer it was read into, while it can wait there, and the offset of its block. */
    private @Nullable ByteBuf source;

    private int start;
    private ReadBuffers.@Nullable Page page;
    private int slot;

    /**
     * Takes ownership of a block.
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
        view.findOrder();
        this.group = view.group();
        this.unit = view.unitOfOrder();
        this.origin = origin;
    }

    /** Borrowed: valid until the message is released or settled; retain it to keep it longer. */
    public ByteBuf block() {
        return page == null ? block : page.slice(start, size);
    }

    /** Sets the buffer that the block is part of, and its offset there; called before the message is passed on. */
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

    /** The name of its unit of order, or null. */
    @Nullable
    public String unit() {
        return unit;
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
     * Charges it to a quota.
     *
     * @param more references in addition to the first that were counted with it
     */
    public void charged(Quota by, int more) {
        quota = by;
        counted = more;
    }

    /** Called when all queues that take it have their reference. */
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

    /** Adds a reference. */
    public void retain() {
        references++;
    }

    /** Whether only one reference is left, whose release frees the message. */
    public boolean isLast() {
        return references == 1;
    }

    /** Releases a reference; returns true if it was the last and the message is freed. */
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

    /** Frees the block and the room in the quota. */
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

    /** Whether it pins nothing or little of a larger buffer, or the pinned bytes are accounted for. */
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
     * Prepares it to wait at a destination of the loop that owns these buffers: it stays in its read buffer as long as
     * that wastes little.
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

    /** The outermost buffer that a buffer is part of. */
    private static ByteBuf whole(ByteBuf part) {
        ByteBuf whole = part;
        for (ByteBuf outer = whole.unwrap(); outer != null; outer = outer.unwrap()) {
            whole = outer;
        }
        return whole;
    }
}
