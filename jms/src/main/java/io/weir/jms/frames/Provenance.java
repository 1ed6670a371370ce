package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireWriter;
import java.util.Map;

/**
 * The properties by which the broker says where a message was that it moved, and why: to an error destination, or for an
 * administrator. Applications read them; what clients send under these names is not kept. Stateless.
 */
public final class Provenance {
    /** What their names begin with. */
    public static final String PREFIX = "JMS_WEIR_";

    /** String: where it was sent to first, kept through all moves. */
    public static final String ORIGIN = PREFIX + "ORIGIN";
    /** String: where it was moved from last. */
    public static final String FROM = PREFIX + "FROM";
    /** String: why it was moved last. */
    public static final String REASON = PREFIX + "REASON";
    /** int: deliveries that counted where it was moved from. */
    public static final String DELIVERY_COUNT = PREFIX + "DELIVERY_COUNT";
    /** long: when it was moved last, milliseconds since 1970. */
    public static final String TIME = PREFIX + "TIME";

    /** A number of properties at most, and the length of a name. */
    private static final int COUNT_BYTES = 5;

    static final byte[] PREFIX_BYTES = MessageView.name(PREFIX);

    private Provenance() {}

    /**
     * A copy of a block with these properties, and without others of such names.
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

    /** Bytes of properties at most. */
    private static int bytes(Map<String, Object> properties) {
        int bytes = COUNT_BYTES;
        for (Map.Entry<String, Object> e : properties.entrySet()) {
            bytes += FrameValues.maxTextBytes(e.getKey()) + 1;
            bytes += e.getValue() instanceof String s ? FrameValues.maxTextBytes(s) : Long.BYTES;
        }
        return bytes;
    }
}
