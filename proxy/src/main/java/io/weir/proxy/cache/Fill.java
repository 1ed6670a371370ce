package io.weir.proxy.cache;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.caching.CacheControl;
import io.weir.http.caching.Validators;
import io.weir.http.caching.Vary;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One fetch that fills or validates the store, and all who wait for it. The leader writes from its loop: {@link #lead},
 * {@link #respond}, then {@link #append} and {@link #complete}, or {@link #abort}; readers read through cursors from theirs.
 * Once the fill is over, what the leader still writes is ignored. Shared; guarded by its own lock, which is taken before the
 * store's. Lives until it is over and its last cursor is closed.
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

    /** What an answer varies on, and the key that this one was chosen by. */
    record Selection(Vary vary, String key) {
        boolean selects(CacheRequest request) {
            return vary.isEmpty() || key.equals(vary.key(request.fields()));
        }
    }

    final Fields request;
    final CacheControl requested;
    /** Links the fills of an entry; guarded by the store's lock. */
    @Nullable
    Fill nextFill;

    private final Cache cache;
    private final Entry entry;
    private final boolean alone;
    private final boolean background;
    private final @Nullable StoredObject stale;
    private final ObjectMaker maker;
    private final ReentrantLock lock = new ReentrantLock();
    private final FillReaders readers;
    private final FillBody body;
    private volatile State state = State.WAITING;
    // before the head: what the stored variants vary on; after it: what the answer does
    private volatile @Nullable Selection selection;
    private volatile boolean doomed;
    private volatile String passReason = "";
    private volatile boolean stored;
    private volatile boolean servedStale;
    private volatile @Nullable Fields trailers;
    private volatile @Nullable FillFailure failure;
    // guarded by the lock
    private @Nullable FillSource source;
    private @Nullable StoredObject object;
    private boolean unconditional;
    private boolean paused;
    private boolean disposed;
    private long windowCounted;

    Fill(Cache cache, Entry entry, Fields request, CacheControl requested, Start start) {
        this.cache = cache;
        this.entry = entry;
        this.request = request;
        this.requested = requested;
        this.stale = start.stale;
        this.selection = start.expected;
        this.alone = start.alone;
        this.background = start.background;
        this.maker = new ObjectMaker(cache.store);
        this.body = new FillBody(cache.store);
        this.readers = new FillReaders(start.own);
        cache.counters.fills.inc();
        cache.counters.activeFills.incrementAndGet();
    }

    /**
     * How a fill begins.
     *
     * @param stale what is to be validated, retained for the fill
     * @param expected what the stored variants vary on, with the leader's key
     * @param alone nobody may join
     * @param background no client
     * @param own the leader's own request, which joins first
     */
    record Start(
            @Nullable StoredObject stale,
            @Nullable Selection expected,
            boolean alone,
            boolean background,
            @Nullable CacheRequest own) {}

    // ---- the leader

    /** The caller fetches; from now on it is told to pause, go on or stop. Called again by a reader that takes over. */
    public void lead(FillSource leader) {
        boolean over;
        lock.lock();
        try {
            source = leader;
            readers.led();
            over = state == State.ABANDONED;
        } finally {
            lock.unlock();
        }
        if (over) {
            FillReaders.tell(leader, leader::abandon);
        }
    }

    /** The validators to send as conditions (RFC 9111 4.3.1), or null for an unconditional request. */
    public @Nullable Validators validators() {
        StoredObject old = stale;
        if (old == null || unconditional) {
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
        Verdict.Head head = new Verdict.Head(status, fields, contentLength, requestMillis, responseMillis);
        Verdict verdict = Verdict.of(cache.config.get(), this, unconditional ? null : stale, head);
        Disposition disposition = Disposition.PASS;
        List<FillCursor> awake;
        lock.lock();
        try {
            if (state == State.WAITING) {
                disposition = follow(verdict, contentLength);
            }
            awake = readers.takeArmed();
        } finally {
            lock.unlock();
        }
        FillReaders.wake(awake);
        return disposition;
    }

    private Disposition follow(Verdict verdict, long contentLength) {
        return switch (verdict.disposition()) {
            case STORE -> begin(verdict, contentLength);
            case PASS -> pass(verdict.reason(), verdict.remembered());
            case SERVED -> serve(verdict);
            case REPEAT -> {
                unconditional = true;
                yield Disposition.REPEAT;
            }
        };
    }

    private Disposition begin(Verdict verdict, long contentLength) {
        Selection chosen = selection(verdict);
        StoredObject draft = maker.begin(entry, verdict, chosen.key(), contentLength);
        if (draft == null) {
            return pass("memory", false);
        }
        draft.block(0).buffer().retain();
        body.begin(draft.block(0), ObjectMaker.bodyFrom(draft.headLayout(), contentLength));
        object = draft;
        selection = chosen;
        cache.store.uncacheables.remove(entry.hash);
        transition(State.STORING);
        return Disposition.STORE;
    }

    private Selection selection(Verdict verdict) {
        Vary vary = verdict.vary();
        return new Selection(vary, vary.matchable() ? vary.key(request) : "*");
    }

    private Disposition pass(String reason, boolean remembered) {
        passReason = reason;
        cache.counters.refused(reason);
        if (remembered) {
            cache.uncacheable(entry, stale);
        }
        transition(State.RELEASED);
        readers.releaseLeader();
        dispose();
        return Disposition.PASS;
    }

    private Disposition serve(Verdict verdict) {
        StoredObject old = stale;
        if (old == null) {
            throw new IllegalStateException("nothing stored to serve");
        }
        if (verdict.reason().equals("error")) {
            serve(old.retain(), true);
            return Disposition.SERVED;
        }
        cache.counters.notModified.inc();
        Selection chosen = selection(verdict);
        StoredObject fresh = maker.refresh(old, verdict, chosen.key());
        if (fresh != null && verdict.reason().isEmpty() && !doomed) {
            stored = true;
            cache.put(fresh.retain());
        } else {
            passReason = verdict.reason();
        }
        selection = chosen;
        serve(fresh == null ? old.retain() : fresh, false);
        return Disposition.SERVED;
    }

    private void serve(StoredObject retained, boolean isStale) {
        object = retained;
        servedStale = isStale;
        if (isStale) {
            selection = new Selection(retained.vary(), retained.varyKey());
            cache.counters.staleForError.inc();
        }
        body.adopt(retained);
        transition(State.COMPLETE);
        dispose();
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
            if (!state.over() && state != State.WAITING && data.isReadable() && fits(data)) {
                kept = add(data);
            }
            awake = readers.takeArmed();
            go = !paused;
        } finally {
            if (!kept) {
                data.release();
            }
            lock.unlock();
        }
        FillReaders.wake(awake);
        return go;
    }

    private boolean fits(ByteBuf data) {
        long length = length();
        if (length >= 0 && body.written() + data.readableBytes() > length) {
            cache.counters.truncated.inc();
            fail(FillFailure.TRUNCATED);
            return false;
        }
        return true;
    }

    private long length() {
        StoredObject head = object;
        return head == null ? -1 : head.contentLength();
    }

    /** Stores or keeps the data; true when the buffer itself was kept. */
    private boolean add(ByteBuf data) {
        if (state == State.STORING) {
            long length = length();
            long most = cache.config.get().maxObjectSize().bytes();
            if (length < 0 && body.written() + data.readableBytes() > most) {
                cache.counters.tooLarge.inc();
                leaveStore("too-large");
            } else if (body.store(data, length < 0 ? -1 : length - body.written())) {
                return false;
            } else {
                cache.counters.outOfMemory.inc();
                leaveStore("memory");
            }
        }
        body.pass(data);
        slide();
        if (body.held() > cache.config.get().fillWindow().bytes()) {
            paused = !state.over();
        }
        return true;
    }

    private void leaveStore(String reason) {
        passReason = reason;
        cache.counters.refused(reason);
        if (reason.equals("too-large")) {
            cache.uncacheable(entry, stale);
        }
        transition(State.PASSING);
    }

    /** Forgets what all readers have; goes on with the origin when enough of the window is free. */
    private void slide() {
        if (object == null || body.outside() == 0 && state != State.PASSING) {
            return;
        }
        body.forget(readers.leastPosition(body.written()));
        countWindow();
        resumeIfRoom();
    }

    private void resumeIfRoom() {
        if (paused && body.held() <= cache.config.get().fillWindow().bytes() / 2) {
            paused = false;
            FillSource leader = source;
            if (leader != null) {
                FillReaders.tell(leader, leader::resume);
            }
        }
    }

    private void countWindow() {
        long now = body.outside();
        cache.counters.windowBytes.addAndGet(now - windowCounted);
        windowCounted = now;
    }

    /** The body is complete. A body that is not as long as its Content-Length fails the fill. */
    public void complete(@Nullable Fields trailerFields) {
        List<FillCursor> awake;
        lock.lock();
        try {
            if (state == State.STORING || state == State.PASSING) {
                finish(trailerFields == null || trailerFields.size() == 0 ? null : trailerFields.copy());
            }
            awake = readers.takeArmed();
        } finally {
            lock.unlock();
        }
        FillReaders.wake(awake);
    }

    private void finish(@Nullable Fields trailerFields) {
        if (length() >= 0 && length() != body.written()) {
            cache.counters.truncated.inc();
            fail(FillFailure.TRUNCATED);
            return;
        }
        trailers = trailerFields;
        if (state == State.STORING) {
            seal();
        }
        transition(State.COMPLETE);
        dispose();
    }

    private void seal() {
        StoredObject draft = object;
        if (draft == null || doomed) {
            return;
        }
        if (body.written() < cache.config.get().minObjectSize().bytes()) {
            passReason = "too-small";
            cache.counters.refused(passReason);
            return;
        }
        StoredObject sealed = maker.seal(draft, body);
        if (sealed != null) {
            stored = true;
            cache.put(sealed);
            cache.counters.complete.inc();
        }
    }

    /** The fetch failed. Before the head: a stale object covers it, or one reader takes over, once; else all get the failure. */
    public void abort(FillFailure cause) {
        List<FillCursor> awake;
        lock.lock();
        try {
            if (state == State.WAITING) {
                failEarly(cause);
            } else if (!state.over()) {
                fail(cause);
            }
            awake = readers.takeArmed();
        } finally {
            lock.unlock();
        }
        FillReaders.wake(awake);
    }

    private void failEarly(FillFailure cause) {
        StoredObject old = stale;
        long now = cache.clock.millis();
        if (old != null && Verdict.covers(cache.config.get(), this, old, now)) {
            serve(old.retain(), true);
        } else if (!readers.reelect(cause)) {
            fail(cause);
        } else {
            source = null;
            cache.counters.elections.inc();
        }
    }

    private void fail(FillFailure cause) {
        failure = cause;
        cache.counters.failed.inc();
        transition(State.FAILED);
        dispose();
    }

    // ---- the readers

    /**
     * Begins to read. The leader's own request is the first reader; a fill in the background has none.
     *
     * @return null when nobody can join any more: decide again
     */
    public @Nullable FillCursor join(CacheRequest by, FillReader reader) {
        lock.lock();
        try {
            boolean own = readers.isOwn(by);
            if (own && !disposed) {
                return readers.addOwn(new FillCursor(this, by, reader));
            }
            if (state.over() || state == State.PASSING || !cache.store.budget.reserve(FillCursor.HEAP_BYTES)) {
                return null;
            }
            cache.counters.collapsed.inc();
            return readers.add(new FillCursor(this, by, reader));
        } finally {
            lock.unlock();
        }
    }

    /** Whether a request may join. Asked with the store's lock held: takes none. */
    boolean accepts(CacheRequest by, int maxWaiters) {
        State now = state;
        Selection chosen = selection;
        if (alone || doomed || full(maxWaiters)) {
            return false;
        }
        boolean reload = by.control().noCache() || by.control().maxAge() == 0;
        if (now == State.WAITING || (now == State.STORING && !reload)) {
            return chosen == null || chosen.selects(by);
        }
        return false;
    }

    boolean full(int maxWaiters) {
        return readers.count() > maxWaiters;
    }

    Signal poll(FillCursor cursor) {
        lock.lock();
        try {
            if (cursor.failure != null) {
                return Signal.FAILED;
            }
            if (cursor.released || state == State.RELEASED) {
                return release(cursor);
            }
            if (cursor.elected) {
                cursor.elected = false;
                return Signal.LEAD;
            }
            StoredObject head = object;
            if (head == null) {
                return state.over() ? Signal.FAILED : await(cursor);
            }
            return cursor.headSeen ? read(cursor) : head(cursor, head);
        } finally {
            lock.unlock();
        }
    }

    private Signal release(FillCursor cursor) {
        if (!cursor.released) {
            cursor.released = true;
            readers.drop(cursor);
            cache.counters.released.inc();
        }
        return Signal.RELEASED;
    }

    private Signal head(FillCursor cursor, StoredObject head) {
        Selection now = selection;
        if (!readers.isLeader(cursor) && now != null && !now.selects(cursor.request)) {
            return release(cursor);
        }
        cursor.head(head.retain());
        return Signal.HEAD;
    }

    private Signal read(FillCursor cursor) {
        ByteBuf slice = body.slice(cursor.position);
        if (slice != null) {
            cursor.data(slice);
            slide();
            return Signal.DATA;
        }
        if (state == State.COMPLETE) {
            return Signal.END;
        }
        return state.over() ? Signal.FAILED : await(cursor);
    }

    /** The reader has all there is. When it waits because others lag behind by a window, they are cut. */
    private Signal await(FillCursor cursor) {
        cursor.armed = true;
        if (paused) {
            int cut =
                    readers.cut(body.written() - cache.config.get().fillWindow().bytes());
            cache.counters.cut.add(cut);
            slide();
        }
        return Signal.WAIT;
    }

    void close(FillCursor cursor) {
        List<FillCursor> awake;
        lock.lock();
        try {
            if (!cursor.open) {
                return;
            }
            if (!readers.isFirst(cursor)) {
                cache.store.budget.release(FillCursor.HEAP_BYTES);
            }
            if (readers.remove(cursor)) {
                cache.counters.elections.inc();
            }
            slide();
            abandonIfUseless();
            dispose();
            awake = readers.takeArmed();
        } finally {
            lock.unlock();
        }
        FillReaders.wake(awake);
    }

    private void abandonIfUseless() {
        if (state.over() || background || !readers.allGone() || (state == State.STORING && worthFinishing())) {
            return;
        }
        cache.counters.abandoned.inc();
        transition(State.ABANDONED);
        FillSource leader = source;
        if (leader != null) {
            FillReaders.tell(leader, leader::abandon);
        }
    }

    private boolean worthFinishing() {
        int percent = cache.config.get().termPercent();
        return percent == 0 || (length() > 0 && body.written() * 100 > length() * percent);
    }

    boolean isOpen(FillCursor cursor) {
        lock.lock();
        try {
            return cursor.open;
        } finally {
            lock.unlock();
        }
    }

    /** Where state changes; what is no longer joined leaves its entry. */
    private void transition(State next) {
        if (next != State.STORING && state != State.PASSING) {
            cache.leave(entry, this);
        }
        state = next;
    }

    /** Gives everything back once the fill is over and nobody reads. */
    private void dispose() {
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
        cache.counters.activeFills.decrementAndGet();
        cache.store.budget.release(heapBytes(request));
    }

    static long heapBytes(Fields request) {
        return HEAP_BYTES + request.memoryBytes();
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
        return now == null ? new FillFailure(503, "the fetch was given up") : now;
    }

    boolean servedStale() {
        return servedStale;
    }

    State state() {
        return state;
    }

    /** Invalidated while in flight: nobody joins any more, and the answer is not stored. */
    void doom() {
        doomed = true;
    }
}
