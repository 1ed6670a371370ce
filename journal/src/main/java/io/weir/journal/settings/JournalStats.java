package io.weir.journal.settings;

import static io.weir.base.StatSpec.counter;
import static io.weir.base.StatSpec.gauge;
import static io.weir.base.StatSpec.histogram;

import io.weir.base.StatSpec;
import java.util.List;

/** The journal's statistics, declared once; the label is the journal's name. */
public final class JournalStats {
    public static final StatSpec RECORDS = counter(
            "weir_journal_records_total", "records", "Records written: entries, removals, group heads.", "journal");
    public static final StatSpec BYTES =
            counter("weir_journal_bytes_total", "bytes", "Bytes written, including padding.", "journal");
    public static final StatSpec PADDING = counter(
            "weir_journal_padding_bytes_total", "bytes", "Bytes written only to pad batches to block-size.", "journal");
    public static final StatSpec FORCES = counter(
            "weir_journal_forces_total",
            "forces",
            "Batches made durable, by a forced write or a force. Entries per force show the gain of group commit.",
            "journal");
    public static final StatSpec FORCE_TIME = histogram(
            "weir_journal_force",
            "nanoseconds",
            "Time to write and force one batch: the disk's share of the latency.",
            "journal");
    public static final StatSpec COMMIT_TIME = histogram(
            "weir_journal_commit", "nanoseconds", "Time from submission to completion of a group.", "journal");
    public static final StatSpec BATCH = histogram(
            "weir_journal_batch_records",
            "groups",
            "Groups in a batch: showing how well forces are shared.",
            "journal");
    public static final StatSpec SKIPPED = counter(
            "weir_journal_skipped_total",
            "entries",
            "Entries never written because they were acknowledged before their batch.",
            "journal");
    public static final StatSpec REFUSED = counter(
            "weir_journal_refused_total", "groups", "Groups refused or failed, by reason.", "journal", "reason");
    public static final StatSpec FAILED_WRITES = counter(
            "weir_journal_failed_writes_total",
            "batches",
            "Batches whose write or force failed; each abandons its segment.",
            "journal");
    public static final StatSpec QUEUED =
            gauge("weir_journal_queued", "groups", "Groups that are waiting or being written.", "journal");
    public static final StatSpec QUEUED_BYTES =
            gauge("weir_journal_queued_bytes", "bytes", "Bytes that are waiting or being written.", "journal");
    public static final StatSpec SEGMENTS =
            gauge("weir_journal_segments", "segments", "Segment files, including the prepared one.", "journal");
    public static final StatSpec DISK =
            gauge("weir_journal_disk_bytes", "bytes", "Disk space used by segment files.", "journal");
    public static final StatSpec LIVE =
            gauge("weir_journal_live_bytes", "bytes", "Bytes of records that are still needed.", "journal");
    public static final StatSpec LIVE_ENTRIES =
            gauge("weir_journal_live_entries", "entries", "Entries added and not removed.", "journal");
    public static final StatSpec SUSPENDED =
            gauge("weir_journal_suspended", "state", "1 while additions are refused after a fault.", "journal");
    public static final StatSpec RELOCATED =
            counter("weir_journal_relocated_total", "records", "Records moved by compaction.", "journal");
    public static final StatSpec GIVEN_BACK = counter(
            "weir_journal_given_back_total",
            "segments",
            "Segments deleted because they contained nothing live.",
            "journal");
    public static final StatSpec DAMAGED = counter(
            "weir_journal_damaged_total",
            "places",
            "Damaged, unacknowledged places found while reading: skipped, what follows is kept.",
            "journal");
    public static final StatSpec TORN = counter(
            "weir_journal_torn_tails_total", "segments", "Tails truncated at a start after a crash.", "journal");

    public static final StatSpec DIED = counter(
            "weir_journal_died_total",
            "deaths",
            "Times that the journal's thread terminated because of an error: everything is refused until a restart.",
            "journal");
    public static final StatSpec BAD_COMPLETIONS = counter(
            "weir_journal_bad_completions_total",
            "completions",
            "Completions that failed because of a bug in the journal's owner.",
            "journal");

    public static final StatSpec DAMAGE = gauge(
            "weir_journal_damage",
            "places",
            "Damaged places that are not acknowledged, including those found before a restart.",
            "journal");

    public static final List<StatSpec> ALL = List.of(
            RECORDS,
            BYTES,
            PADDING,
            FORCES,
            FORCE_TIME,
            COMMIT_TIME,
            BATCH,
            SKIPPED,
            REFUSED,
            FAILED_WRITES,
            QUEUED,
            QUEUED_BYTES,
            SEGMENTS,
            DISK,
            LIVE,
            LIVE_ENTRIES,
            SUSPENDED,
            RELOCATED,
            GIVEN_BACK,
            DAMAGED,
            TORN,
            DIED,
            BAD_COMPLETIONS,
            DAMAGE);

    private JournalStats() {}
}
