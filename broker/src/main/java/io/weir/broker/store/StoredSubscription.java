package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.DestinationName;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * A durable subscription as it is kept. Immutable.
 *
 * @param queue what its messages are kept under ({@link QueueKey#subscription()}); empty in a new one, whose entry names it
 * @param name what its client calls it; of an {@link #ambiguous} one client identifier, dot and name
 * @param clientId whose it is, or null for a shared one without
 * @param ambiguous written before identifier and name were kept apart, and either may hold a dot: who asks first for the two
 *     that make this name has it
 * @param noLocalClient the client id whose messages are not wanted, or null
 */
public record StoredSubscription(
        String queue,
        DestinationName topic,
        String name,
        @Nullable String clientId,
        boolean ambiguous,
        @Nullable String selector,
        boolean shared,
        @Nullable String noLocalClient) {

    /** One that is kept under a name that its entry in the journal gives it. */
    public static StoredSubscription fresh(
            DestinationName topic,
            String name,
            @Nullable String clientId,
            @Nullable String selector,
            boolean shared,
            @Nullable String noLocalClient) {
        return new StoredSubscription("", topic, name, clientId, false, selector, shared, noLocalClient);
    }

    void write(ByteBuf out) {
        WireWriter.text(out, queue);
        topic.write(out);
        WireWriter.text(out, name);
        WireWriter.optionalText(out, clientId);
        WireWriter.optionalText(out, selector);
        out.writeBoolean(shared);
        WireWriter.optionalText(out, noLocalClient);
    }

    /** @param id of its entry in the journal */
    static StoredSubscription read(long id, ByteBuf in) {
        String queue = WireReader.text(in);
        DestinationName topic = DestinationName.read(in);
        String name = WireReader.text(in);
        String clientId = WireReader.optionalText(in);
        String selector = WireReader.optionalText(in);
        boolean shared = in.readBoolean();
        return new StoredSubscription(
                queue.isEmpty() ? QueueKey.incarnation(id) : queue,
                topic,
                name,
                clientId,
                false,
                selector,
                shared,
                WireReader.optionalText(in));
    }

    /** One of the first format, which kept client identifier and name as one text with a dot between them. */
    static StoredSubscription readJoined(ByteBuf in) {
        String joined = WireReader.text(in);
        DestinationName topic = DestinationName.read(in);
        WireReader.text(in);
        WireReader.optionalText(in);
        String selector = WireReader.optionalText(in);
        boolean shared = in.readBoolean();
        String noLocal = WireReader.optionalText(in);
        int dot = joined.indexOf('.');
        if (noLocal != null && joined.startsWith(noLocal + ".")) {
            dot = noLocal.length();
        } else if (dot > 0 && joined.indexOf('.', dot + 1) >= 0) {
            return new StoredSubscription(joined, topic, joined, null, true, selector, shared, noLocal);
        }
        String clientId = dot <= 0 ? null : joined.substring(0, dot);
        return new StoredSubscription(
                joined, topic, joined.substring(dot + 1), clientId, false, selector, shared, noLocal);
    }
}
