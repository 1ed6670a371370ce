package io.weir.broker.queue;

import io.weir.jms.frames.MessageView;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which of a queue's available entries a consumer gets next: by priority and order, its selector, and the
 * message groups of other consumers. Expired entries found on the way are removed. The number of entries examined per
 * pass is bounded, so that other work gets its turn. Confined to the queue's loop.
 */
final class EntryChooser {
    private final MessageQueue queue;
    private final ConsumerRing consumers;
    private final MessageView view = new MessageView();
    private @Nullable MessageGroups groups;
    private int looked;

    EntryChooser(MessageQueue queue, ConsumerRing consumers) {
        this.queue = queue;
        this.consumers = consumers;
    }

    /** Begins a pass. */
    void begin() {
        looked = 0;
    }

    /** Whether the limit of this pass is reached, although there may be entries that it has not examined. */
    boolean isOver() {
        return looked >= MessageQueue.SCAN;
    }

    /** The next entry for a consumer. */
    @Nullable
    QueueEntry next(QueueConsumer c) {
        AvailableList available = queue.available();
        for (int rest = available.occupied(); rest != 0; ) {
            int p = 31 - Integer.numberOfLeadingZeros(rest);
            rest &= ~(1 << p);
            QueueEntry e = c.looked.after(p, available);
            while (e != null) {
                QueueEntry behind = e.next;
                if (queue.expiry().isOver(e)) {
                    queue.take(e);
                    queue.expiry().expire(e);
                } else if (suits(e, c)) {
                    return e;
                } else {
                    consumers.passed(c, e);
                }
                looked++;
                if (isOver()) {
                    return null;
                }
                e = behind;
            }
        }
        return null;
    }

    private boolean suits(QueueEntry e, QueueConsumer c) {
        if (!wants(e, c) || !queue.units().allows(e, c)) {
            return false;
        }
        String group = e.message.group();
        MessageGroups g = groups;
        return group == null || g == null || g.allows(group, c, o -> wants(e, o));
    }

    private boolean wants(QueueEntry e, QueueConsumer c) {
        return c.selector == null || c.selector.matches(view.wrap(e.message.block()), e.attempt());
    }

    /** Records that a consumer got a message. */
    void given(QueueEntry e, QueueConsumer c) {
        queue.units().given(e);
        String group = e.message.group();
        if (group != null) {
            groups().given(group, c);
        }
    }

    /** Records that a message is at a consumer of an earlier run, which a prepared transaction has. */
    void held(QueueEntry e) {
        String group = e.message.group();
        if (group != null) {
            groups().held(group);
        }
    }

    private MessageGroups groups() {
        MessageGroups g = groups;
        if (g == null) {
            g = new MessageGroups();
            groups = g;
        }
        return g;
    }

    /** A consumer has settled a message, or it is back; returns true if consumers can get messages that they passed over. */
    boolean settled(QueueEntry e) {
        String group = e.message.group();
        MessageGroups g = groups;
        return group != null && g != null && g.settled(group);
    }

    /** Another consumer has come; returns true if groups have no owner any more. */
    boolean rebalance() {
        MessageGroups g = groups;
        return g != null && g.rebalance();
    }

    /** Removes a closed consumer; returns true if it owned groups that others can get now. */
    boolean forget(QueueConsumer c) {
        MessageGroups g = groups;
        return g != null && g.forget(c);
    }
}
