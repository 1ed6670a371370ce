package io.weir.proxy.cache.disk;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.proxy.cache.config.DiskStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The disk tier's counters, resolved once. Shared. */
public final class DiskCounters {
    final Tally hits;
    /** Hits of the cache; null in the counters of the whole tier. */
    final @Nullable Counter answered;

    final Counter misses;
    final Counter missing;
    final Counter written;
    final Counter bytesWritten;
    final Counter bytesRead;
    final Counter readsOfMuxers;
    final Counter readsOfThreads;
    final Counter streamed;
    final Counter continued;
    final Counter cut;
    final Counter bodiesDropped;
    final Counter whole;
    final Counter broken;
    final Counter aborted;
    final Counter sendfileBytes;
    final Counter timeouts;
    final Counter evicted;
    final Counter carried;
    final Counter reclaimed;
    final Counter dropped;
    final Counter tails;
    final Tally readErrors;
    final Tally writeErrors;
    final Tally corrupt;
    private final Stats stats;

    /** A counter of the whole tier, and that of the partition. */
    record Tally(Counter sum, @Nullable Counter own) {
        void inc() {
            sum.inc();
            if (own != null) {
                own.inc();
            }
        }
    }

    /** Shown from now on, with or without a tier: what watches them finds them. */
    public DiskCounters(Stats stats) {
        this(stats, null);
    }

    /** Those of a partition: they count for the whole tier, too. */
    DiskCounters of(String partition) {
        return new DiskCounters(stats, partition);
    }

    private DiskCounters(Stats stats, @Nullable String partition) {
        this.stats = stats;
        hits = new Tally(
                stats.counter(DiskStats.HITS),
                partition == null ? null : stats.counter(DiskStats.PARTITION_HITS, partition));
        answered = partition == null ? null : stats.counter(DiskStats.PARTITION_ANSWERED, partition);
        misses = stats.counter(DiskStats.MISSES);
        missing = stats.counter(DiskStats.MISSING);
        written = stats.counter(DiskStats.WRITTEN);
        bytesWritten = stats.counter(DiskStats.BYTES_WRITTEN);
        bytesRead = stats.counter(DiskStats.BYTES_READ);
        readsOfMuxers = stats.counter(DiskStats.READS, "muxer");
        readsOfThreads = stats.counter(DiskStats.READS, "thread");
        streamed = stats.counter(DiskStats.STREAMED);
        continued = stats.counter(DiskStats.CONTINUED);
        cut = stats.counter(DiskStats.CUT);
        bodiesDropped = stats.counter(DiskStats.BODIES_DROPPED);
        whole = stats.counter(DiskStats.ARRIVED, "whole");
        broken = stats.counter(DiskStats.ARRIVED, "failed");
        aborted = stats.counter(DiskStats.ARRIVED, "aborted");
        sendfileBytes = stats.counter(DiskStats.SENDFILE_BYTES);
        timeouts = stats.counter(DiskStats.TIMEOUTS);
        evicted = stats.counter(DiskStats.EVICTIONS);
        carried = stats.counter(DiskStats.CARRIED);
        reclaimed = stats.counter(DiskStats.RECLAIMED);
        dropped = stats.counter(DiskStats.DROPPED);
        tails = stats.counter(DiskStats.TAILS);
        readErrors = errors(partition, "read");
        writeErrors = errors(partition, "write");
        corrupt = errors(partition, "checksum");
        // so that all reasons are shown from the start
        List.of("size", "file-system", "schedule", "command")
                .forEach(reason -> stats.counter(DiskStats.COLLECTIONS, reason));
        List.of("busy", "failing", "size", "reads", "memory", "unreadable", "slow", "room")
                .forEach(reason -> stats.counter(DiskStats.REFUSALS, reason));
    }

    void collected(String reason) {
        stats.counter(DiskStats.COLLECTIONS, reason).inc();
    }

    private Tally errors(@Nullable String partition, String kind) {
        return new Tally(
                stats.counter(DiskStats.ERRORS, kind),
                partition == null ? null : stats.counter(DiskStats.PARTITION_ERRORS, partition, kind));
    }

    /** An answer that was not written or not read; the reasons are few. */
    void refused(String reason) {
        stats.counter(DiskStats.REFUSALS, reason).inc();
    }
}
