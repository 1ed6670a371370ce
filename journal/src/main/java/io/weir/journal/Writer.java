package io.weir.journal;

import io.weir.base.Clock;
import io.weir.base.Log;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** What the journal's thread does: batches, one after the other. Confined to that thread, but for what says otherwise. */
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
    private final Ghosts ghosts;
    private final List<Runnable> afterBatch = new CopyOnWriteArrayList<>();

    /** The next batch begins with the segment table. */
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
            Ghosts ghosts) {
        this.name = name;
        this.config = config;
        this.clock = parts.clock();
        this.log = parts.log();
        this.counters = counters;
        this.queue = queue;
        this.segments = segments;
        this.batch = batch;
        this.compactor = compactor;
        this.ghosts = ghosts;
    }

    /** Any thread. */
    void afterBatch(Runnable action) {
        afterBatch.add(action);
    }

    /** Any thread: why additions are refused. */
    @Nullable
    JournalFault suspended() {
        return suspended;
    }

    /** Any thread: the fault with which an addition is refused at once, until it is time to try again. */
    @Nullable
    JournalFault refusing() {
        JournalFault f = suspended;
        return f != null && clock.nanos() - retryAt < 0 ? f : null;
    }

    /** Writes a chain of groups, in as many batches as it takes. */
    void write(@Nullable Group oldest) {
        Group g = oldest;
        while (g != null) {
            g = writeSome(g);
        }
    }

    /** What there is to do while nothing waits: empties and drops segments. True when there may be more. */
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
        } catch (JournalFault e) {
            compactor.restart();
            return false;
        }
        begin(in, bytes + batch.overhead(), 0);
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

    /** On a full disk compaction may use what is kept for removals, if plenty of it is left then. */
    private boolean movesIntoReserve() {
        Segment a = segments.active();
        return a != null && compactor.remaining() * 2 < a.room();
    }

    private boolean hasDead() {
        return !segments.dead().isEmpty();
    }

    /** One batch; the first group that is left for the next one. */
    private @Nullable Group writeSome(Group oldest) {
        Segment in;
        try {
            in = segments.withRoom(batch.need(oldest) + batch.overhead(), oldest.takesRoom());
        } catch (JournalFault e) {
            return refuse(oldest, e);
        }
        dropDead();
        long first = batch.need(oldest);
        begin(in, first, first);
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

    /** Begins a batch with room for so many bytes, of which compaction leaves some to the groups that wait. */
    private void begin(Segment in, long firstBytes, long others) {
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
        if (g.takesRoom()) {
            suspend(fault);
        }
        Group next = g.next;
        g.fault = fault;
        complete(g);
        batchEnded();
        return next;
    }

    /** Writes and forces what was gathered, settles the books, completes the groups. */
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
            ghosts.forget(gone);
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
        queue.done(g);
        counters.completed(g, clock.nanos());
        guarded(g::releasePayloads);
        guarded(() -> g.completion.completed(g.fault));
    }

    private void batchEnded() {
        for (Runnable action : afterBatch) {
            guarded(action);
        }
    }

    private void guarded(Runnable foreign) {
        try {
            foreign.run();
        } catch (RuntimeException e) {
            log.log(JournalMessages.BAD_COMPLETION, name, e);
        }
    }
}
