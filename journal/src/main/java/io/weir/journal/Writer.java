package io.weir.journal;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.journal.segment.Segment;
import io.weir.journal.segment.SegmentFiles;
import io.weir.journal.segment.Segments;
import io.weir.journal.segment.StaleCopies;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalMessages;
import io.weir.journal.settings.WritePolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The work of the journal's thread: batches, one after the other. Confined to that thread, except where noted. */
final class Writer {
    private final String name;
    private final JournalConfig config;
    private final Clock clock;
    private final Log log;
    private final JournalCounters counters;
    private final SubmitQueue queue;
    private final Segments segments;
    private final Batch batch;
    private final Compactor compactor;
    private final StaleCopies staleCopies;
    private final List<Runnable> afterBatch = new CopyOnWriteArrayList<>();

    /** The oldest group of the chain that is being written. */
    private @Nullable Group current;

    /** Whether the next batch must begin with the segment table. */
    private boolean tableDue = true;

    private @Nullable Segment tableIn;
    private List<Segment> dropping = List.of();

    private volatile @Nullable JournalFault suspended;
    private volatile long retryAt;

    Writer(
            String name,
            JournalConfig config,
            Journals.Parts parts,
            JournalCounters counters,
            SubmitQueue queue,
            Segments segments,
            Batch batch,
            Compactor compactor,
            StaleCopies staleCopies) {
        this.name = name;
        this.config = config;
        this.clock = parts.clock();
        this.log = parts.log();
        this.counters = counters;
        this.queue = queue;
        this.segments = segments;
        this.batch = batch;
        this.compactor = compactor;
        this.staleCopies = staleCopies;
    }

    /** Callable from any thread. */
    void afterBatch(Runnable action) {
        afterBatch.add(action);
    }

    /** Why additions are refused. Callable from any thread. */
    @Nullable
    JournalFault suspended() {
        return suspended;
    }

    /** The fault with which an addition is refused immediately, until the next retry. Callable from any thread. */
    @Nullable
    JournalFault refusing() {
        JournalFault f = suspended;
        return f != null && clock.nanos() - retryAt < 0 ? f : null;
    }

    /** Writes a chain of groups, in as many batches as necessary. */
    void write(@Nullable Group oldest) {
        current = oldest;
        Group g = oldest;
        while (g != null) {
            g = writeSome(g);
        }
        current = null;
    }

    /** Fails the groups being written, because the thread terminates. */
    void abandon(JournalFault fault) {
        for (Group g = current; g != null; g = g.next) {
            if (!g.completed) {
                g.fault = fault;
                counters.refused(fault);
                notifyCompletion(g);
            }
        }
        current = null;
        batchEnded();
    }

    /** Cleans up while nothing waits: empties and drops segments. Returns whether there may be more to do. */
    boolean tidy() {
        dropDead();
        compactor.choose();
        if (dropping.isEmpty() && !compactor.busy()) {
            segments.publishLive();
            return false;
        }
        return tidyBatch(compactor.heldBytes());
    }

    private boolean tidyBatch(long bytes) {
        boolean moving = compactor.busy();
        Segment in;
        try {
            in = segments.withRoom(bytes + 2 * batch.overhead(), moving && !movesIntoReserve());
            begin(in, bytes + batch.overhead(), 0);
        } catch (JournalFault e) {
            compactor.restart();
            return false;
        }
        if (batch.isEmpty() && compactor.busy()) {
            if (bytes == 0) {
                return tidyBatch(compactor.heldBytes());
            }
            compactor.restart();
            return false;
        }
        boolean written = batch.isEmpty() || flush(true);
        return written && (moving || !dropping.isEmpty() || hasDead());
    }

    /** On a full disk compaction may use the space reserved for removals if plenty of it remains. */
    private boolean movesIntoReserve() {
        Segment a = segments.active();
        return a != null && compactor.remaining() * 2 < a.room();
    }

    private boolean hasDead() {
        return !segments.dead().isEmpty();
    }

    /** Writes one batch; returns the first group left for the next one. */
    private @Nullable Group writeSome(Group oldest) {
        try {
            long need = batch.need(oldest);
            Segment in = segments.withRoom(need + batch.overhead(), oldest.takesRoom());
            dropDead();
            begin(in, need, need + batch.needOfMoves(oldest));
        } catch (JournalFault e) {
            return refuse(oldest, e);
        }
        boolean force = false;
        long reserve = segments.reserve();
        Group g = oldest;
        while (g != null && (g == oldest || batch.fits(batch.need(g), g.takesRoom() ? reserve : 0))) {
            force |= g.control != null;
            Group younger = g.next;
            batch.add(g);
            g = younger;
        }
        flush(force);
        return g;
    }

