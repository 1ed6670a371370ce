package io.weir.proxy.cache.fill;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.caching.CacheControl;
import io.weir.http.caching.Validators;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.store.BodySink;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.InFlight;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.StoredObject;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One fetch that fills or validates the store, and all requests that wait for it. The leader writes from its loop:
 * {@link #lead}, {@link #respond}, then {@link #append} and {@link #complete}, or {@link #abort}; readers read through
 * cursors from their loops. Once the fill is over, further writes of the leader are ignored. Shared; guarded by its own
 * lock, which is taken before the store's. Lives until it is over and its last cursor is closed.
 */
public final class Fill extends InFlight implements BodySink.Listener {
    /** State of a fill. */
    public enum State {
        /** No head yet: any request for the key may join. */
        WAITING,
        /** The answer goes into the store: requests that select the same variant may join. */
        STORING,
        /** Too large for the store: present readers continue through a window, no new ones join. */
        PASSING,
        /** The body is complete. */
        COMPLETE,
        /** Uncacheable: the readers fetch on their own. */
        RELEASED,
        FAILED,
        /** No reader was left. */
        ABANDONED;

        boolean over() {
            return compareTo(COMPLETE) >= 0;
        }
    }

    // of the current leader: replaced when another reader takes over
    volatile LeaderRequest leaderRequest;

    // confined to the leader's loop
    private @Nullable Fields withheld;
    private final ReentrantLock lock = new ReentrantLock();
    private final FillWriter core;

    Fill(Fills fills, CacheEntry entry, LeaderRequest leaderRequest, FillStart start) {
        super(start.alone());
        this.leaderRequest = leaderRequest;
        this.core = new FillWriter(this, fills, entry, start);
        fills.counters.fills.inc();
        fills.counters.activeFills.incrementAndGet();
    }

    // ---- the leader

    /**
     * Registers the caller as the leader: it fetches, and is called to pause, resume or stop. Called again when a
     * reader takes over.
     */
    public void lead(FillSource leader) {
        boolean over;
        lock.lock();
        try {
            core.source = leader;
            core.readers.led();
            over = core.state == State.ABANDONED;
        } finally {
            lock.unlock();
        }
        if (over) {
            FillReaders.runOnLoop(leader, leader::abandon);
        }
    }

    /** The validators to send as conditions (RFC 9111 4.3.1), or null for an unconditional request. */
    public @Nullable Validators validators() {
        lock.lock();
        try {
            return core.validators();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the leader's own If-None-Match and If-Modified-Since are sent to the origin: if the answer was recently
     * not storable. Otherwise the whole answer is requested, to be stored.
     */
    public boolean forwardsConditions() {
        return core.uncacheable && core.stale == null;
    }

    /** Whether it has readers now. */
    public boolean wanted() {
        lock.lock();
        try {
            return !core.readers.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** True for a validation without a client (RFC 5861 3). */
    public boolean background() {
        return core.background;
    }

    /** Sets the connection that the next head is read from; on the leader's loop, before {@link #respond}. */
    public void from(SourceConnection connection) {
        core.from = connection;
    }

    /** Passes the head of a final response to the fill. */
    public Disposition respond(StoragePlan.Head head) {
        StoragePlan verdict = null;
        Disposition disposition = Disposition.PASS;
        List<FillCursor> awake;
        lock.lock();
        try {
            // the stale object belongs to this fill only until it is over, which other threads may cause
            if (core.state == State.WAITING) {
                verdict = StoragePlan.of(core.fills, leaderRequest, core.unconditional ? null : core.stale, head);
                disposition = core.follow(verdict, head.contentLength());
            }
            awake = core.readers.takeArmed();
        } finally {
            lock.unlock();
        }
        boolean read = disposition == Disposition.STORE || disposition == Disposition.SERVED;
        withheld = verdict != null && read && !core.servedStale
                ? StoredHeadWriter.withheld(head.status(), head.fields(), verdict.control())
                : null;
        FillReaders.wake(awake);
        return disposition;
    }

    /**
     * After {@link #respond}: the fields of the answer that are neither stored nor shown to other clients, for the
     * client whose request was fetched; null if there are none.
     */
    public @Nullable Fields withheld() {
        Fields now = withheld;
        withheld = null;
        return now;
    }

    /**
     * Adds a piece of the body; takes over the reference.
     *
     * @return false to stop reading from the origin until {@link FillSource#resume}
     */
    public boolean append(ByteBuf data) {
        boolean kept = false;
        List<FillCursor> awake;
        boolean go;
        lock.lock();
        try {
            boolean expected = !core.state.over() && core.state != State.WAITING && !core.arrived;
            if (expected && data.isReadable() && core.fits(data)) {
                kept = core.add(data);
            }
            awake = core.readers.takeArmed();
            go = !core.paused;
        } finally {
            if (!kept) {
                data.release();
            }
            lock.unlock();
        }
        FillReaders.wake(awake);
        return go;
    }

    /** The body is complete. A body that is not as long as its Content-Length fails the fill. */
    public void complete(@Nullable Fields trailerFields) {
        change(() -> {
            if ((core.state == State.STORING || core.state == State.PASSING) && !core.arrived) {
                core.finish(trailerFields == null || trailerFields.size() == 0 ? null : trailerFields.copy());
            }
        });
    }

    /**
     * The fetch failed. Before the head: a stale object is served, or one reader takes over, once; otherwise all
     * readers get the failure.
     */
    public void abort(FillFailure cause) {
        change(() -> {
            if (core.state == State.WAITING) {
                core.failEarly(cause);
            } else if (!core.state.over() && !core.arrived) {
                core.fail(cause);
            }
        });
    }

    /**
     * The leader leaves without having sent its request (its client left the queue, its route answered otherwise): one
     * of the waiting readers takes over. Unlike {@link #abort} this is not a failure, and it may happen any number of
     * times.
     */
    public void resign() {
        resign(FillFailure.RESIGNED);
    }

    /**
     * As {@link #resign()}, with a failure for the leader's own client, if it still reads, that does not affect other
     * readers.
     */
    public void resign(FillFailure own) {
        change(() -> {
            if (core.state == State.WAITING) {
                core.resign(own);
            }
        });
    }

    /** Changes the state, and wakes the readers that wait for it. */
    private void change(Runnable what) {
        List<FillCursor> awake;
        lock.lock();
        try {
            what.run();
            awake = core.readers.takeArmed();
        } finally {
            lock.unlock();
        }
        FillReaders.wake(awake);
    }

    // ---- the sink

    @Override
    public void progressed() {
        lock.lock();
        try {
            core.slide();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void ended(boolean whole) {
        change(() -> core.sinkEnded(whole));
    }

    /** Bytes that the disk has taken so far, if the origin waits for it; -1: it does not. */
    public long awaitsDisk() {
        lock.lock();
        try {
            return core.awaitsDisk();
        } finally {
            lock.unlock();
        }
    }

    /** Readers have waited too long for the disk: if it has taken no more than this, the rest is not stored. */
    public void leaveDisk(long taken) {
        change(() -> {
            if (core.awaitsDisk() == taken) {
                core.sinkEnded(false);
            }
        });
    }

    // ---- the readers

    /**
     * Adds a reader. The leader's own request is the first reader; a background fill has none.
     *
     * @return null when it can no longer be joined: decide again
     */
    public @Nullable FillCursor join(FillRequest by, FillReader reader) {
        lock.lock();
        try {
            boolean own = core.readers.isOwn(by);
            if (own && !core.disposed()) {
                return core.readers.addOwn(new FillCursor(this, by, reader));
            }
            if (core.state.over()
                    || core.state == State.PASSING
                    || !core.fills.store.budget().reserve(FillCursor.HEAP_BYTES)) {
                return null;
            }
            core.fills.counters.collapsed.inc();
            return core.readers.add(new FillCursor(this, by, reader));
        } finally {
            lock.unlock();
        }
    }

    /** Whether a request may join. Called with the store's lock held: takes no lock. */
    public boolean accepts(FillRequest by, CacheConfig config) {
        State now = core.state;
        Selection chosen = core.selection;
        if (alone()
                || core.doomed
                || core.from.doubtful()
                || full(config.maxWaiters())
                || by.audience() != leaderRequest.audience()) {
            return false;
        }
        CacheControl wanted = by.control(config);
        boolean reload = wanted.noCache() || wanted.maxAge() == 0;
        if (now == State.WAITING || (now == State.STORING && !reload)) {
            return chosen == null || chosen.selects(by);
        }
        return false;
    }

    /** Whether a request without cache directives would wait for this fill. */
    public boolean joinable() {
        return !alone() && !core.doomed && core.state == State.WAITING;
    }

    public boolean full(int maxWaiters) {
        return core.readers.count() > maxWaiters;
    }

    Signal poll(FillCursor cursor) {
        Signal signal;
        List<FillCursor> awake;
        lock.lock();
        try {
            boolean over = core.state.over();
            signal = next(cursor);
            awake = core.readers.takeArmedExcept(cursor, over != core.state.over());
        } finally {
            lock.unlock();
        }
        FillReaders.wake(awake);
        // not under the lock: the page cache has it, or a reading thread gets it
        return cursor.below() ? cursor.readBelow() : signal;
    }

    private Signal next(FillCursor cursor) {
        if (cursor.failure != null) {
            return Signal.FAILED;
        }
        if (cursor.released || core.state == State.RELEASED) {
            return release(cursor);
        }
        if (cursor.elected) {
            cursor.elected = false;
            return takeOver(cursor);
        }
        StoredObject head = core.object;
        if (head == null) {
            return core.state.over() ? Signal.FAILED : await(cursor);
        }
        return cursor.headSeen ? read(cursor) : head(cursor, head);
    }

    /** From here on the fetch, and the storing of its result, are for this reader's request. */
    private Signal takeOver(FillCursor cursor) {
        Fields copy = cursor.request.fields().copy();
        if (!core.fills.store.reserve(LeaderRequest.heapBytes(copy))) {
            core.fail(new FillFailure(503, "no memory to take the fetch over"));
            return Signal.FAILED;
        }
        core.fills.store.budget().release(LeaderRequest.heapBytes(leaderRequest.fields()));
        leaderRequest = LeaderRequest.of(cursor.request, copy, cursor.request.control(core.fills.config.get()));
        return Signal.LEAD;
    }

    private Signal release(FillCursor cursor) {
        if (!cursor.released) {
            cursor.released = true;
            core.readers.drop(cursor);
            core.fills.counters.released.inc();
        }
        return Signal.RELEASED;
    }

    private Signal head(FillCursor cursor, StoredObject head) {
        Selection now = core.selection;
        if (!core.readers.isLeader(cursor) && (core.leaderOnly || (now != null && !now.selects(cursor.request)))) {
            return release(cursor);
        }
        cursor.head(head.retain());
        return Signal.HEAD;
    }

    private Signal read(FillCursor cursor) {
        BodySink sink = core.body.sink();
        if (sink != null && core.body.isBelow(cursor.position)) {
            cursor.below(sink.body(), sink.readable());
            return Signal.WAIT;
        }
        ByteBuf slice = core.body.slice(cursor.position);
        if (slice != null) {
            cursor.data(slice);
            core.slide();
            core.cutLaggards();
            return Signal.DATA;
        }
        if (core.state == State.COMPLETE || core.arrived) {
            return Signal.END;
        }
        return core.state.over() ? Signal.FAILED : await(cursor);
    }

    private Signal await(FillCursor cursor) {
        cursor.armed = true;
        core.cutLaggards();
        return Signal.WAIT;
    }

    void close(FillCursor cursor) {
        change(() -> {
            if (!cursor.open) {
                return;
            }
            if (!core.readers.isFirst(cursor)) {
                core.fills.store.budget().release(FillCursor.HEAP_BYTES);
            }
            if (core.readers.remove(cursor)) {
                core.fills.counters.elections.inc();
            }
            core.slide();
            core.readerLeft();
            core.dispose();
        });
    }

    void satisfied() {
        lock.lock();
        try {
            core.satisfied = true;
        } finally {
            lock.unlock();
        }
    }

    /** What a reader needs cannot be read. */
    void failed(FillCursor cursor, FillFailure cause) {
        lock.lock();
        try {
            cursor.failure = cause;
        } finally {
            lock.unlock();
        }
    }

    boolean isOpen(FillCursor cursor) {
        lock.lock();
        try {
            return cursor.open;
        } finally {
            lock.unlock();
        }
    }

    /** Why the answer was not stored, for the detail of Cache-Status; empty if it was or may be. */
    public String passReason() {
        return core.passReason;
    }

    /** Whether the answer is stored or may still be: Cache-Status stored (RFC 9211 2.5). */
    public boolean storing() {
        State now = core.state;
        return now == State.STORING || (now == State.COMPLETE && core.stored);
    }

    @Nullable
    Fields trailers() {
        return core.trailers;
    }

    FillFailure failure() {
        FillFailure now = core.failure;
        return now == null ? new FillFailure(503, "the fetch was aborted") : now;
    }

    boolean servedStale() {
        return core.servedStale;
    }

    public State state() {
        return core.state;
    }

    @Override
    protected void doom() {
        core.doomed = true;
    }
}
