package io.weir.cluster.log;

import io.weir.base.Counter;
import io.weir.base.Histogram;
import io.weir.base.Stats;
import io.weir.cluster.stats.ClusterStats;
import io.weir.journal.settings.JournalFault;
import org.jspecify.annotations.Nullable;

/** The counters of a {@link LocalLog}, resolved once. Shared. */
record LocalCounts(
        Counter committed, Counter notCommitted, Counter unknown, Counter busy, Counter snapshots, Histogram time) {
    static LocalCounts of(Stats stats) {
        return new LocalCounts(
                stats.counter(ClusterStats.SUBMITTED, "committed"),
                stats.counter(ClusterStats.SUBMITTED, "not-committed"),
                stats.counter(ClusterStats.SUBMITTED, "unknown"),
                stats.counter(ClusterStats.SUBMITTED, "busy"),
                stats.counter(ClusterStats.SNAPSHOTS, "taken"),
                stats.histogram(ClusterStats.SUBMIT_TIME));
    }

    /** Counts the result of writing a command. */
    void written(@Nullable JournalFault fault, long nanos) {
        if (fault == null) {
            committed.inc();
            time.record(nanos);
        } else if (fault.reason() == JournalFault.Reason.IO_ERROR || fault.reason() == JournalFault.Reason.DIED) {
            unknown.inc();
        } else {
            notCommitted.inc();
        }
    }
}
