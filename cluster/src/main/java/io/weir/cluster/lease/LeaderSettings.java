package io.weir.cluster.lease;

import java.time.Duration;

/**
 * The time-outs measured by a leader. Immutable.
 *
 * @param take time limit for a member to acquire the lease of a singleton placed on it
 * @param bootDelay how long placement waits for members after the whole cluster started
 * @param members number of configured members: the boot delay ends when as many are alive
 * @param rows whether expiry is reported by the lease backend (a database; none in a cluster of one) instead of the
 *     leader
 */
public record LeaderSettings(LeaseTimes times, Duration take, Duration bootDelay, int members, boolean rows) {
    /** For a cluster of one, with its {@link OwnLeases}: no waiting for other members. */
    public static LeaderSettings alone(LeaseTimes times, Duration take) {
        return new LeaderSettings(times, take, Duration.ZERO, 1, true);
    }
}
