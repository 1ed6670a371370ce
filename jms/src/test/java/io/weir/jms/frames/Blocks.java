package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.WireWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes message blocks for tests. */
public final class Blocks {
    private Blocks() {}

    public static ByteBuf of(MessageHeader head, Map<String, ? extends @Nullable Object> properties, byte[] body) {
        ByteBuf out = Unpooled.buffer();
        BlockWriter.head(out, head);
        int mark = BlockWriter.beginSection(out);
        if (!properties.isEmpty()) {
            WireWriter.varint(out, properties.size());
            properties.forEach((name, value) -> {
                WireWriter.text(out, name);
                Values.write(out, value);
            });
        }
        BlockWriter.endSection(out, mark);
        mark = BlockWriter.beginSection(out);
        out.writeBytes(body);
        BlockWriter.endSection(out, mark);
        return out;
    }
}
