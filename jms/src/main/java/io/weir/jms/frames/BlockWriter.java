package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireWriter;

/**
 * Writes a message block in order: {@link #head}, the properties between {@link #beginSection} and {@link #endSection}, the
 * body between another pair. Without garbage. Immutable.
 */
public final class BlockWriter {
    private BlockWriter() {}

    /** The fixed part, correlation, replyTo and type. */
    public static void head(ByteBuf out, MessageHeader head) {
        out.writeByte(head.bodyType).writeByte(flags(head)).writeByte(head.priority);
        out.writeLong(head.idConnection).writeLong(head.idSequence);
        out.writeLong(head.timestamp).writeLong(head.expiration).writeLong(head.deliveryTime);
        byte[] bytes = head.correlationBytes;
        if (bytes != null) {
            WireWriter.varint(out, bytes.length);
            out.writeBytes(bytes);
        } else if (head.correlation != null) {
            WireWriter.text(out, head.correlation);
        }
        if (head.replyTo != null) {
            head.replyTo.write(out);
        }
        if (head.type != null) {
            WireWriter.text(out, head.type);
        }
    }

    /** Upper bound of the header's bytes. */
    public static int headBytes(MessageHeader head) {
        int bytes = BlockFormat.FIXED_BYTES;
        if (head.correlationBytes != null) {
            bytes += 5 + head.correlationBytes.length;
        } else if (head.correlation != null) {
            bytes += FrameValues.maxTextBytes(head.correlation);
        }
        bytes += head.replyTo == null ? 0 : 1 + FrameValues.maxTextBytes(head.replyTo.name());
        return bytes + (head.type == null ? 0 : FrameValues.maxTextBytes(head.type));
    }

    private static int flags(MessageHeader head) {
        boolean bytes = head.correlationBytes != null;
        return (bytes || head.correlation != null ? BlockFormat.HAS_CORRELATION : 0)
                | (bytes ? BlockFormat.CORRELATION_IS_BYTES : 0)
                | (head.replyTo != null ? BlockFormat.HAS_REPLY_TO : 0)
                | (head.type != null ? BlockFormat.HAS_TYPE : 0)
                | (head.persistent ? BlockFormat.PERSISTENT : 0)
                | (head.hasId ? BlockFormat.HAS_ID : 0)
                | (head.hasTimestamp ? BlockFormat.HAS_TIMESTAMP : 0);
    }

    /** Reserves space for the section's length; the returned mark is passed to {@link #endSection}. */
    public static int beginSection(ByteBuf out) {
        int mark = out.writerIndex();
        out.writeInt(0);
        return mark;
    }

    /** Sets the length of the section that began at {@code mark}. */
    public static void endSection(ByteBuf out, int mark) {
        out.setInt(mark, out.writerIndex() - mark - 4);
    }
}
