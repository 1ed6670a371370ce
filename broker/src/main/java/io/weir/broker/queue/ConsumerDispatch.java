package io.weir.broker.queue;

import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.RefusalCode;

/**
 * Delivers a queue's available entries to its consumers in turn, as long as there are an entry and a consumer with room
 * for it. Confined to the queue's loop.
 */
final class ConsumerDispatch {
    private final MessageQueue queue;
    private final ConsumerRing consumers = new ConsumerRing();
    private final EntryChooser choice;
    private final DeliveryMarking marking;
    private final ReceiveRequests receiving;
    /** A pass is running; it also serves nested requests for a dispatch. */
    private boolean dispatching;
    /** The last pass ended before all entries were offered to all consumers; the next one is posted. */
    private boolean looking;
    /** A dispatch was requested while a batch was being marked, and is deferred until that ends. */
    private boolean deferred;

    ConsumerDispatch(MessageQueue queue) {
        this.queue = queue;
        this.choice = new EntryChooser(queue, consumers);
        this.marking = new DeliveryMarking(queue, this);
        this.receiving = new ReceiveRequests(queue, this);
    }

    ConsumerRing consumers() {
        return consumers;
    }

    /** The pending RECEIVEs of synchronous consumers. */
    ReceiveRequests receiving() {
        return receiving;
    }

    DeliveryMarking marking() {
        return marking;
    }

    /** Runs one pass: delivers the messages that can be delivered. */
    void run() {
        if (dispatching) {
            return;
        }
        deferred = marking.isBusy();
        if (deferred) {
            return;
        }
        AvailableList available = queue.available();
        if (queue.isClosed() || available.isEmpty() || consumers.isEmpty() || queue.context.consumptionPaused()) {
            looked();
            return;
        }
        dispatching = true;
        choice.begin();
        try {
            int inVain = 0;
            while (inVain < consumers.size() && !available.isEmpty() && !choice.isOver()) {
                inVain = serve(consumers.next()) ? 0 : inVain + 1;
            }
        } finally {
            dispatching = false;
        }
        marking.submit();
        if (choice.isOver()) {
            looking = true;
            queue.loop.post(this::run);
            receiving.answer();
        } else {
            looked();
        }
    }

    /** The scan is complete: RECEIVEs that found no message can be answered. */
    private void looked() {
        looking = false;
        receiving.answer();
    }

    /** Whether there are messages that were not yet matched against this RECEIVE's consumer. */
    boolean isLooking(ReceiveRequest r) {
        return looking || ((deferred || r.isPassedOver()) && !queue.available().isEmpty());
    }

    private boolean serve(QueueConsumer c) {
        if (!c.offered()) {
            return false;
        }
        QueueEntry e = choice.next(c);
        if (e == null) {
            return false;
        }
        if (!c.take(e)) {
            // the session's other consumers used up the window: the session wakes this queue when there is room again
            c.markStarved();
            return c.isOpen();
        }
        queue.take(e);
        // not at the delivery: while it is being marked, the next of its group would go to another consumer
        choice.given(e, c);
        if (marking.needs(e)) {
            marking.add(e, c);
        } else {
            hand(e, c);
        }
        return true;
    }

    /** Delivers an entry that was taken to its consumer. */
    void hand(QueueEntry e, QueueConsumer c) {
        e.state = QueueEntry.State.DELIVERED;
        e.consumer = c;
        queue.delivered().add(e);
        c.progressed = true;
        queue.context.counts.delivered.inc();
        c.session.deliver(e, c);
    }

    void attach(QueueConsumer c) {
        if (c.closed) {
            return;
        }
        c.lastProgress = queue.loop.clock().nanos();
        consumers.add(c);
        if (choice.rebalance()) {
            consumers.resetPositions();
        }
        queue.context.counts.consumers.incrementAndGet();
        run();
    }

    /** A message is at a consumer of an earlier run. */
    void held(QueueEntry e) {
        choice.held(e);
    }

    /** A consumer has settled a message, or it is back. */
    void settled(QueueEntry e) {
        if (choice.settled(e)) {
            consumers.resetPositions();
            queue.loop.post(this::run);
        }
    }

    void detach(QueueConsumer c) {
        if (c.closed) {
            return;
        }
        c.closed = true;
        receiving.end(c);
        if (consumers.remove(c)) {
            queue.context.counts.consumers.decrementAndGet();
        }
        if (choice.forget(c)) {
            consumers.resetPositions();
        }
        run();
    }

    /** Closes all consumers, because the destination is deleted. */
    void evict() {
        RequestRefusal why = new RequestRefusal(
                RefusalCode.DESTINATION_DELETED, queue.context.name + " was deleted: create a consumer elsewhere");
        // messages released by a closed consumer must not go to those that are closed next
        dispatching = true;
        for (int i = consumers.size() - 1; i >= 0; i--) {
            QueueConsumer c = consumers.get(i);
            detach(c);
            c.session.evicted(c, why);
        }
        dispatching = false;
    }
}
