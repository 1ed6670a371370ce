package io.weir.broker;

/**
 * The RECEIVEs of a queue's synchronous consumers: answered with what is there, with what comes within their time, or with
 * nothing when it is over; the loop's timers alone measure it. Confined to the queue's loop.
 */
final class Receiving {
    /** Milliseconds that a RECEIVE waits at most: some years, which the loop's timers can count. */
    private static final long LONGEST_WAIT = 1L << 38;

    private final MessageQueue queue;
    private int open;

    Receiving(MessageQueue queue) {
        this.queue = queue;
    }

    /**
     * A consumer asks.
     *
     * @param timeoutMillis -1 for ever, 0 for what is there now
     */
    void begin(Consumer c, Receive r, long timeoutMillis) {
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
        queue.dispatch();
        if (c.receive == r && timeoutMillis == 0) {
            timedOut(c, r);
        } else if (c.receive == r && timeoutMillis > 0) {
            long nanos = Math.min(timeoutMillis, LONGEST_WAIT) * 1_000_000;
            r.timer(queue.loop.after(nanos, () -> {
                queue.destination.engine.meters().receiveTimeouts.inc();
                timedOut(c, r);
            }));
        }
    }

    private void timedOut(Consumer c, Receive r) {
        r.overdue();
        if (c.receive == r && isAnswerable(c, r)) {
            end(c);
        }
    }

    /**
     * Nothing is on its way, and it has something or was asked whether something that is there is its own. While its client does
     * not read, for what it was sent before, it cannot be asked; it is when the client reads, or the connection stops.
     */
    private boolean isAnswerable(Consumer c, Receive r) {
        return !queue.marking().owes(c) && (r.count() > 0 || !queue.isLooking(r));
    }

    /** Ends the consumer's RECEIVE with this number, if that is what it waits for. */
    void cancel(Consumer c, int request) {
        Receive r = c.receive;
        if (r != null && r.request() == request) {
            end(c);
        }
    }

    /** Answers what the consumer waits for, if anything, with what it got. */
    void end(Consumer c) {
        Receive r = c.receive;
        if (r != null) {
            c.receive = null;
            open--;
            r.stopTimer();
            c.session.receiveDone(r.request(), r.count());
        }
    }

    /** Answers all that got something and have nothing on its way. After a dispatch. */
    void answer() {
        ConsumerRing consumers = queue.consumers();
        for (int i = 0; i < consumers.size() && open > 0; i++) {
            Consumer c = consumers.get(i);
            Receive r = c.receive;
            if (r != null && r.ends() && isAnswerable(c, r)) {
                end(c);
            }
        }
    }
}
