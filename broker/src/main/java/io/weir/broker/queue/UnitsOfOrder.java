package io.weir.broker.queue;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue's messages that belong to units of order (WebLogic's Unit-of-Order): those of one unit are processed one after
 * the other, in the order in which they arrived, whatever their priorities and delivery times. While one is at a consumer
 * only that consumer gets further ones; while one waits for its redelivery, its delivery time or its move, none of those
 * behind it is delivered. A consumer with a listener in XA branches gets them one at a time. So a unit holds through acknowledgement, commit, rollback and redelivery delay. Bounded by the
 * queue's messages. Confined to the queue's loop.
 */
final class UnitsOfOrder {
    /** The unit of all messages without one, where the destination says that they have one. */
    private static final String DEFAULT = "";

    private final MessageQueue queue;
    /** The messages of each unit, in order. */
    private final Map<String, Set<QueueEntry>> units = new HashMap<>();

    UnitsOfOrder(MessageQueue queue) {
        this.queue = queue;
    }

    private @Nullable String unit(QueueEntry e) {
        String own = e.message.unit();
        return own == null && queue.context.config().defaultUnitOfOrder() ? DEFAULT : own;
    }

    /** A message arrived. */
    void arrived(QueueEntry e) {
        String unit = unit(e);
        if (unit != null) {
            units.computeIfAbsent(unit, _ -> new LinkedHashSet<>()).add(e);
        }
    }

    /** Whether a message can go to a consumer now. */
    boolean allows(QueueEntry e, QueueConsumer c) {
        Set<QueueEntry> all = units.isEmpty() ? null : of(e);
        if (all == null || !all.contains(e)) {
            return true;
        }
        for (QueueEntry before : all) {
            if (before.equals(e)) {
                return true;
            }
            if (!before.state.mayHaveLeft() || !c.equals(before.consumer) || !c.takesUnitsAhead()) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Set<QueueEntry> of(QueueEntry e) {
        String own = e.message.unit();
        return units.get(own == null ? DEFAULT : own);
    }

    /** A consumer got a message: the next of its unit may go to it, too, though the consumer passed over it before. */
    void given(QueueEntry e) {
        Set<QueueEntry> all = units.isEmpty() ? null : of(e);
        if (all != null) {
            for (QueueEntry next : all) {
                if (!next.equals(e) && !next.state.mayHaveLeft()) {
                    if (next.state == QueueEntry.State.AVAILABLE) {
                        queue.consumers().lookAgain(next);
                    }
                    return;
                }
            }
        }
    }

    /** A message is gone. If the next of its unit can be delivered now, a dispatch follows. */
    void gone(QueueEntry e) {
        Set<QueueEntry> all = units.isEmpty() ? null : of(e);
        if (all == null || !all.remove(e)) {
            return;
        }
        if (all.isEmpty()) {
            String own = e.message.unit();
            units.remove(own == null ? DEFAULT : own);
            return;
        }
        QueueEntry next = all.iterator().next();
        if (next.state == QueueEntry.State.AVAILABLE) {
            queue.consumers().lookAgain(next);
            queue.loop.post(queue::dispatch);
        }
    }
}
