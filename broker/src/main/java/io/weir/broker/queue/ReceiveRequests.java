package io.weir.broker.queue;

/**
 * The RECEIVEs of a queue's synchronous consumers: answered with what is there, with what comes within their time, or
 * with nothing when it is over; the loop's timers alone measure it. Confined to the queue's loop.
 */
final class ReceiveRequests {
    /** Milliseconds that a RECEIVE waits at most: some years, which the loop's timers can count. */
    private static final long LONGEST_WAIT = 1L << 38;

    private final MessageQueue queue;
    private final ConsumerDispatch dispatch;
    private int open;

    ReceiveRequests(MessageQueue queue, ConsumerDispatch dispatch) {
        this.queue = queue;
        this.dispatch = dispatch;
    }

    /**
     * A consumer asks.
     *
     * @param timeoutMillis -1 for ever, 0 for what is there now
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
     * Nothing is in flight, and it has something or was matched against all that waits. While its client does
     * not read, for what it was sent before, it cannot be asked; it is when the client reads, or the connection stops.
     */
    private boolean isAnswerable(QueueConsumer c, ReceiveRequest r) {
        return !dispatch.marking().owes(c) && (r.count() > 0 || !dispatch.isLooking(r));
    }

    /** Ends the consumer's RECEIVE with this number, if that is what it waits for. */
    void cancel(QueueConsumer c, int request) {
        ReceiveRequest r = c.receive;
        if (r != null && r.request() == request) {
            end(c);
        }
    }

    /** Answers what the consumer waits for, if anything, with what it got. */
    void end(QueueConsumer c) {
        ReceiveRequest r = c.receive;
        if (r != null) {
            c.receive = null;
            open--;
            r.stopTimer();
            c.session.receiveDone(r.request(), r.count());
        }
    }

    /** Answers all that got something and have nothing in flight. After a dispatch. */
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
