package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;

/**
 * DELIVER: {@code u32 consumer · i64 tag · u8 flags · u32 deliveryCount · message block}. The broker writes the header
 * into a separate buffer and sends the shared block after it. A flyweight, confined to the loop that reads.
 */
public final class DeliverFrame {
    /** The message may have been delivered before. */
    public static final int REDELIVERED = 0x01;
    /** The answer of a BROWSE: {@link #consumer} is its request number, the tag has no meaning. */
    public static final int BROWSED = 0x02;
    /** Bytes before the message block. */
    public static final int HEAD_BYTES = 17;

    private int consumer;
    private long tag;
    private int flags;
    private int deliveryCount;

    /**
     * Writes all but the message block.
     *
     * @param tag ascending within a session, from 1
     * @param deliveryCount JMSXDeliveryCount: 1 for the first delivery
     */
    public static void writeHead(ByteBuf out, int consumer, long tag, int flags, int deliveryCount) {
        out.writeInt(consumer).writeLong(tag).writeByte(flags).writeInt(deliveryCount);
    }

    /** Reads the header; the rest of {@code in} is the message block. */
    public DeliverFrame read(ByteBuf in) {
        consumer = WireReader.i32(in);
        tag = WireReader.i64(in);
        flags = WireReader.u8(in);
        deliveryCount = FrameValues.count(in);
        return this;
    }

    public int consumer() {
        return consumer;
    }

    public long tag() {
        return tag;
    }

    public boolean redelivered() {
        return (flags & REDELIVERED) != 0;
    }

    public boolean browsed() {
        return (flags & BROWSED) != 0;
    }

    public int deliveryCount() {
        return deliveryCount;
    }
}
