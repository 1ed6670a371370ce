package io.weir.broker.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * Marks persistent messages that waited in a queue as delivered in the store before they are sent, so that after a
 * crash exactly those that may have been delivered are flagged redelivered. One batch at a time: the next one gathers
 * while the store writes. Confined to the queue's loop.
 */
public final class DeliveryMarking {
    private final MessageQueue queue;
    private final ConsumerDispatch dispatch;
    private final EntryStore store;
    private List<QueueEntry> gathering = new ArrayList<>();
    private List<QueueEntry> submitted = List.of();
    /** Delivered although the store could not write the mark. */
    private final List<QueueEntry> unmarked = new ArrayList<>();

    private boolean retrying;

    DeliveryMarking(MessageQueue queue, ConsumerDispatch dispatch) {
        this.queue = queue;
        this.dispatch = dispatch;
        this.store = queue.context.store();
    }

    /** Whether a batch is in flight, which nothing may overtake. */
    boolean isBusy() {
        return !submitted.isEmpty();
    }

    /** Whether an entry must be marked before it is sent, or must wait for an earlier one that is being marked. */
    boolean needs(QueueEntry e) {
        return e.message.persistent() && (!gathering.isEmpty() || store.needsMark(e));
    }

    void add(QueueEntry e, QueueConsumer c) {
        e.state = QueueEntry.State.MARKING;
        e.consumer = c;
        e.generation = c.session.generation();
        gathering.add(e);
    }

    /** Whether entries for a consumer are being marked. */
    boolean owes(QueueConsumer c) {
        for (QueueEntry e : submitted) {
            if (e.consumer == c) {
                return true;
            }
        }
        return false;
    }

    /** Submits the batch gathered in one pass to the store. */
    void submit() {
        if (!gathering.isEmpty()) {
            submitted = gathering;
            gathering = new ArrayList<>();
            store.mark(queue.context, submitted, () -> queue.loop.run(this::marked));
        }
    }

    private void marked() {
        List<QueueEntry> batch = submitted;
        submitted = List.of();
        for (QueueEntry e : batch) {
            if (e.state == QueueEntry.State.MARKING) {
                leave(e);
            }
        }
        // before a RECEIVE is answered empty: messages that waited for the mark are delivered first
        dispatch.run();
    }

    /**
     * Marks messages that were sent unmarked because of a disk error and are still at consumers. Called periodically.
     */
    public void retry() {
        if (unmarked.isEmpty() || retrying) {
            return;
        }
        unmarked.removeIf(e -> e.state != QueueEntry.State.DELIVERED || !store.needsMark(e));
        if (!unmarked.isEmpty()) {
            retrying = true;
            store.markLate(queue.context, List.copyOf(unmarked), () -> retrying = false);
        }
    }

    private void leave(QueueEntry e) {
        QueueConsumer c = e.consumer;
        if (queue.isClosed() || e.isRefused()) {
            if (c != null) {
                c.giveBack(e);
            }
            dispatch.settled(e);
            queue.drop(e);
        } else if (c == null || c.closed || !c.session.flowing() || e.generation != c.session.generation()) {
            if (c != null) {
                c.giveBack(e);
            }
            dispatch.settled(e);
            queue.reinsert(e);
        } else {
            if (store.needsMark(e)) {
                unmarked.add(e);
            }
            dispatch.hand(e, c);
        }
    }
}
