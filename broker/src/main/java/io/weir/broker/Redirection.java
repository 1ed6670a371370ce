package io.weir.broker;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BlockPatch;
import io.weir.jms.frames.MessageView;
import org.jspecify.annotations.Nullable;

/**
 * Moves messages to another destination: to the error destination, or by an administrator. The copy has no expiration and
 * no delay; it is taken whatever the quota says, since the message exists already. Stateless; called on the loop of the
 * destination that the message leaves.
 */
final class Redirection {
    private final Engine engine;

    Redirection(Engine engine) {
        this.engine = engine;
    }

    /** Moves an entry that is in no list to its destination's error destination; false when there is none. */
    boolean redirect(Entry e) {
        Destination from = e.queue.destination;
        String name = from.config().deliveryFailure().errorDestination();
        if (name.isEmpty()) {
            return false;
        }
        Destination to = engine.destinations().byText(name);
        if (to == null) {
            engine.log().log(BrokerMessages.NO_ERROR_DESTINATION, from.name, name);
            return false;
        }
        if (to.equals(from) || to.isPaused(Destination.Stage.INSERTION)) {
            return false;
        }
        move(e, to, Sent.NOBODY);
        return true;
    }

    /** Moves an entry that is in no list. It is removed where it was once it is safe where it goes. */
    void move(Entry e, Destination to, Sent moved) {
        Message copy = copy(e.message, to.quota());
        e.state = Entry.State.MARKING;
        to.loop.run(() -> SessionSends.accept(
                to,
                copy,
                failure -> e.queue.loop.run(() -> {
                    settle(e, failure);
                    moved.done(failure);
                })));
    }

    private static void settle(Entry e, @Nullable Refusal failure) {
        if (failure == null || e.queue.isClosed()) {
            e.queue.drop(e);
        } else {
            e.queue.reinsert(e);
        }
    }

    private static Message copy(Message m, Quota quota) {
        ByteBuf block = m.block();
        ByteBuf copy = block.alloc().directBuffer(m.size(), m.size());
        copy.writeBytes(block, block.readerIndex(), m.size());
        BlockPatch.expiration(copy, 0);
        BlockPatch.deliveryTime(copy, 0);
        Message moved = new Message(copy, new MessageView().wrap(copy), m.origin());
        quota.force(m.size());
        moved.charged(quota);
        return moved;
    }
}
