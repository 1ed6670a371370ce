package io.weir.cluster.lease;

import io.weir.base.Clock;
import io.weir.base.Fence;

/**
 * A lease held by this member, until it ends. Written on the member's loop; read by any thread, which must check
 * {@link #valid()} before each unit of work on behalf of the lease.
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

    /** Whether this member certainly still holds it: not released, not lost, and not expired. */
    public boolean valid() {
        return !ended && (remaining() > 0 || !rules.stopsAtDeadline());
    }

    /** Nanoseconds until it ends unless renewed; 0 or less if it has ended or was released. */
    public long remaining() {
        long left = deadline - clock.nanos();
        return ended ? Math.min(0, left) : left;
    }

    /**
     * Time on the member's monotonic clock, in nanoseconds, at which it ends unless renewed: derived from the last
     * confirmed renewal.
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
