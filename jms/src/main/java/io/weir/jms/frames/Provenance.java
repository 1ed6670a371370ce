package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireWriter;
import java.util.Map;

/**
 * The properties in which the broker records where a moved message was, and why it was moved: to an error destination,
 * or by an administrator. Applications can read them; the broker removes properties with these names that clients send.
 * Stateless.
 */
public final class Provenance {
    /** The prefix of their names. */
    public static final String PREFIX = "JMS_WEIR_";

    /** String: its first destination, kept through all moves. */
    public static final String ORIGIN = PREFIX + "ORIGIN";
    /** String: the source of the last move. */
    public static final String FROM = PREFIX + "FROM";
    /** String: the reason of the last move. */
    public static final String REASON = PREFIX + "REASON";
    /** int: deliveries counted at the source of the last move. */
    public static final String DELIVERY_COUNT = PREFIX + "DELIVERY_COUNT";
    /** long: the time of the last move, milliseconds since 1970. */
    public static final String TIME = PREFIX + "TIME";

    /** Maximum bytes of the number of properties, or of a length. */
    private static final int COUNT_BYTES = 5;

    static final byte[] PREFIX_BYTES = MessageView.name(PREFIX);

    private Provenance() {}

    /**
     * Copies a block with these properties added, and all others with this prefix removed.
     *
     * @param view already wrapped around the block
     */
    public static ByteBuf copy(ByteBuf block, MessageView view, Map<String, Object> properties) {
        int start = block.readerIndex();
        int head = view.propertiesAt() - 4 - start;
        ByteBuf copy = block.alloc().directBuffer(view.size() + bytes(properties));
        try {
            copy.writeBytes(block, start, head);
            int mark = BlockWriter.beginSection(copy);
            properties(block, view, properties, copy);
            BlockWriter.endSection(copy, mark);
            copy.writeBytes(block, view.bodyAt() - 4, view.bodyLength() + 4);
            return copy.capacity(copy.writerIndex());
        } catch (RuntimeException | OutOfMemoryError e) {
            copy.release();
            throw e;
        }
    }

    private static void properties(ByteBuf block, MessageView view, Map<String, Object> added, ByteBuf out) {
        int from = view.propertiesAt();
        int to = from + view.propertiesLength();
        Cursor in = new Cursor(block).set(block, from, to);
        int count = in.done() ? 0 : in.count(2);
        int all = added.size();
        for (int i = 0; i < count; i++) {
            all += in.textStarts(PREFIX_BYTES) ? 0 : 1;
            in.skipValue();
        }
        if (all == 0) {
            return;
        }
        WireWriter.varint(out, all);
        in.set(block, from, to);
        if (count > 0) {
            in.count(2);
        }
        for (int i = 0; i < count; i++) {
            int at = in.at();
            boolean ours = in.textStarts(PREFIX_BYTES);
            in.skipValue();
            if (!ours) {
                out.writeBytes(block, at, in.at() - at);
            }
        }
        added.forEach((name, value) -> {
            WireWriter.text(out, name);
            Values.write(out, value);
        });
    }

    /** Upper bound of the properties' bytes. */
    private static int bytes(Map<String, Object> properties) {
        int bytes = COUNT_BYTES;
        for (Map.Entry<String, Object> e : properties.entrySet()) {
            bytes += FrameValues.maxTextBytes(e.getKey()) + 1;
            bytes += e.getValue() instanceof String s ? FrameValues.maxTextBytes(s) : Long.BYTES;
        }
        return bytes;
    }
}
