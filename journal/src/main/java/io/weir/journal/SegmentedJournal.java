package io.weir.journal;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.journal.damage.DamageBook;
import io.weir.journal.damage.Damages;
import io.weir.journal.recovery.Recovered;
import io.weir.journal.segment.LocationIndex;
import io.weir.journal.segment.SegmentFiles;
import io.weir.journal.segment.Segments;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalMessages;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The journal on a disk: accepts groups from any thread, and writes them on its own thread. Shared; lives until closed.
 */
final class SegmentedJournal implements Journal {
    private final String name;
    private final JournalConfig config;
    private final Clock clock;
    private final Log log;
    private final Threads threads;
    private final SequenceSource sequences;
    private final SubmitQueue queue;
    private final JournalCounters counters;
    private final Segments segments;
    private final LocationIndex index;
    private final Writer writer;
    private final DamageBook damages;
    private final Closeable lock;

    /** Whether a run of the journal's thread is scheduled. */
    private final AtomicBoolean awake = new AtomicBoolean();

    private final AtomicBoolean closing = new AtomicBoolean();
    /** Why groups are no longer taken from the queue; null while they are. */
    private volatile @Nullable JournalFault over;

    private volatile @Nullable JournalFault died;
    /** Preallocated, for a failure in which there is no memory to create another one. */
    private final JournalFault preallocatedFault;

    SegmentedJournal(
            String name,
            JournalConfig config,
            Journals.Parts parts,
            JournalCounters counters,
            Threads threads,
            SegmentFiles files,
            Journals.Kept kept,
            Closeable lock) {
        Recovered recovered = kept.recovered();
        this.damages = kept.damages();
        this.name = name;
        this.config = config;
        this.clock = parts.clock();
        this.log = parts.log();
        this.threads = threads;
        this.counters = counters;
        this.lock = lock;
        preallocatedFault = new JournalFault(JournalFault.Reason.DIED, death("an error"));
        sequences = new SequenceSource();
        sequences.startAfter(recovered.highestSequence());
        queue = new SubmitQueue(config);
        index = recovered.index();
        segments = new Segments(files, config, threads.background(), clock, log);
        segments.adopt(recovered.segments(), recovered.highestNumber());
        Batch batch = new Batch(segments, index, recovered.staleCopies(), sequences, config);
        batch.fence(recovered.fence());
        Compactor compactor = new Compactor(segments, index, config, log, counters, kept);
        writer = new Writer(name, config, parts, counters, queue, segments, batch, compactor, recovered.staleCopies());
    }

    /** Starts preparing the first segment, and cleans up what recovery left. */
    void start() {
        segments.publishLive();
        counters.gauges(queue, segments, index, this);
        segments.prepareSpare();
        wake();
    }

    @Override
    public Group group() {
        return new Group(sequences);
    }

    @Override
    public void submit(Group g, Completion completion) {
        g.completion = completion;
        g.submittedAt = clock.nanos();
        JournalFault refusal = refusal(g);
        if (refusal != null) {
            refuse(g, refusal);
            return;
        }
        queue.push(g);
        wake();
        JournalFault gone = over;
        if (gone != null) {
            failWaiting(gone);
        }
    }

    private @Nullable JournalFault refusal(Group g) {
        JournalFault dead = died;
        if (dead != null) {
            return dead;
        }
        if (closing.get()) {
            return closed();
        }
        long bytes = g.bytes();
        if (bytes > config.maxGroupSize().bytes() && !g.promised) {
            return new JournalFault(
                    JournalFault.Reason.TOO_LARGE,
                    "a group of " + bytes + " bytes, max-group-size is " + config.maxGroupSize());
        }
        JournalFault suspended = g.takesRoom() ? writer.refusing() : null;
        if (suspended != null) {
            return suspended;
        }
        if (!queue.admit(g, bytes)) {
            log.log(JournalMessages.QUEUE_FULL, name, queue.groups(), queue.bytes());
            return new JournalFault(
                    JournalFault.Reason.QUEUE_FULL, queue.groups() + " groups, " + queue.bytes() + " bytes wait");
        }
        return null;
    }

    private static JournalFault closed() {
        return new JournalFault(JournalFault.Reason.CLOSED, "the journal is closed");
    }

    private void refuse(Group g, JournalFault fault) {
        counters.refused(fault);
        writer.guarded(g::releasePayloads);
        writer.guarded(() -> g.completion.completed(fault));
    }

    @Override
    public void checkpoint(Completion completion) {
        Group g = group();
        g.control = Group.Control.CHECKPOINT;
        submit(g, completion);
    }

    @Override
    public void afterBatch(Runnable action) {
        writer.afterBatch(action);
    }

    private void wake() {
        if (awake.compareAndSet(false, true)) {
            try {
                threads.writer().execute(this::run);
            } catch (RejectedExecutionException e) {
                // closed in the meantime: submit checks that itself
                awake.set(false);
            }
        }
    }

    /** Runs on the journal's thread until nothing waits and nothing is to be cleaned up. */
    private void run() {
        try {
            do {
                work();
                awake.set(false);
            } while (!queue.isEmpty() && awake.compareAndSet(false, true));
        } catch (RuntimeException | Error e) {
            die(e);
        }
    }

    private void work() {
        boolean more = true;
        while (more) {
            Group oldest = queue.takeAll();
            writer.write(oldest);
            more = queue.isEmpty() ? writer.tidy() : true;
        }
    }

    private void die(Throwable e) {
        died = preallocatedFault;
        over = preallocatedFault;
        counters.died.inc();
        try {
            JournalFault fault = new JournalFault(JournalFault.Reason.DIED, death(e.toString()), e);
            died = fault;
            over = fault;
            log.log(JournalMessages.DIED, name, e);
        } finally {
            JournalFault why = died;
            writer.abandon(why);
            failWaiting(why);
        }
    }

    private String death(String of) {
        return "the thread of the journal \"" + name + "\" terminated because of " + of
                + ": nothing more is stored, acknowledged entries are on the disk; restart the server";
    }

    private void failWaiting(JournalFault fault) {
        Group g = queue.takeAll();
        while (g != null) {
            Group next = g.next;
            queue.done(g);
            refuse(g, fault);
            g = next;
        }
    }

    @Override
    public @Nullable JournalFault suspended() {
        JournalFault dead = died;
        return dead != null ? dead : writer.suspended();
    }

    @Override
    public Damages damages() {
        return damages;
    }

    @Override
    public long diskBytes() {
        return segments.diskBytes();
    }

    @Override
    public long liveEntries() {
        return index.count();
    }

    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        threads.writer().execute(() -> {
            try {
                finish();
            } catch (RuntimeException | Error e) {
                die(e);
            } finally {
                release();
                done.complete(null);
            }
        });
        done.join();
        threads.stop();
        log.log(JournalMessages.CLOSED, name, index.count());
    }

    /** Runs on the journal's thread: writes and forces the last batch, whatever the policy. */
    private void finish() {
        if (died == null) {
            Group last = group();
            last.control = Group.Control.CHECKPOINT;
            last.submittedAt = clock.nanos();
            queue.admit(last, 0);
            queue.push(last);
            work();
            JournalFault fault = closed();
            over = fault;
            failWaiting(fault);
        }
    }

    /** Closes the files, then unlocks the directory, even if closing fails. */
    private void release() {
        try (lock) {
            segments.close();
        } catch (IOException | RuntimeException e) {
            log.log(JournalMessages.NOT_CLOSED, "its lock", e);
        }
    }
}
