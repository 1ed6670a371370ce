package io.weir.broker;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BlockPatch;
import io.weir.jms.frames.MessageView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves messages to another destination: to the error destination, or by an administrator. Taken here and given there are one
 * write of the store, so that no fault and no death leaves a message in both or in none, and nobody sees it there before. The
 * copy has no expiration and no delay; it is taken whatever the quota says, since the message exists already. Stateless; called
 * on the loop of the destination that the message leaves.
 */
final class Redirection {
    private final Engine engine;

    Redirection(Engine engine) {
        this.engine = engine;
    }

    /** The error destination of a destination, or null where there is none. */
    @Nullable
    Destination target(Destination from) {
        String name = from.config().deliveryFailure().errorDestination();
        if (name.isEmpty()) {
            return null;
        }
        Destination to = engine.destinations().byText(name);
        if (to == null) {
            engine.log().log(BrokerMessages.NO_ERROR_DESTINATION, from.name, name);
        }
        return to == null || to.equals(from) ? null : to;
    }

    /**
     * Moves entries that are in no list.
     *
     * @param moved told on the queue's loop; with a failure they are where they were, and for the caller to put back
     */
    void move(MessageQueue queue, List<Entry> entries, Destination to, Sent moved) {
        List<LocalTransaction.PendingSend> copies = new ArrayList<>(entries.size());
        for (Entry e : entries) {
            e.state = Entry.State.LEAVING;
            copies.add(new LocalTransaction.PendingSend(to, copy(e.message, to.quota())));
        }
        new Commit(engine, queue.loop, copies, entries, e -> e.queue.forget(e)).run(moved);
    }

    private static Message copy(Message m, Quota quota) {
        ByteBuf block = m.block();
        ByteBuf copy = block.alloc().directBuffer(m.size(), m.size());
        copy.writeBytes(block, block.readerIndex(), m.size());
        BlockPatch.expiration(copy, 0);
        BlockPatch.deliveryTime(copy, 0);
        Message moved = new Message(copy, new MessageView().wrap(copy), m.origin());
        quota.force(m.size());
        moved.charged(quota, 0);
        return moved;
    }
}
