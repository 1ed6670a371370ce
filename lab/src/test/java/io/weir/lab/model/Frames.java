package io.weir.lab.model;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BlockWriter;
import io.weir.jms.frames.MessageHeader;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.Provenance;
import io.weir.jms.frames.Values;
import io.weir.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Letters as message blocks. Stateless. */
final class Frames {
    private Frames() {}

    static void block(Letter l, long connection, ByteBuf out) {
        MessageHeader head = new MessageHeader();
        head.bodyType = 1;
        head.persistent = l.persistent;
        head.priority = l.priority;
        head.hasId = true;
        head.idConnection = connection;
        head.idSequence = l.number;
        head.deliveryTime = l.deliveryTime;
        head.expiration = l.expiration;
        BlockWriter.head(out, head);
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("n", l.n);
        properties.put("colour", l.colour);
        if (l.group != null) {
            properties.put("JMSXGroupID", l.group);
        }
        int mark = BlockWriter.beginSection(out);
        WireWriter.varint(out, properties.size());
        properties.forEach((name, value) -> {
            WireWriter.text(out, name);
            Values.write(out, value);
        });
        BlockWriter.endSection(out, mark);
        mark = BlockWriter.beginSection(out);
        out.writeByte(1);
        out.writeCharSequence(l.body(), StandardCharsets.UTF_8);
        BlockWriter.endSection(out, mark);
    }

    /** Where it was sent to first, of one that the broker moved. */
    static @Nullable Object origin(ByteBuf block) {
        return new MessageView().wrap(block).property(Provenance.ORIGIN);
    }

    static String body(ByteBuf block) {
        MessageView v = new MessageView().wrap(block);
        return block.toString(v.bodyAt() + 1, v.bodyLength() - 1, StandardCharsets.UTF_8);
    }
}
