package io.weir.cluster.ratis;

import io.weir.cluster.config.ConsensusLogConfig;
import io.weir.cluster.config.LeaseConfig;
import java.time.Duration;

/**
 * The log's time-outs and limits. Immutable.
 *
 * @param election election time-out without a heartbeat of the leader; each member waits up to twice as long,
 *     randomized
 * @param longest maximum wait on a busy machine; twice {@code election} if the time-out is not adaptive
 * @param submit time after which a command's outcome is reported as unknown
 * @param outstanding maximum number of commands waiting to be committed
 * @param snapshotEvery number of entries between snapshots
 * @param segment maximum size of a log file in bytes; whole files are deleted after a snapshot
 * @param sync whether each entry is synced to disk
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

    /** Whether the election time-out adapts to scheduling delays. */
    boolean follows() {
        return longest.compareTo(election.multipliedBy(2)) > 0;
    }

    /** From the configuration. */
    public static RatisTimes of(ConsensusLogConfig config, LeaseConfig lease) {
        return new RatisTimes(
                config.electionTimeOut(),
                config.longestElectionTimeOut().isZero()
                        ? longest(config.electionTimeOut(), lease.timeToLive())
                        : config.longestElectionTimeOut(),
                config.submitTimeOut(),
                config.maxOutstanding(),
                config.snapshotEvery(),
                // Small enough that a snapshot covers whole files.
                Math.clamp(config.snapshotEvery() * BYTES_AN_ENTRY, LEAST_SEGMENT, MOST_SEGMENT),
                config.sync());
    }

    /** A lease is renewed every third of its time to live, and an election must fit between two renewals. */
    private static Duration longest(Duration election, Duration lease) {
        Duration most = election.multipliedBy(MOST_TIMES);
        Duration part = lease.dividedBy(PART_OF_A_LEASE);
        return part.compareTo(most) < 0 ? part : most;
    }
}
