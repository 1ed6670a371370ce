package io.weir.cluster.ratis;

import io.weir.cluster.config.ConsensusLogConfig;
import io.weir.cluster.config.LeaseConfig;
import java.time.Duration;

/**
 * The log's times and bounds. Immutable.
 *
 * @param election how long without a sign of the leader until another is elected; each member waits up to twice as long
 * @param longest the most that it waits while its machine is busy; twice {@code election} where that follows nothing
 * @param submit until a command's outcome counts as unknown
 * @param outstanding commands that may wait to be committed
 * @param snapshotEvery entries from a snapshot to the next
 * @param segment bytes of a file of the log; whole files are dropped after a snapshot
 * @param sync whether each entry waits for the disk
 */
public record RatisTimes(
        Duration election,
        Duration longest,
        Duration submit,
        int outstanding,
        long snapshotEvery,
        long segment,
        boolean sync) {
    private static final long MOST_SEGMENT = 4L << 20;
    private static final long LEAST_SEGMENT = 8L << 10;
    private static final long BYTES_AN_ENTRY = 256;

    private static final int MOST_TIMES = 8;
    private static final int PART_OF_A_LEASE = 3;

    public RatisTimes {
        if (longest.compareTo(election.multipliedBy(2)) < 0) {
            longest = election.multipliedBy(2);
        }
    }

    /** Whether the time-out of elections follows how busy the machine is. */
    boolean follows() {
        return longest.compareTo(election.multipliedBy(2)) > 0;
    }

    /** As configured. */
    public static RatisTimes of(ConsensusLogConfig config, LeaseConfig lease) {
        return new RatisTimes(
                config.electionTimeOut(),
                config.longestElectionTimeOut().isZero()
                        ? longest(config.electionTimeOut(), lease.timeToLive())
                        : config.longestElectionTimeOut(),
                config.submitTimeOut(),
                config.maxOutstanding(),
                config.snapshotEvery(),
                // A snapshot should find whole files to drop.
                Math.clamp(config.snapshotEvery() * BYTES_AN_ENTRY, LEAST_SEGMENT, MOST_SEGMENT),
                config.sync());
    }

    /** A lease is renewed each third of its life, and an election must fit between two renewals. */
    private static Duration longest(Duration election, Duration lease) {
        Duration most = election.multipliedBy(MOST_TIMES);
        Duration part = lease.dividedBy(PART_OF_A_LEASE);
        return part.compareTo(most) < 0 ? part : most;
    }
}
