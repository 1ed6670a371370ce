package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.weir.journal.Replay;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts together what the journal replays. Confined to the opening thread; good for one start. */
final class StoreRecovery implements Replay {
    private final ByteBufAllocator allocator;
    private final Map<Long, Found> messages = new LinkedHashMap<>();
    private final Map<String, Long> subscriptionIds = new LinkedHashMap<>();
    private final List<StoredSubscription> subscriptions = new ArrayList<>();
    private final Map<QueueKey, QueueKey> keys = new HashMap<>();
    /** Entries that say nothing any more. */
    private final List<Long> useless = new ArrayList<>();

    private record Found(List<StoredCopy> copies, ByteBuf block) {}

    StoreRecovery(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    @Override
    public void entry(long id, int type, ByteBuffer payload) {
        switch (type) {
            case StoreFormat.MESSAGE -> message(id, payload);
            case StoreFormat.REMOVED -> {
                StoredCopy c = referred(id, payload);
                if (c != null) {
                    c.removal = id;
                }
            }
            case StoreFormat.DISPATCHED -> {
                StoredCopy c = referred(id, payload);
                if (c != null) {
                    c.mark = id;
                    c.markDispatched();
                }
            }
            case StoreFormat.SUBSCRIPTION -> {
                StoredSubscription s = StoredSubscription.read(Unpooled.wrappedBuffer(payload));
                subscriptionIds.put(s.key(), id);
                subscriptions.add(s);
            }
            default -> throw new IllegalStateException("an entry of type " + type + " in the message store");
        }
    }

    private void message(long id, ByteBuffer payload) {
        ByteBuf in = Unpooled.wrappedBuffer(payload);
        List<StoredCopy> copies = StoreFormat.copies(in, keys);
        ByteBuf block = allocator.directBuffer(in.readableBytes(), in.readableBytes());
        block.writeBytes(in);
        messages.put(id, new Found(copies, block));
    }

    private @Nullable StoredCopy referred(long id, ByteBuffer payload) {
        long message = payload.getLong();
        int copy = payload.getInt();
        Found found = messages.get(message);
        if (found == null || copy >= found.copies().size()) {
            useless.add(id);
            return null;
        }
        return found.copies().get(copy);
    }

    Map<String, Long> subscriptionIds() {
        return subscriptionIds;
    }

    /** Hands everything to the broker; gives back the ids of entries to remove. */
    List<Long> tell(Contents contents) {
        subscriptions.forEach(contents::subscription);
        // What was handed over need not be held twice.
        for (Iterator<Map.Entry<Long, Found>> i = messages.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<Long, Found> each = i.next();
            i.remove();
            tell(each.getKey(), each.getValue(), contents);
        }
        return useless;
    }

    private void tell(long id, Found found, Contents contents) {
        List<StoredCopy> left =
                found.copies().stream().filter(c -> c.removal == 0).toList();
        Stored stored = new Stored(found.copies(), id, left.size());
        found.copies().forEach(c -> c.message = stored);
        if (left.isEmpty()) {
            useless.addAll(stored.entries());
            found.block().release();
        } else {
            contents.message(left, found.block());
        }
    }
}
