package io.weir.journal.settings;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;

/** The section {@code journal}: how persistent messages are written. The defaults suit a local disk. Immutable. */
public record JournalConfig(
        @Knob(
                doc = "When a write counts as done. direct-write: the disk has it as each write returns. cache-flush:"
                        + " written, then forced once for each batch. disabled: neither; much faster, but a power"
                        + " failure loses or repeats messages.",
                value = "direct-write",
                watch = {"weir_journal_force_nanos", "weir_journal_forces_total"},
                knownAs = "SynchronousWritePolicy")
        WritePolicy synchronousWritePolicy,

        @Knob(
                doc = "Size of one segment file, allocated before it is used. Larger ones are begun less often, smaller"
                        + " ones give disk back sooner.",
                value = "32MiB",
                min = "64KiB",
                max = "4GiB",
                watch = "weir_journal_segments",
                knownAs = "MaxFileSize")
        ByteSize maxFileSize,

        @Knob(
                doc = "Disk that all segments together may take. At the bound persistent sends are refused with a clear"
                        + " error; acknowledgements are still written.",
                value = "64GiB",
                min = "256KiB",
                watch = {"weir_journal_disk_bytes", "weir_journal_refused_total"})
        ByteSize maxTotalSize,

        @Knob(
                doc =
                        "Buffer in which a batch is gathered, and so the most that is forced at once. A larger group gets a"
                                + " buffer of its own for once.",
                value = "1MiB",
                min = "16KiB",
                max = "64MiB",
                watch = "weir_journal_batch_records",
                knownAs = "IoBufferSize, MaxWindowBufferSize")
        ByteSize ioBufferSize,

        @Knob(
                doc = "Batches begin at multiples of this, so that a failing write cannot touch a block with durable"
                        + " records. The sector size of the disk; larger costs disk, 8 trusts the disk.",
                value = "512",
                min = "8",
                max = "64KiB",
                watch = "weir_journal_padding_bytes_total",
                knownAs = "BlockSize")
        ByteSize blockSize,

        @Knob(
                doc = "Largest group: one message, or all of one transaction. Larger ones are refused.",
                value = "64MiB",
                min = "4KiB",
                max = "1GiB",
                watch = "weir_journal_refused_total")
        ByteSize maxGroupSize,

        @Knob(
                doc =
                        "Groups that may wait for the journal's thread; more are refused. Removals alone may fill it twice.",
                value = "65536",
                unit = "groups",
                min = "1",
                max = "16777216",
                watch = {"weir_journal_queued", "weir_journal_refused_total"})
        int queueGroups,

        @Knob(
                doc = "Bytes that may wait for the journal's thread; more are refused.",
                value = "64MiB",
                min = "4KiB",
                watch = {"weir_journal_queued_bytes", "weir_journal_refused_total"})
        ByteSize queueBytes,

        @Knob(
                doc = "A segment of which less than this share lives is emptied by moving what lives to the end. Higher"
                        + " saves disk and writes more.",
                value = "0.3",
                min = "0",
                max = "0.9",
                watch = {"weir_journal_relocated_total", "weir_journal_disk_bytes"})
        double compactionRatio,

        @Knob(
                doc = "Bytes that compaction may add to one batch: how far it delays appends.",
                value = "128KiB",
                min = "4KiB",
                max = "16MiB",
                watch = "weir_journal_relocated_total")
        ByteSize compactionStep,

        @Knob(
                doc = "After a full disk or a failed write: how long additions are refused without trying again.",
                value = "1s",
                min = "1ms",
                max = "10m",
                watch = "weir_journal_refused_total")
        Duration retryAfter,

        @Knob(
                doc = "A second opener of the directory is refused. Off only where the file system has no locks.",
                value = "true",
                knownAs = "FileLockingEnabled",
                unwatched = Unwatched.SWITCH)
        boolean fileLocking,

        @Knob(
                doc = "Start although a segment file is missing: what was in it is lost. For one start after such a"
                        + " refusal, with the loss accepted.",
                value = "false",
                unwatched = Unwatched.SWITCH)
        boolean tolerateMissingFiles) {}
