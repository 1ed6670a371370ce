package io.weir.cluster.log;

import io.weir.base.Clock;

/**
 * Tracks the time since the latest request that was answered, whatever the answer. Shared; its lock is held briefly.
 * Lives as long as the requester.
 */
public final class AnswerTracker {
    private final Clock clock;
    private long answeredSent;
    private boolean ever;

    public AnswerTracker(Clock clock) {
        this.clock = clock;
        this.answeredSent = clock.nanos();
    }

    /** Records the answer to a request sent at that time; answers may arrive out of order. */
    public synchronized void answered(long sent) {
        if (!ever || sent - answeredSent > 0) {
            answeredSent = sent;
        }
        ever = true;
    }

    /** Nanoseconds since the latest answered request was sent; since creation if none was answered. */
    public synchronized long silence() {
        return clock.nanos() - answeredSent;
    }

    /** Whether any request was answered yet. */
    public synchronized boolean ever() {
        return ever;
    }
}
