package io.weir.broker.queue;

import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.RefusalCode;

/**
 * Gives a queue's available entries to its consumers, in turn, as long as an entry and a consumer with room for it are
 * there. Confined to the queue's loop.
 */
final class ConsumerDispatch {
    private final MessageQueue queue;
    private final ConsumerRing consumers = new ConsumerRing();
    private final EntryChooser choice;
    private final DeliveryMarking marking;
    private final ReceiveRequests receiving;
    /** It runs: requests for a dispatch meanwhile are served by the running pass. */
    private boolean dispatching;
    /** The last pass ended before everybody was asked for everything; the next one is posted. */
    private boolean looking;
    /** A dispatch was asked for while a batch was marked, and waits for its end. */
    private boolean putOff;

    ConsumerDispatch(MessageQueue queue) {
        this.queue = queue;
        this.choice = new EntryChooser(queue, consumers);
        this.marking = new DeliveryMarking(queue, this);
        this.receiving = new ReceiveRequests(queue, this);
    }

    ConsumerRing consumers() {
        return consumers;
    }

    /** What synchronous consumers ask for. */
    ReceiveRequests receiving() {
        return receiving;
    }

    DeliveryMarking marking() {
        return marking;
    }

    /** One pass: delivers what can be delivered. */
    void run() {
        if (dispatching) {
            return;
        }
        putOff = marking.isBusy();
        if (putOff) {
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

    /** The scan is complete: consumers without a message now get none. */
    private void looked() {
        looking = false;
        receiving.answer();
    }

    /** Whether messages are left that were not yet matched against this RECEIVE's consumer. */
    boolean isLooking(ReceiveRequest r) {
        return looking || ((putOff || r.isPassedOver()) && !queue.available().isEmpty());
    }

    private boolean serve(QueueConsumer c) {
        if (!c.asked()) {
            return false;
        }
        QueueEntry e = choice.next(c);
        if (e == null) {
            return false;
        }
        if (!c.take(e)) {
            // the session's other consumers took the room: when there is some again, it wakes this queue
            c.starve();
            return c.isOpen();
        }
        queue.take(e);
        // not when it is handed over: while it is marked, the next of its group would go to another
        choice.given(e, c);
        if (marking.needs(e)) {
            marking.add(e, c);
        } else {
            hand(e, c);
        }
        return true;
    }

    /** Hands an entry that was taken to its consumer. */
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
        queue.context.counts.consumers.incrementAndGet();
        run();
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
            consumers.lookAgain();
        }
        run();
    }

    /** Closes all consumers: the destination is deleted. */
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
