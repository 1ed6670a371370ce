package io.weir.journal;

import io.weir.base.Clock;
import io.weir.base.Log;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The journal on a disk: takes groups from any thread, has its own thread write them. Shared; lives until closed. */
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
    private final Closeable lock;

    /** The journal's thread has been told that something waits. */
    private final AtomicBoolean awake = new AtomicBoolean();

    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean ended;
    private volatile @Nullable JournalFault died;

    SegmentedJournal(
            String name,
            JournalConfig config,
            Journals.Parts parts,
            JournalCounters counters,
            Threads threads,
            SegmentFiles files,
            Recovered recovered,
            Closeable lock) {
        this.name = name;
        this.config = config;
        this.clock = parts.clock();
        this.log = parts.log();
        this.threads = threads;
        this.counters = counters;
        this.lock = lock;
        sequences = new SequenceSource();
        sequences.startAfter(recovered.highestSequence());
        queue = new SubmitQueue(config);
        index = recovered.index();
        segments = new Segments(files, config, threads.background(), clock, log);
        segments.adopt(recovered.segments(), recovered.highestNumber());
        Batch batch = new Batch(segments, index, recovered.ghosts(), sequences, config);
        batch.fence(recovered.fence());
        Compactor compactor = new Compactor(segments, index, config, log, counters.damaged);
        writer = new Writer(name, config, parts, counters, queue, segments, batch, compactor, recovered.ghosts());
        counters.gauges(queue, segments, index, writer);
    }

    /** Has the first segment prepared, and empties what recovery left. */
    void start() {
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
        if (ended) {
            failWaiting(closed());
        }
    }

    private @Nullable JournalFault refusal(Group g) {
        if (closing.get()) {
            return closed();
        }
        long bytes = g.payloadBytes();
        if (bytes + (long) Records.HEADER * g.additions > config.maxGroupSize().bytes()) {
            return new JournalFault(
                    JournalFault.Reason.TOO_LARGE,
                    "a group of " + bytes + " bytes, max-group-size is " + config.maxGroupSize());
        }
        JournalFault suspended = g.takesRoom() ? writer.refusing() : null;
        if (suspended != null) {
            return suspended;
        }
        long charge = bytes + (long) Records.HEADER * g.additions + (long) Records.REMOVAL_BYTES * g.removalCount;
        if (!queue.admit(g, charge)) {
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
        g.releasePayloads();
        g.completion.completed(fault);
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
            threads.writer().execute(this::run);
        }
    }

    /** On the journal's thread: until nothing waits and nothing is to be tidied. */
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
        log.log(JournalMessages.DIED, name, e);
        JournalFault fault =
                new JournalFault(JournalFault.Reason.IO_ERROR, "the journal's thread ended by an error: " + e, e);
        died = fault;
        closing.set(true);
        ended = true;
        failWaiting(fault);
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
            } finally {
                done.complete(null);
            }
        });
        done.join();
        threads.stop();
        log.log(JournalMessages.CLOSED, name, index.count());
    }

    /** On the journal's thread: the last batch, whatever the policy forced; then the files. */
    private void finish() {
        Group last = group();
        last.control = Group.Control.CHECKPOINT;
        queue.admit(last, 0);
        queue.push(last);
        work();
        ended = true;
        failWaiting(closed());
        try {
            segments.close();
            lock.close();
        } catch (IOException e) {
            log.log(JournalMessages.WRITE_FAILED, name, "files", 0, e);
        }
    }
}
