package io.weir.cluster.lease;

import java.time.Duration;

/**
 * What a leader goes by when it measures time-outs. Immutable.
 *
 * @param take how long a member may take to acquire the lease of what is placed on it
 * @param bootDelay how long placement waits for members after the whole cluster started
 * @param members how many members are configured: the boot delay is over when so many are alive
 * @param rows expiry is reported by the store of leases (a database; none in a cluster of one), not by the leader
 */
public record LeaderSettings(LeaseTimes times, Duration take, Duration bootDelay, int members, boolean rows) {
    /** A member alone, with its {@link OwnLeases}: nothing waits for anybody. */
    public static LeaderSettings alone(LeaseTimes times, Duration take) {
        return new LeaderSettings(times, take, Duration.ZERO, 1, true);
    }
}
