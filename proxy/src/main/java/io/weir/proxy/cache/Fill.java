package io.weir.proxy.cache;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.caching.CacheControl;
import io.weir.http.caching.Validators;
import io.weir.http.caching.Vary;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One fetch that fills or validates the store, and all who wait for it. The leader writes from its loop: {@link #lead},
 * {@link #respond}, then {@link #append} and {@link #complete}, or {@link #abort}; readers read through cursors from theirs.
 * Shared; guarded by its own lock, which is taken before the store's. Lives until it ended and its last cursor is closed.
 */
public final class Fill {
    /** Heap bytes reserved for each fill, without the request's fields. */
    static final int HEAP_BYTES = 768;

    /** Where a fill is. */
    enum State {
        /** No head yet: any request for the key may join. */
        WAITING,
        /** The answer goes into the store: requests that select the same variant may join. */
        STORING,
        /** Too large for the store: those who read go on through a window, nobody joins. */
        PASSING,
        /** All is there. */
        COMPLETE,
        /** Uncacheable: the readers fetch for themselves. */
        RELEASED,
        FAILED,
        /** Nobody waited any more. */
        ABANDONED;

        boolean over() {
            return compareTo(COMPLETE) >= 0;
        }
    }

    /** What an answer varies on, for those who join after its head. */
    record Selection(Vary vary, String key) {
        boolean selects(CacheRequest request) {
            return vary.isEmpty() || key.equals(vary.key(request.fields()));
        }
    }

    final Cache cache;
    final Entry entry;
    final Fields request;
    final CacheControl requested;
    private final boolean alone;
    private final boolean background;
    final @Nullable StoredObject stale;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<FillCursor> cursors = new ArrayList<>(2);
    final FillBody body;
    /** Links the fills of an entry; guarded by the store's lock. */
    @Nullable
    Fill nextFill;

    private volatile State state = State.WAITING;
    // before the head: what the stored variants vary on; after it: what the answer does
    private volatile @Nullable Selection selection;
    private volatile boolean doomed;
    // guarded by the lock
    private @Nullable FillSource source;
    private @Nullable FillCursor leaderCursor;
    private @Nullable StoredObject object;
    private @Nullable Fields trailers;
    private @Nullable FillFailure failure;
    private long length = -1;
    private boolean reelected;
    private boolean paused;
    private boolean disposed;
    private boolean servedStale;
    private boolean stored;
    private String passReason = "";

    Fill(
            Cache cache,
            Entry entry,
            Fields request,
            CacheControl requested,
            @Nullable StoredObject stale,
            @Nullable Selection expected,
            boolean alone,
            boolean background) {
        this.cache = cache;
        this.entry = entry;
        this.request = request;
        this.requested = requested;
        this.stale = stale;
        this.selection = expected;
        this.alone = alone;
        this.background = background;
        this.body = new FillBody(cache.store);
    }

    // ---- the leader

    /** The caller fetches; from now on it is told to pause, go on or stop. Called again by a reader that takes over. */
    public void lead(FillSource leader) {
        lock.lock();
        try {
            source = leader;
        } finally {
            lock.unlock();
        }
    }

    /** The validators to send as conditions (RFC 9111 4.3.1), or null for an unconditional request. */
    public @Nullable Validators validators() {
        StoredObject old = stale;
        if (old == null) {
            return null;
        }
        Validators found = old.validators();
        return found.any() ? found : null;
    }

    /** True for a validation without a client (RFC 5861 3). */
    public boolean background() {
        return background;
    }

    /**
     * Shows the head of a final response.
     *
     * @param fields of the response; read during the call only
     * @param contentLength bytes of the body, -1 when only its end will tell
     * @param requestMillis epoch milliseconds when the request was sent
     * @param responseMillis epoch milliseconds when this head came in
     */
    public Disposition respond(int status, Fields fields, long contentLength, long requestMillis, long responseMillis) {
        throw new UnsupportedOperationException();
    }

    /**
     * Adds a piece of the body; takes over the reference.
     *
     * @return false to stop reading from the origin until {@link FillSource#resume}
     */
    public boolean append(ByteBuf data) {
        throw new UnsupportedOperationException();
    }

    /** The body is complete. A body that is not as long as its Content-Length fails the fill. */
    public void complete(@Nullable Fields trailerFields) {
        throw new UnsupportedOperationException();
    }

    /** The fetch failed. Before the head: a stale object covers it, or one reader takes over, once; else all get the failure. */
    public void abort(FillFailure cause) {
        throw new UnsupportedOperationException();
    }

    // ---- the readers

    /**
     * Begins to read. The first to join is the leader's own client, before {@link #respond}; a fill in the background has
     * none.
     *
     * @return null when nobody can join any more: decide again
     */
    public @Nullable FillCursor join(CacheRequest by, FillReader reader) {
        throw new UnsupportedOperationException();
    }

    Signal poll(FillCursor cursor) {
        throw new UnsupportedOperationException();
    }

    void close(FillCursor cursor) {
        throw new UnsupportedOperationException();
    }

    boolean isOpen(FillCursor cursor) {
        throw new UnsupportedOperationException();
    }

    /** Why the answer was not stored, for Cache-Status detail; empty when it was or may be. */
    public String passReason() {
        return passReason;
    }

    /** Whether the answer is, or may still come to be, stored: Cache-Status stored (RFC 9211 2.5). */
    public boolean storing() {
        State now = state;
        return now == State.STORING || (now == State.COMPLETE && stored);
    }

    @Nullable
    Fields trailers() {
        return trailers;
    }

    FillFailure failure() {
        FillFailure now = failure;
        return now == null ? FillFailure.TRUNCATED : now;
    }

    boolean servedStale() {
        return servedStale;
    }

    void doom() {
        doomed = true;
    }
}
