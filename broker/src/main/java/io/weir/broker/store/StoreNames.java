package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.jms.frames.BranchId;
import io.weir.jms.frames.MessageView;
import io.weir.journal.damage.Describer;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;

/**
 * Describes the store's entries for reports of damage, damaged ones as far as readable. Stateless.
 */
final class StoreNames implements Describer {
    static final StoreNames INSTANCE = new StoreNames();

    private StoreNames() {}

    @Override
    public String name(int type, ByteBuffer payload) {
        ByteBuf in = Unpooled.wrappedBuffer(payload);
        return switch (type) {
            case StoreFormat.MESSAGE -> message(in);
            case StoreFormat.REMOVED -> "the removal of " + copy(in);
            case StoreFormat.DISPATCHED -> "the mark of " + copy(in);
            case StoreFormat.SUBSCRIPTION, StoreFormat.SUBSCRIPTION_JOINED -> subscription(type, in);
            case StoreFormat.PREPARED, StoreFormat.OUTCOME -> branch(type, in);
            default -> "an entry of type " + type;
        };
    }

    @Override
    public String loss(int type, ByteBuffer payload) {
        ByteBuf in = Unpooled.wrappedBuffer(payload);
        return switch (type) {
            case StoreFormat.MESSAGE -> message(in) + " is lost";
            case StoreFormat.REMOVED -> "the removal of " + copy(in) + " is lost, so it is delivered again";
            case StoreFormat.DISPATCHED ->
                "the delivery mark of " + copy(in) + " is lost, so it may be redelivered without the redelivered flag";
            case StoreFormat.SUBSCRIPTION, StoreFormat.SUBSCRIPTION_JOINED ->
                subscription(type, in)
                        + " is lost; its messages stay in the store until this is acknowledged and the server restarted";
            case StoreFormat.PREPARED ->
                branch(type, in)
                        + " is lost: what it sent is there, and what it consumed is delivered again; compare with its"
                        + " transaction manager";
            case StoreFormat.OUTCOME -> branch(type, in) + " is lost: its transaction manager does not hear of it";
            default -> "an entry of type " + type + " is lost";
        };
    }

    private static String message(ByteBuf in) {
        String where = "a destination that cannot be read";
        try {
            List<StoredCopy> copies = StoreFormat.copies(in, new HashMap<>());
            if (!copies.isEmpty()) {
                where = copies.getFirst().queue().destination()
                        + (copies.size() == 1 ? "" : " (" + copies.size() + " copies)");
            }
            MessageView view = new MessageView().wrap(in);
            return "message " + view.messageId() + " for " + where
                    + (view.hasTimestamp() ? ", sent " + Instant.ofEpochMilli(view.timestamp()) : "");
        } catch (RuntimeException e) {
            // it is damaged: report what was read so far
            return "a message for " + where;
        }
    }

    private static String copy(ByteBuf in) {
        return in.readableBytes() < Long.BYTES + Integer.BYTES
                ? "a message"
                : "message entry " + in.getLong(in.readerIndex()) + ", copy "
                        + in.getInt(in.readerIndex() + Long.BYTES);
    }

    private static String branch(int type, ByteBuf in) {
        String what = type == StoreFormat.PREPARED ? "prepared transaction" : "the operator's decision on transaction";
        try {
            return what + " " + BranchId.read(in);
        } catch (RuntimeException e) {
            return what;
        }
    }

    private static String subscription(int type, ByteBuf in) {
        try {
            StoredSubscription s = type == StoreFormat.SUBSCRIPTION
                    ? StoredSubscription.read(0, in)
                    : StoredSubscription.readJoined(in);
            return "subscription " + s.name() + (s.clientId() == null ? "" : " of client " + s.clientId()) + " to "
                    + s.topic();
        } catch (RuntimeException e) {
            return "a subscription";
        }
    }
}
