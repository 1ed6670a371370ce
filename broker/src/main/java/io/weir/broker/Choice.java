package io.weir.broker;

import io.weir.jms.frames.MessageView;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which of a queue's available entries a consumer gets next: by priority and order, its selector, and the groups that
 * others have. What is expired on the way goes. Looks at so many entries in one go, then others have their turn. Confined to the
 * queue's loop.
 */
final class Choice {
    private final MessageQueue queue;
    private final MessageView view = new MessageView();
    private @Nullable Groups groups;
    private int looked;

    Choice(MessageQueue queue) {
        this.queue = queue;
    }

    /** Another go. */
    void begin() {
        looked = 0;
    }

    /** Whether this go is over although entries may be left that nobody was asked for. */
    boolean isOver() {
        return looked >= MessageQueue.SCAN;
    }

    /** The next entry for a consumer. */
    @Nullable
    Entry next(Consumer c) {
        PendingList available = queue.available();
        for (int rest = available.occupied(); rest != 0; ) {
            int p = 31 - Integer.numberOfLeadingZeros(rest);
            rest &= ~(1 << p);
            Entry e = c.looked.after(p, available);
            while (e != null) {
                Entry behind = e.next;
                if (queue.expiry().isOver(e)) {
                    queue.take(e);
                    queue.expiry().expire(e);
                } else if (suits(e, c)) {
                    return e;
                } else {
                    queue.consumers().passed(c, e);
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

    private boolean suits(Entry e, Consumer c) {
        if (!wants(e, c)) {
            return false;
        }
        String group = e.message.group();
        Groups g = groups;
        return group == null || g == null || g.allows(group, c, o -> wants(e, o));
    }

    private boolean wants(Entry e, Consumer c) {
        return c.selector == null || c.selector.matches(view.wrap(e.message.block()), e.attempt());
    }

    /** A consumer got a message. */
    void given(Entry e, Consumer c) {
        String group = e.message.group();
        if (group != null) {
            Groups g = groups;
            if (g == null) {
                g = new Groups();
                groups = g;
            }
            g.given(group, c);
        }
    }

    /** The consumer closed; true when others may get what it had. */
    boolean forget(Consumer c) {
        Groups g = groups;
        return g != null && g.forget(c);
    }
}
