package io.weir.cluster.ratis;

import io.weir.cluster.config.LogConfig;
import java.time.Duration;

/**
 * The log's times and bounds. Immutable.
 *
 * @param election how long without a sign of the leader until another is elected; each member waits up to twice as long
 * @param submit until a command's outcome counts as unknown
 * @param outstanding commands that may wait to be committed
 * @param snapshotEvery entries from a snapshot to the next
 * @param segment bytes of a file of the log; whole files are dropped after a snapshot
 * @param sync whether each entry waits for the disk
 */
public record RatisTimes(
        Duration election, Duration submit, int outstanding, long snapshotEvery, long segment, boolean sync) {
    private static final long MOST_SEGMENT = 4L << 20;
    private static final long LEAST_SEGMENT = 8L << 10;
    private static final long BYTES_AN_ENTRY = 256;

    /** As configured. */
    public static RatisTimes of(LogConfig config) {
        return new RatisTimes(
                config.electionTimeOut(),
                config.submitTimeOut(),
                config.maxOutstanding(),
                config.snapshotEvery(),
                // A snapshot should find whole files to drop.
                Math.clamp(config.snapshotEvery() * BYTES_AN_ENTRY, LEAST_SEGMENT, MOST_SEGMENT),
                config.sync());
    }
}
