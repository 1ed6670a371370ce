package io.weir.journal;

import io.weir.base.Counter;
import io.weir.base.Histogram;
import io.weir.base.Stats;
import io.weir.journal.damage.Damages;
import io.weir.journal.segment.LocationIndex;
import io.weir.journal.segment.Segments;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalStats;

/** The counters of one journal, looked up once. Shared. */
final class JournalCounters {
    private final Stats stats;
    private final String name;
    private final Counter records;
    private final Counter bytes;
    private final Counter padding;
    private final Counter forces;
    private final Counter skipped;
    private final Counter failedWrites;
    private final Counter relocated;
    private final Counter givenBack;
    private final Histogram forceTime;
    private final Histogram commitTime;
    private final Histogram batchSize;
    private final Counter badCompletions;
    final Counter damaged;
    final Counter torn;
    final Counter died;

    JournalCounters(Stats stats, String name) {
        this.stats = stats;
        this.name = name;
        records = stats.counter(JournalStats.RECORDS, name);
        bytes = stats.counter(JournalStats.BYTES, name);
        padding = stats.counter(JournalStats.PADDING, name);
        forces = stats.counter(JournalStats.FORCES, name);
        skipped = stats.counter(JournalStats.SKIPPED, name);
        failedWrites = stats.counter(JournalStats.FAILED_WRITES, name);
        relocated = stats.counter(JournalStats.RELOCATED, name);
        givenBack = stats.counter(JournalStats.GIVEN_BACK, name);
        forceTime = stats.histogram(JournalStats.FORCE_TIME, name);
        commitTime = stats.histogram(JournalStats.COMMIT_TIME, name);
        batchSize = stats.histogram(JournalStats.BATCH, name);
        damaged = stats.counter(JournalStats.DAMAGED, name);
        torn = stats.counter(JournalStats.TORN, name);
        died = stats.counter(JournalStats.DIED, name);
        badCompletions = stats.counter(JournalStats.BAD_COMPLETIONS, name);
        for (JournalFault.Reason reason : JournalFault.Reason.values()) {
            stats.counter(JournalStats.REFUSED, name, reason.name());
        }
    }

    void forced(long nanos) {
        forces.inc();
        forceTime.record(nanos);
    }

    void written(long n, Batch batch) {
        bytes.add(n);
        records.add(batch.recordCount());
        padding.add(batch.padding());
        relocated.add(batch.movedCount());
        if (!batch.groups().isEmpty()) {
            batchSize.record(batch.groups().size());
        }
    }

    void completed(Group g, long now) {
        commitTime.record(now - g.submittedAt);
        JournalFault fault = g.fault;
        if (fault != null) {
            refused(fault);
            return;
        }
        for (Entry e = g.first; e != null; e = e.next) {
            if (e.offset == Entry.NOWHERE) {
                skipped.inc();
            }
        }
    }

    void refused(JournalFault fault) {
        stats.counter(JournalStats.REFUSED, name, fault.reason().name()).inc();
    }

    void writeFailed() {
        failedWrites.inc();
    }

    void badCompletion() {
        badCompletions.inc();
    }

    void givenBack(int segments) {
        givenBack.add(segments);
    }

    /** Declares the gauges. */
    void gauges(SubmitQueue queue, Segments segments, LocationIndex index, Journal journal) {
        stats.gauge(JournalStats.QUEUED, queue::groups, name);
        stats.gauge(JournalStats.QUEUED_BYTES, queue::bytes, name);
        stats.gauge(JournalStats.SEGMENTS, segments::count, name);
        stats.gauge(JournalStats.DISK, segments::diskBytes, name);
        stats.gauge(JournalStats.LIVE, segments::liveBytes, name);
        stats.gauge(JournalStats.LIVE_ENTRIES, index::count, name);
        Damages damages = journal.damages();
        stats.gauge(JournalStats.DAMAGE, () -> damages.open().size() + damages.beyond(), name);
        stats.gauge(JournalStats.SUSPENDED, () -> journal.suspended() == null ? 0 : 1, name);
    }
}
