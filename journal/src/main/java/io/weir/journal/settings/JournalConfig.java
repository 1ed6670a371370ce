package io.weir.journal.settings;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;

/** The section {@code journal}: how persistent messages are written. The defaults suit a local disk. Immutable. */
public record JournalConfig(
        @Knob(
                doc = "When a write counts as done. direct-write: each write is on the disk when it returns."
                        + " cache-flush: written, then forced once for each batch. disabled: neither; much faster, but a"
                        + " power failure loses or repeats messages."
                        + " Rule of thumb: direct-write; disabled only for messages that may be lost.",
                value = "direct-write",
                watch = {"weir_journal_force_seconds", "weir_journal_forces_total"},
                knownAs = "SynchronousWritePolicy")
        WritePolicy synchronousWritePolicy,

        @Knob(
                doc = "Size of one segment file, allocated before it is used. Larger ones are created less often,"
                        + " smaller ones free disk space sooner."
                        + " Rule of thumb: the default, or what the disk writes in a second if that is more.",
                value = "32MiB",
                min = "64KiB",
                max = "4GiB",
                watch = "weir_journal_segments",
                knownAs = "MaxFileSize")
        ByteSize maxFileSize,

        @Knob(
                doc = "Disk space that all segments together may take. At the bound persistent sends are refused with a"
                        + " clear error; acknowledgements are still written."
                        + " Rule of thumb: nine tenths of the disk.",
                value = "64GiB",
                min = "256KiB",
                watch = {"weir_journal_disk_bytes", "weir_journal_refused_total"})
        ByteSize maxTotalSize,

        @Knob(
                doc = "Buffer in which a batch is collected, and so the most that is forced at once. A larger group"
                        + " gets a temporary buffer."
                        + " Raise it when batches are as large as the buffer. Rule of thumb: the default.",
                value = "1MiB",
                min = "16KiB",
                max = "64MiB",
                watch = "weir_journal_batch_records",
                knownAs = "IoBufferSize, MaxWindowBufferSize")
        ByteSize ioBufferSize,

        @Knob(
                doc = "Batches begin at multiples of this, so that a failed write cannot damage a block with durable"
                        + " records. Use the sector size of the disk; a larger value costs disk space, 8 trusts the"
                        + " disk."
                        + " Rule of thumb: 512, or 4KiB where the disk says so (blockdev --getpbsz).",
                value = "512",
                min = "8",
                max = "64KiB",
                watch = "weir_journal_padding_bytes_total",
                knownAs = "BlockSize")
        ByteSize blockSize,

        @Knob(
                doc = "Largest group: one message, or all of one transaction. Larger ones are refused."
                        + " Rule of thumb: the default; the messages of the largest transaction, twice.",
                value = "64MiB",
                min = "4KiB",
                max = "1GiB",
                watch = "weir_journal_refused_total")
        ByteSize maxGroupSize,

        @Knob(
                doc = "Groups that may wait for the journal's thread; further ones are refused. Groups that only"
                        + " remove are accepted up to twice the number. A group is a persistent send, an acknowledgement or"
                        + " a transaction. Raise it when groups are refused while the bytes that wait are well below"
                        + " queue-bytes: many small messages. Each costs heap, and a longer queue a longer wait for the"
                        + " disk. Rule of thumb: the groups of one or two seconds.",
                value = "65536",
                unit = "groups",
                min = "1",
                max = "16777216",
                watch = {"weir_journal_queued", "weir_journal_refused_total"})
        int queueGroups,

        @Knob(
                doc = "Bytes that may wait for the journal's thread; further groups are refused. Raise"
                        + " it when bursts of persistent messages are refused while memory is free; lower"
                        + " it when memory is short. A queue that stays full means that the disk is too"
                        + " slow. Rule of thumb: what the disk writes in a second.",
                value = "64MiB",
                min = "4KiB",
                watch = {"weir_journal_queued_bytes", "weir_journal_refused_total"})
        ByteSize queueBytes,

        @Knob(
                doc = "A segment with less than this share of live data is emptied: its live records are moved to the"
                        + " end of the journal. A higher ratio saves disk space and writes more."
                        + " Rule of thumb: 0.3; more only where disk space is short.",
                value = "0.3",
                min = "0",
                max = "0.9",
                watch = {"weir_journal_relocated_total", "weir_journal_disk_bytes"})
        double compactionRatio,

        @Knob(
                doc = "Bytes that compaction may add to one batch: how far it delays appends. Raise it"
                        + " when compaction does not keep up and disk space grows; lower it when sends are"
                        + " slow while it runs. Rule of thumb: the default.",
                value = "128KiB",
                min = "4KiB",
                max = "16MiB",
                watch = "weir_journal_relocated_total")
        ByteSize compactionStep,

        @Knob(
                doc = "How long additions are refused after a full disk or a failed write before the"
                        + " journal tries again. Raise it when attempts burden a failing disk; lower it to"
                        + " take messages sooner after the repair. Rule of thumb: the default.",
                value = "1s",
                min = "1ms",
                max = "10m",
                watch = "weir_journal_refused_total")
        Duration retryAfter,

        @Knob(
                doc = "Locks the directory against a second process. Turn it off only where the file system has no"
                        + " locks.",
                value = "true",
                knownAs = "FileLockingEnabled",
                unwatched = Unwatched.SWITCH)
        boolean fileLocking,

        @Knob(
                doc = "Starts even if a segment file is missing, whose content is then lost. Use it for a single start"
                        + " after such a refusal, if the loss is acceptable.",
                value = "false",
                unwatched = Unwatched.SWITCH)
        boolean tolerateMissingFiles) {}
