package io.weir.cluster.lease;

import io.weir.base.Clock;
import io.weir.base.Fence;

/**
 * A lease that this member holds, for as long as it does. Written on the member's loop; read by any thread, which asks
 * {@link #valid()} before each unit of work it does on the lease's behalf.
 */
public final class Held {
    private final Grant grant;
    private final Clock clock;
    private final LeaseSafety rules;
    private volatile long deadline;
    private volatile boolean ended;

    Held(Grant grant, Clock clock, LeaseSafety rules, long deadline) {
        this.grant = grant;
        this.clock = clock;
        this.rules = rules;
        this.deadline = deadline;
    }

    public Grant grant() {
        return grant;
    }

    public String lease() {
        return grant.lease();
    }

    public Fence fence() {
        return grant.fence();
    }

    /** Whether it is surely still ours at this moment: not released, not cut off, and its time has not passed. */
    public boolean valid() {
        return !ended && (remaining() > 0 || !rules.stopsAtDeadline());
    }

    /** Nanoseconds until it is over unless renewed; 0 or less when it is, or was released. */
    public long remaining() {
        long left = deadline - clock.nanos();
        return ended ? Math.min(0, left) : left;
    }

    /**
     * Nanoseconds of the member's clock at which it is over unless renewed: counted from the last renewal that was
     * confirmed.
     */
    public long deadline() {
        return deadline;
    }

    void extend(long to) {
        if (to - deadline > 0) {
            deadline = to;
        }
    }

    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    @Override
    public String toString() {
        return grant.toString();
    }
}
