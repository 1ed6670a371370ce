package io.weir.broker.queue;

/**
 * The RECEIVEs of a queue's synchronous consumers: answered with available messages, with those that arrive before the
 * timeout, or empty after it; only the loop's timers measure the timeout. Confined to the queue's loop.
 */
final class ReceiveRequests {
    /** Maximum milliseconds that a RECEIVE waits: some years, within the range of the loop's timers. */
    private static final long LONGEST_WAIT = 1L << 38;

    private final MessageQueue queue;
    private final ConsumerDispatch dispatch;
    private int open;

    ReceiveRequests(MessageQueue queue, ConsumerDispatch dispatch) {
        this.queue = queue;
        this.dispatch = dispatch;
    }

    /**
     * Starts a consumer's RECEIVE.
     *
     * @param timeoutMillis -1 to wait forever, 0 for messages available now
     */
    void begin(QueueConsumer c, ReceiveRequest r, long timeoutMillis) {
        if (timeoutMillis == 0) {
            queue.loop.catchUp();
        }
        end(c);
        if (c.closed || queue.isClosed()) {
            c.session.receiveDone(r.request(), 0);
            return;
        }
        c.receive = r;
        open++;
        dispatch.run();
        if (c.receive == r && timeoutMillis == 0) {
            timedOut(c, r);
        } else if (c.receive == r && timeoutMillis > 0) {
            long nanos = Math.min(timeoutMillis, LONGEST_WAIT) * 1_000_000;
            r.timer(queue.loop.after(nanos, () -> {
                queue.context.services.meters().receiveTimeouts.inc();
                timedOut(c, r);
            }));
        }
    }

    private void timedOut(QueueConsumer c, ReceiveRequest r) {
        r.overdue();
        if (c.receive == r && isAnswerable(c, r)) {
            end(c);
        }
    }

    /**
     * Whether nothing is in flight, and it has messages or was matched against all waiting ones. While its client has
     * not read what it was sent before, nothing can be offered to it; that is done when the client reads, or the
     * connection stops.
     */
    private boolean isAnswerable(QueueConsumer c, ReceiveRequest r) {
        return !dispatch.marking().owes(c) && (r.count() > 0 || !dispatch.isLooking(r));
    }

    /** Ends the consumer's RECEIVE with this number, if it is pending. */
    void cancel(QueueConsumer c, int request) {
        ReceiveRequest r = c.receive;
        if (r != null && r.request() == request) {
            end(c);
        }
    }

    /** Answers the consumer's pending RECEIVE, if any, with what it got. */
    void end(QueueConsumer c) {
        ReceiveRequest r = c.receive;
        if (r != null) {
            c.receive = null;
            open--;
            r.stopTimer();
            c.session.receiveDone(r.request(), r.count());
        }
    }

    /** Answers all RECEIVEs that got messages and have nothing in flight. Called after a dispatch. */
    void answer() {
        ConsumerRing consumers = dispatch.consumers();
        for (int i = 0; i < consumers.size() && open > 0; i++) {
            QueueConsumer c = consumers.get(i);
            ReceiveRequest r = c.receive;
            if (r != null && r.ends() && isAnswerable(c, r)) {
                end(c);
            }
        }
    }
}
