package io.weir.cluster.log;

import io.weir.base.Clock;

/**
 * Since when nothing that was asked was answered, whatever the answer. Shared; its lock is held briefly. Lives as long as who
 * asks.
 */
public final class Heard {
    private final Clock clock;
    private long asked;
    private boolean ever;

    public Heard(Clock clock) {
        this.clock = clock;
        this.asked = clock.nanos();
    }

    /** What was asked then was answered; what was asked later may have been before. */
    public synchronized void answered(long askedThen) {
        if (!ever || askedThen - asked > 0) {
            asked = askedThen;
        }
        ever = true;
    }

    /** Nanoseconds since that was asked which was answered, the latest of it; since the beginning where nothing ever was. */
    public synchronized long silence() {
        return clock.nanos() - asked;
    }

    /** Whether anything was answered yet. */
    public synchronized boolean ever() {
        return ever;
    }
}
