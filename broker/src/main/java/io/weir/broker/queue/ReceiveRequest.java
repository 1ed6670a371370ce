package io.weir.broker.queue;

import io.weir.broker.loop.BrokerLoop;
import org.jspecify.annotations.Nullable;

/** One RECEIVE of a synchronous consumer: its limits and what it got so far. Confined to the queue's loop. */
public final class ReceiveRequest {
    private final int request;
    private final int maxMessages;
    private final long maxBytes;
    private int count;
    private long bytes;
    private BrokerLoop.@Nullable Timer timer;
    private boolean overdue;
    private boolean passedOver;

    public ReceiveRequest(int request, int maxMessages, long maxBytes) {
        this.request = request;
        this.maxMessages = Math.max(1, maxMessages);
        this.maxBytes = maxBytes;
    }

    int request() {
        return request;
    }

    int count() {
        return count;
    }

    boolean wantsMore() {
        return count == 0 || (count < maxMessages && bytes < maxBytes);
    }

    void taken(int size) {
        count++;
        bytes += size;
    }

    void givenBack(int size) {
        if (count > 0) {
            count--;
            bytes -= size;
        }
    }

    /** Marks it as timed out: it ends as soon as nothing is in flight to it. */
    void overdue() {
        overdue = true;
    }

    /** Sets whether a message that may match was passed over because its client is not reading: it is offered again. */
    void passedOver(boolean yes) {
        passedOver = yes;
    }

    boolean isPassedOver() {
        return passedOver;
    }

    /** Whether it can be answered as soon as nothing is in flight. */
    boolean ends() {
        return count > 0 || overdue;
    }

    void timer(BrokerLoop.Timer t) {
        timer = t;
    }

    void stopTimer() {
        BrokerLoop.Timer t = timer;
        if (t != null) {
            timer = null;
            t.cancel();
        }
    }
}
