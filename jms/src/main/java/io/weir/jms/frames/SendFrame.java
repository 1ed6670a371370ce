package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;

/**
 * SEND: {@code u32 request · u32 producer · u8 flags · i32 sendTimeoutMillis · destination · message block}. A reusable
 * flyweight; confined to the loop that reads.
 */
public final class SendFrame {
    /** The message is persistent; the same as in its block, for readers that do not parse blocks. */
    public static final int PERSISTENT = 0x01;
    /** The message belongs to the session's transaction. */
    public static final int TRANSACTED = 0x02;
    /** The application waits in a CompletionListener; for statistics only. */
    public static final int ASYNCHRONOUS = 0x04;

    private int request;
    private int producer;
    private int flags;
    private int sendTimeoutMillis;
    private DestinationName destination = new DestinationName(DestinationKind.QUEUE, "");

    /**
     * Writes all but the message block, which the caller appends.
     *
     * @param request 0 for a one-way send, otherwise the number that OK or REFUSED repeats
     * @param sendTimeoutMillis how long the message can wait for room; 0 not at all, -1 for the broker's default
     */
    public static void writeHead(
            ByteBuf out, int request, int producer, int flags, int sendTimeoutMillis, DestinationName destination) {
        out.writeInt(request).writeInt(producer).writeByte(flags).writeInt(sendTimeoutMillis);
        destination.write(out);
    }

    /** Upper bound of the header's bytes, for the size of the frame. */
    public static int headBytes(DestinationName destination) {
        return 13 + 1 + FrameValues.maxTextBytes(destination.name());
    }

    /** Reads the header; the rest of {@code in} is the message block. */
    public SendFrame read(ByteBuf in, DestinationCache destinations) {
        request = WireReader.i32(in);
        producer = WireReader.i32(in);
        flags = WireReader.u8(in);
        sendTimeoutMillis = WireReader.i32(in);
        destination = destinations.read(in);
        return this;
    }

    public int request() {
        return request;
    }

    public int producer() {
        return producer;
    }

    public int flags() {
        return flags;
    }

    public boolean persistent() {
        return (flags & PERSISTENT) != 0;
    }

    public boolean transacted() {
        return (flags & TRANSACTED) != 0;
    }

    public int sendTimeoutMillis() {
        return sendTimeoutMillis;
    }

    public DestinationName destination() {
        return destination;
    }
}
