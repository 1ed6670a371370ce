package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.DestinationName;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * A durable subscription as it is kept. Immutable.
 *
 * @param key unique among subscriptions, as the broker makes it of client id and name
 * @param noLocalClient the client id whose messages are not wanted, or null
 */
public record StoredSubscription(
        String key,
        DestinationName topic,
        String name,
        @Nullable String clientId,
        @Nullable String selector,
        boolean shared,
        @Nullable String noLocalClient) {
    void write(ByteBuf out) {
        WireWriter.text(out, key);
        topic.write(out);
        WireWriter.text(out, name);
        WireWriter.optionalText(out, clientId);
        WireWriter.optionalText(out, selector);
        out.writeBoolean(shared);
        WireWriter.optionalText(out, noLocalClient);
    }

    static StoredSubscription read(ByteBuf in) {
        String key = WireReader.text(in);
        DestinationName topic = DestinationName.read(in);
        String name = WireReader.text(in);
        String clientId = WireReader.optionalText(in);
        String selector = WireReader.optionalText(in);
        boolean shared = in.readBoolean();
        return new StoredSubscription(key, topic, name, clientId, selector, shared, WireReader.optionalText(in));
    }
}
