package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;

/**
 * The payload of ACK and SETTLE: ranges of delivery tags, each {@code i64 from · i64 to · u8 kind}, both ends included.
 * A flyweight: {@link #next} reads a range at a time. Confined to the loop that reads.
 */
public final class AckFrame {
    /** The messages were consumed. */
    public static final int CONSUMED = 0;
    /**
     * The messages were returned unread, for example by a closing consumer: neither consumed nor counted as delivered.
     */
    public static final int RETURNED = 1;
    /** The messages were passed to the application, or are about to be; since {@link #PASSED_VERSION}. */
    public static final int PASSED = 2;
    /** The protocol version since which clients report passed messages, and can request an answer with SETTLE. */
    public static final int PASSED_VERSION = 2;
    /** Bytes of one range. */
    public static final int RANGE_BYTES = 17;

    private long from;
    private long to;
    private int kind;

    /** Appends a range; several may follow each other in one frame. */
    public static void write(ByteBuf out, long from, long to, int kind) {
        out.writeLong(from).writeLong(to).writeByte(kind);
    }

    /** Reads the next range; false at the frame's end. */
    public boolean next(ByteBuf in) {
        if (!in.isReadable()) {
            return false;
        }
        from = WireReader.i64(in);
        to = WireReader.i64(in);
        kind = WireReader.u8(in);
        if (from < 0 || to < from) {
            throw FrameValues.malformed("acknowledgement of " + from + " to " + to);
        }
        if (kind > PASSED) {
            throw FrameValues.malformed("acknowledgement of kind " + kind);
        }
        return true;
    }

    public long from() {
        return from;
    }

    public long to() {
        return to;
    }

    public int kind() {
        return kind;
    }
}
