package io.weir.proxy.cache.fill;

import io.weir.http.Fields;
import io.weir.http.caching.Validators;
import io.weir.proxy.cache.fill.Fill.State;
import io.weir.proxy.cache.store.BodySink;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.StoredObject;
import org.jspecify.annotations.Nullable;

/** The state that a fill's lock guards, and the one place where it changes. Lives with its {@link Fill}. */
abstract class FillState {
    final Fill fill;
    final Fills fills;
    final CacheEntry entry;
    final boolean background;
    final boolean uncacheable;
    final @Nullable StoredObject stale;
    final FillReaders readers;
    final FillBody body;
    // also read without the lock
    volatile State state = State.WAITING;
    // before the head: the Vary of the stored variants; after it: that of the answer
    volatile @Nullable Selection selection;
    volatile boolean doomed;
    volatile SourceConnection from = SourceConnection.UNKNOWN;
    volatile String passReason = "";
    volatile boolean stored;
    volatile boolean servedStale;
    volatile boolean unconditional;
    volatile @Nullable Fields trailers;
    volatile @Nullable FillFailure failure;

    @Nullable
    FillSource source;

    @Nullable
    StoredObject object;

    /** The stored answer as updated by a 304 must not be shared: other readers fetch on their own. */
    boolean leaderOnly;

    /** A client needed only the head (304): it did not abort the fetch. */
    boolean satisfied;

    /** All of the body has arrived, and goes to the sink. */
    boolean arrived;

    boolean paused;
    private boolean disposed;
    /** Time within which lagging readers must read half a window while others wait for them. */
    private static final long PATIENCE_MILLIS = 30_000;
    /** A disk is slow with less at once. */
    private static final long LEAST_UNWRITTEN = 1 << 20;

    private long windowCounted;
    private long pausedMillis;

    FillState(Fill fill, Fills fills, CacheEntry entry, FillStart start) {
        this.fill = fill;
        this.fills = fills;
        this.entry = entry;
        this.background = start.background();
        this.uncacheable = start.uncacheable();
        this.stale = start.stale();
        this.selection = start.expected();
        this.readers = new FillReaders(start.own());
        this.body = new FillBody(fills.store);
    }

    boolean disposed() {
        return disposed;
    }

    /** The validators to send; none if the fill was ended by others. */
    @Nullable
    Validators validators() {
        StoredObject old = stale;
        if (old == null || disposed || unconditional) {
            return null;
        }
        Validators found = old.validators();
        return found.any() ? found : null;
    }

    /** Changes the state; a fill that can no longer be joined leaves its entry. */
    void transition(State next) {
        if (next != State.STORING && state != State.PASSING) {
            fills.leave(entry, fill);
        }
        state = next;
        if (next.over()) {
            body.forgetSpare();
            endSink(next);
        }
    }

    /** A sink that goes on, or has ended, needs nothing. */
    private void endSink(State next) {
        BodySink sink = body.sink();
        if (sink != null && next != State.COMPLETE) {
            sink.abort();
        }
    }

    /** Frees everything once the fill is over and has no readers. */
    void dispose() {
        if (disposed || !state.over() || !readers.isEmpty()) {
            return;
        }
        disposed = true;
        body.close();
        countWindow();
        if (object != null) {
            object.release();
        }
        if (stale != null) {
            stale.release();
        }
        fills.counters.activeFills.decrementAndGet();
        fills.store.budget().release(LeaderRequest.heapBytes(fill.leaderRequest.fields()));
    }

    void fail(FillFailure cause) {
        failure = cause;
        fills.counters.failed.inc();
        transition(State.FAILED);
        dispose();
    }

    /** A reader has left: if it was the last one the fetch ends, now or within its limits. */
    void readerLeft() {
        if (state.over() || arrived || background || !readers.allGone()) {
            return;
        }
        FillSource leader = source;
        if (state != State.STORING || !worthFinishing()) {
            abandon();
        } else if (leader != null) {
            FillReaders.runOnLoop(leader, leader::unread);
        }
    }

    /** Whether it has no readers: data that does not go into the store is lost. */
    boolean unread() {
        return background ? readers.isEmpty() : readers.allGone();
    }

    void abandon() {
        fills.counters.abandoned.inc();
        transition(State.ABANDONED);
        FillSource leader = source;
        if (leader != null) {
            FillReaders.runOnLoop(leader, leader::abandon);
        }
    }

    private boolean worthFinishing() {
        if (satisfied) {
            return true;
        }
        int percent = fill.leaderRequest.terms().termPercent(fills.config.get());
        return percent == 0 || (length() > 0 && body.written() * 100 > length() * percent);
    }

    long length() {
        StoredObject head = object;
        return head == null ? -1 : head.contentLength();
    }

    /** Pauses the origin until the lagging readers have read on. */
    void pause() {
        if (!paused && !state.over()) {
            paused = true;
            pausedMillis = fills.clock.millis();
        }
    }

    /**
     * A reader that has read everything waits for those that lag behind by a window, but not forever: one that reads
     * less than half a window in {@link #PATIENCE_MILLIS} is cut. A reader that reads nothing at all is ended by its
     * connection's own time-out.
     */
    void cutLaggards() {
        if (paused && !sinking() && readers.anyArmed() && fills.clock.millis() - pausedMillis >= PATIENCE_MILLIS) {
            long room = fills.config.get().fillWindow().bytes() / 2;
            // the slowest reader's blocks cannot be released, even where it lags by less
            long slowest = readers.leastPosition(body.written());
            fills.counters.cut.add(readers.cut(Math.max(body.written() - room, slowest + 1)));
            slide();
        }
    }

    /** Releases what all readers have read; resumes reading from the origin when enough of the window is free. */
    void slide() {
        if (object == null || (body.outside() == 0 && state != State.PASSING && body.sink() == null)) {
            return;
        }
        BodySink sink = body.sink();
        if (sink != null && (sinking() || stored)) {
            // who keeps up reads from memory
            long near = Math.max(readers.leastPosition(body.written()), body.written() - mostWindow());
            body.forget(Math.min(sink.readable(), near));
        } else {
            // what was written before the disk failed is read from there
            body.forget(Math.max(readers.leastPosition(body.written()), sink == null ? 0 : sink.readable()));
        }
        countWindow();
        resumeIfRoom();
    }

    /** Whether the body is written below the memory: then no reader holds up others. */
    boolean sinking() {
        return state == State.STORING && body.sink() != null;
    }

    /** Bytes that the sink has written, if the origin waits for it; -1: it does not. */
    long awaitsDisk() {
        BodySink sink = body.sink();
        return paused && sinking() && sink != null ? sink.readable() : -1;
    }

    /** Bytes that must stay in memory for now. */
    long window() {
        BodySink sink = body.sink();
        return sinking() && sink != null ? sink.unwritten() : body.held();
    }

    long mostWindow() {
        long most = fills.config.get().fillWindow().bytes();
        return body.sink() != null && state != State.PASSING ? Math.max(most, LEAST_UNWRITTEN) : most;
    }

    private void resumeIfRoom() {
        if (paused && window() <= mostWindow() / 2) {
            paused = false;
            FillSource leader = source;
            if (leader != null) {
                FillReaders.runOnLoop(leader, leader::resume);
            }
        }
    }

    private void countWindow() {
        long now = body.outside();
        fills.counters.windowBytes.addAndGet(now - windowCounted);
        windowCounted = now;
    }
}
