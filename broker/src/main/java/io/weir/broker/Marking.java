package io.weir.broker;

import java.util.ArrayList;
import java.util.List;

/**
 * Persistent messages that waited in a queue are marked in the store as delivered before they leave, so that after a crash
 * all that may have been delivered are flagged redelivered, and only those. One batch at a time: the next gathers while the
 * store works. Confined to the queue's loop.
 */
final class Marking {
    private final MessageQueue queue;
    private List<Entry> gathering = new ArrayList<>();
    private List<Entry> submitted = List.of();
    /** Delivered although the store could not say so. */
    private final List<Entry> unmarked = new ArrayList<>();

    private boolean retrying;

    Marking(MessageQueue queue) {
        this.queue = queue;
    }

    /** Whether a batch is on its way: nothing overtakes it. */
    boolean isBusy() {
        return !submitted.isEmpty();
    }

    /** Whether an entry may not leave before it is marked, or before another that may not. */
    boolean needs(Entry e) {
        return e.message.persistent()
                && (!gathering.isEmpty() || queue.destination.engine.store().needsMark(e));
    }

    void add(Entry e, Consumer c) {
        e.state = Entry.State.MARKING;
        e.consumer = c;
        e.due = c.session.generation();
        gathering.add(e);
    }

    /** Whether a consumer has entries that are being marked. */
    boolean owes(Consumer c) {
        for (Entry e : submitted) {
            if (e.consumer == c) {
                return true;
            }
        }
        return false;
    }

    /** Hands over what was gathered in one pass. */
    void submit() {
        if (!gathering.isEmpty()) {
            submitted = gathering;
            gathering = new ArrayList<>();
            queue.destination.engine.store().mark(queue, submitted, () -> queue.loop.run(this::marked));
        }
    }

    private void marked() {
        List<Entry> batch = submitted;
        submitted = List.of();
        for (Entry e : batch) {
            if (e.state == Entry.State.MARKING) {
                leave(e);
            }
        }
        queue.marked();
    }

    /** Has the store mark what left unmarked, while the disk refused, and is still at consumers. Now and then. */
    void retry() {
        if (unmarked.isEmpty() || retrying) {
            return;
        }
        Keeper store = queue.destination.engine.store();
        unmarked.removeIf(e -> e.state != Entry.State.DELIVERED || !store.needsMark(e));
        if (!unmarked.isEmpty()) {
            retrying = true;
            store.markLate(queue, List.copyOf(unmarked), () -> retrying = false);
        }
    }

    private void leave(Entry e) {
        Consumer c = e.consumer;
        if (queue.isClosed() || e.isRefused()) {
            if (c != null) {
                c.giveBack(e);
            }
            queue.drop(e);
        } else if (c == null || c.closed || !c.session.flowing() || e.due != c.session.generation()) {
            if (c != null) {
                c.giveBack(e);
            }
            queue.reinsert(e);
        } else {
            if (queue.destination.engine.store().needsMark(e)) {
                unmarked.add(e);
            }
            queue.hand(e, c);
        }
    }
}
