package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;

/**
 * CREDIT: {@code u32 messages · u32 bytes} passed to the listener since the last one; the session's window grows by
 * them. A flyweight, confined to the loop that reads.
 */
public final class CreditFrame {
    public static final int BYTES = 8;

    private int messages;
    private int bytes;

    public static void write(ByteBuf out, int messages, int bytes) {
        out.writeInt(messages).writeInt(bytes);
    }

    public CreditFrame read(ByteBuf in) {
        messages = FrameValues.count(in);
        bytes = FrameValues.count(in);
        return this;
    }

    public int messages() {
        return messages;
    }

    public int bytes() {
        return bytes;
    }
}
