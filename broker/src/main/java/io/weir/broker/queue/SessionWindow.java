package io.weir.broker.queue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A session's pipeline (WebLogic's MessagesMaximum): messages and bytes that were sent to its asynchronous consumers
 * and not yet passed to the application. One message always fits, whatever its size. Shared by the session's loop,
 * which returns credits, and the loops of the destinations, which take them.
 */
public final class SessionWindow {
    /** The value for no limit. */
    static final int UNLIMITED = -1;

    private final int maxMessages;
    private final long maxBytes;
    private final AtomicInteger messages = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    public SessionWindow(int maxMessages, int maxBytes) {
        this.maxMessages = maxMessages == UNLIMITED ? Integer.MAX_VALUE : Math.max(1, maxMessages);
        this.maxBytes = maxBytes == UNLIMITED ? Long.MAX_VALUE : Math.max(1, maxBytes);
    }

    public boolean isOpen() {
        return messages.get() < maxMessages && bytes.get() < maxBytes;
    }

    /** Reserves room for a message; returns false if there is none. */
    public boolean take(int size) {
        if (bytes.get() >= maxBytes) {
            return false;
        }
        int now;
        do {
            now = messages.get();
            if (now >= maxMessages) {
                return false;
            }
        } while (!messages.compareAndSet(now, now + 1));
        bytes.addAndGet(size);
        return true;
    }

    /**
     * Returns the credits of messages that were passed to the application, at most those outstanding. On the session's
     * loop.
     */
    public void credit(int count, long size) {
        int m = messages.get();
        messages.addAndGet(-Math.min(m, count));
        long b = bytes.get();
        bytes.addAndGet(-Math.min(b, size));
    }

    /** Messages outstanding: the pipeline at the client. */
    public int outstanding() {
        return messages.get();
    }

    public int maxMessages() {
        return maxMessages;
    }
}
