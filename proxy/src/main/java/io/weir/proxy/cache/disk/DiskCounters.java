package io.weir.proxy.cache.disk;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.proxy.cache.config.DiskStats;
import java.util.List;

/** The disk tier's counters, resolved once. Shared. */
public final class DiskCounters {
    final Counter hits;
    final Counter misses;
    final Counter missing;
    final Counter written;
    final Counter bytesWritten;
    final Counter bytesRead;
    final Counter readsOfMuxers;
    final Counter readsOfThreads;
    final Counter timeouts;
    final Counter evicted;
    final Counter carried;
    final Counter reclaimed;
    final Counter dropped;
    final Counter tails;
    final Counter readErrors;
    final Counter writeErrors;
    final Counter corrupt;
    private final Stats stats;

    /** Shown from now on, with or without a tier: what watches them finds them. */
    public DiskCounters(Stats stats) {
        this.stats = stats;
        hits = stats.counter(DiskStats.HITS);
        misses = stats.counter(DiskStats.MISSES);
        missing = stats.counter(DiskStats.MISSING);
        written = stats.counter(DiskStats.WRITTEN);
        bytesWritten = stats.counter(DiskStats.BYTES_WRITTEN);
        bytesRead = stats.counter(DiskStats.BYTES_READ);
        readsOfMuxers = stats.counter(DiskStats.READS, "muxer");
        readsOfThreads = stats.counter(DiskStats.READS, "thread");
        timeouts = stats.counter(DiskStats.TIMEOUTS);
        evicted = stats.counter(DiskStats.EVICTIONS);
        carried = stats.counter(DiskStats.CARRIED);
        reclaimed = stats.counter(DiskStats.RECLAIMED);
        dropped = stats.counter(DiskStats.DROPPED);
        tails = stats.counter(DiskStats.TAILS);
        readErrors = stats.counter(DiskStats.ERRORS, "read");
        writeErrors = stats.counter(DiskStats.ERRORS, "write");
        corrupt = stats.counter(DiskStats.ERRORS, "checksum");
        // so that all reasons are shown from the start
        List.of("busy", "failing", "size", "reads", "memory")
                .forEach(reason -> stats.counter(DiskStats.REFUSALS, reason));
    }

    /** An answer that was not written or not read; the reasons are few. */
    void refused(String reason) {
        stats.counter(DiskStats.REFUSALS, reason).inc();
    }
}
