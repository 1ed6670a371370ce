package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.DestinationName;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * A durable subscription as stored. Immutable.
 *
 * @param queue the key of its messages ({@link QueueKey#subscription()}); empty in a new one, whose key derives from
 * its entry's id
 * @param name the name given by its client; for an {@link #ambiguous} one client identifier, dot and name
 * @param clientId the client identifier, or null for a shared one without
 * @param ambiguous written when identifier and name were one text, and either may contain a dot: it belongs to the
 * first client whose identifier and name form this text
 * @param noLocalClient the client identifier whose messages are excluded, or null
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

    /** Creates a new one, whose key derives from its entry in the journal. */
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

    /** @param id the id of its entry in the journal */
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

    /** Reads one of the first format, which stored client identifier and name as one text with a dot between them. */
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
