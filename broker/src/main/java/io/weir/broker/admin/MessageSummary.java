package io.weir.broker.admin;

import io.weir.broker.queue.QueueEntry;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.MessageView;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message as operators see it. Immutable.
 *
 * @param place its place in the order of delivery, the cursor for the next page
 * @param deliveries how often it was delivered before
 * @param text the beginning of a text message's body, at most {@link #MOST_TEXT} bytes; null for others
 */
public record MessageSummary(
        long place,
        @Nullable String id,
        boolean persistent,
        int priority,
        long timestamp,
        long expiration,
        int deliveries,
        @Nullable String type,
        @Nullable String correlationId,
        @Nullable String replyTo,
        int bytes,
        @Nullable String text) {
    /** Maximum bytes of a text shown. */
    public static final int MOST_TEXT = 1024;

    static MessageSummary of(QueueEntry e) {
        MessageView v = new MessageView().wrap(e.message.block());
        DestinationName replyTo = v.replyTo();
        return new MessageSummary(
                e.place(),
                v.messageId(),
                v.persistent(),
                v.priority(),
                v.timestamp(),
                v.expiration(),
                e.deliveries,
                v.type(),
                v.correlation(),
                replyTo == null ? null : replyTo.toString(),
                v.size(),
                v.bodyType() == io.weir.jms.frames.BlockFormat.TEXT && v.bodyLength() > 1 ? text(e, v) : null);
    }

    private static String text(QueueEntry e, MessageView v) {
        int length = Math.min(MOST_TEXT, v.bodyLength() - 1);
        return e.message.block().toString(v.bodyAt() + 1, length, StandardCharsets.UTF_8);
    }
}
