package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;

/**
 * Changes fields of fixed size of a message block in place: a destination's overrides, before the block is shared.
 * Stateless.
 */
public final class BlockPatch {
    private BlockPatch() {}

    public static void persistent(ByteBuf block, boolean persistent) {
        int at = block.readerIndex() + BlockFormat.FLAGS_AT;
        int flags = block.getByte(at);
        block.setByte(at, persistent ? flags | BlockFormat.PERSISTENT : flags & ~BlockFormat.PERSISTENT);
    }

    /** 0 to 9. */
    public static void priority(ByteBuf block, int priority) {
        block.setByte(block.readerIndex() + BlockFormat.PRIORITY_AT, priority);
    }

    /** Milliseconds since 1970; 0 for never. */
    public static void expiration(ByteBuf block, long millis) {
        block.setLong(block.readerIndex() + BlockFormat.EXPIRATION_AT, millis);
    }

    /** Milliseconds since 1970. */
    public static void deliveryTime(ByteBuf block, long millis) {
        block.setLong(block.readerIndex() + BlockFormat.DELIVERY_TIME_AT, millis);
    }
}