    /**
     * Begins a batch with room for this many bytes.
     *
     * @param others bytes that compaction leaves to the waiting group, including the copies that it makes of what that
     * group removes
     */
    private void begin(Segment in, long firstBytes, long others) throws JournalFault {
        if (in != tableIn) {
            tableDue = true;
            compactor.choose();
        }
        batch.begin(in, firstBytes + (compactor.busy() ? compactor.heldBytes() : 0));
        if (tableDue || !dropping.isEmpty()) {
            batch.table(dropping);
        }
        compactor.contribute(batch, others);
    }

    private @Nullable Group refuse(Group g, JournalFault fault) {
        boolean ofTheDisk =
                fault.reason() == JournalFault.Reason.DISK_FULL || fault.reason() == JournalFault.Reason.IO_ERROR;
        if (g.takesRoom() && ofTheDisk) {
            suspend(fault);
        }
        Group next = g.next;
        g.fault = fault;
        complete(g);
        batchEnded();
        return next;
    }

    /** Writes and forces the batch, updates the bookkeeping, completes the groups. */
    private boolean flush(boolean forceAnyway) {
        Segment in = batch.target();
        ByteBuffer bytes = batch.finish();
        IOException failure = null;
        if (bytes.hasRemaining() || forceAnyway) {
            failure = put(in, bytes, forceAnyway);
        }
        if (failure == null) {
            succeeded(in, bytes.limit());
        } else {
            failed(in, failure);
        }
        for (Group g : batch.groups()) {
            complete(g);
        }
        batchEnded();
        return failure == null;
    }

    private @Nullable IOException put(Segment in, ByteBuffer bytes, boolean forceAnyway) {
        long start = clock.nanos();
        try {
            int n = SegmentFiles.writeAll(in.file, bytes, in.end);
            boolean rare = forceAnyway || tableDue || !dropping.isEmpty();
            WritePolicy policy = config.synchronousWritePolicy();
            if (policy == WritePolicy.CACHE_FLUSH || (policy == WritePolicy.DISABLED && rare)) {
                in.file.force();
            }
            if (policy == WritePolicy.DISABLED && tableIn != null && tableIn != in) {
                tableIn.file.force();
            }
            if (policy != WritePolicy.DISABLED || rare) {
                counters.forced(clock.nanos() - start);
            }
            counters.written(n, batch);
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    private void succeeded(Segment in, long bytes) {
        batch.succeeded(bytes);
        if (tableDue || !dropping.isEmpty()) {
            tableDue = false;
            tableIn = in;
            dropped();
        }
        if (suspended != null && batch.groups().stream().anyMatch(Group::takesRoom)) {
            resume();
        }
    }

    private void dropped() {
        if (!dropping.isEmpty()) {
            List<Segment> gone = dropping;
            dropping = List.of();
            counters.givenBack(gone.size());
            segments.drop(gone);
            staleCopies.forget(gone);
            retryAt = clock.nanos();
        }
    }

    private void failed(Segment in, IOException failure) {
        batch.failed();
        compactor.failed();
        dropping = List.of();
        counters.writeFailed();
        log.log(JournalMessages.WRITE_FAILED, name, in.name, in.end, failure);
        segments.abandon();
        tableIn = null;
        String text = "writing to " + in.name + " failed: " + failure.getMessage();
        JournalFault fault = new JournalFault(JournalFault.Reason.IO_ERROR, text, failure);
        suspend(fault);
        for (Group g : batch.groups()) {
            g.fault = g.fault == null ? fault : g.fault;
        }
    }

    private void suspend(JournalFault fault) {
        if (suspended == null) {
            log.log(JournalMessages.SUSPENDED, name, String.valueOf(fault.getMessage()));
        }
        suspended = fault;
        retryAt = clock.nanos() + config.retryAfter().toNanos();
    }

    private void resume() {
        if (suspended != null && segments.active() != null) {
            suspended = null;
            log.log(JournalMessages.RESUMED, name);
        }
    }

    private void dropDead() {
        if (dropping.isEmpty()) {
            List<Segment> dead = segments.dead();
            if (!dead.isEmpty()) {
                dropping = dead;
                compactor.dropping(dead);
            }
        }
    }

    private void complete(Group g) {
        counters.completed(g, clock.nanos());
        notifyCompletion(g);
    }

    private void notifyCompletion(Group g) {
        g.completed = true;
        queue.done(g);
        guarded(g::releasePayloads);
        guarded(() -> g.completion.completed(g.fault));
    }

    private void batchEnded() {
        for (Runnable action : afterBatch) {
            guarded(action);
        }
    }

    /** Runs a foreign callback; its errors must not prevent other callbacks from running. */
    void guarded(Runnable foreign) {
        try {
            foreign.run();
        } catch (RuntimeException | Error e) {
            counters.badCompletion();
            logFailure(e);
        }
    }

    private void logFailure(Throwable failure) {
        try {
            log.log(JournalMessages.BAD_COMPLETION, name, failure);
        } catch (RuntimeException | OutOfMemoryError e) {
            // no memory even for logging: it was counted; continue with the other callbacks
            return;
        }
    }
}
