package io.weir.broker.queue;

import io.weir.jms.frames.MessageView;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which of a queue's available entries a consumer gets next: by priority and order, its selector, and the
 * groups that others have. What is expired on the way goes. Looks at so many entries in one go, then others have their
 * turn. Confined to the queue's loop.
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

    /** Another go. */
    void begin() {
        looked = 0;
    }

    /** Whether the limit of this scan is reached, although entries may be left that it did not look at. */
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
        if (!wants(e, c)) {
            return false;
        }
        String group = e.message.group();
        MessageGroups g = groups;
        return group == null || g == null || g.allows(group, c, o -> wants(e, o));
    }

    private boolean wants(QueueEntry e, QueueConsumer c) {
        return c.selector == null || c.selector.matches(view.wrap(e.message.block()), e.attempt());
    }

    /** A consumer got a message. */
    void given(QueueEntry e, QueueConsumer c) {
        String group = e.message.group();
        if (group != null) {
            MessageGroups g = groups;
            if (g == null) {
                g = new MessageGroups();
                groups = g;
            }
            g.given(group, c);
        }
    }

    /** The consumer closed; true when others may get what it had. */
    boolean forget(QueueConsumer c) {
        MessageGroups g = groups;
        return g != null && g.forget(c);
    }
}
