package io.weir.proxy.cache.fill;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.caching.Vary;
import io.weir.proxy.cache.fill.Fill.State;
import io.weir.proxy.cache.store.Block;
import io.weir.proxy.cache.store.BodySink;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * The leader's operations on a fill: carries out the storage plan for the head, takes in the body, ends the fill.
 * Called with the lock held.
 */
final class FillWriter extends FillState {
    private final ObjectMaker maker;

    FillWriter(Fill fill, Fills fills, CacheEntry entry, FillStart start) {
        super(fill, fills, entry, start);
        this.maker = new ObjectMaker(fills.store);
    }

    Disposition follow(StoragePlan verdict, long contentLength) {
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

    private Disposition begin(StoragePlan verdict, long contentLength) {
        Selection chosen = selection(verdict);
        BodySink sink = fills.sinks(fill.leaderRequest.terms(), contentLength) ? sink(contentLength) : null;
        if (sink == null && contentLength > fills.mostInMemory(fill.leaderRequest.terms())) {
            // not remembered: who does not keep it asks the member again that does
            return pass(fills.store.keptBelow(entry) ? "disk" : "too-large", false);
        }
        boolean inMemory = sink == null;
        // a body that will not fit must not evict others first
        boolean room = !inMemory || contentLength <= Block.LARGEST || fills.store.hasRoom(contentLength);
        StoredObject draft = room ? maker.begin(entry, verdict, chosen.key(), from, contentLength, inMemory) : null;
        if (sink != null) {
            body.sinkTo(sink);
        }
        if (draft == null) {
            return pass("memory", false);
        }
        draft.block(0).buffer().retain();
        body.begin(draft.block(0), ObjectMaker.bodyFrom(draft.headLayout(), contentLength));
        object = draft;
        if (inMemory && contentLength >= 0 && !body.reserve(contentLength)) {
            return pass("memory", false);
        }
        selection = chosen;
        fills.store.uncacheables().remove(entry.hash());
        transition(State.STORING);
        return Disposition.STORE;
    }

    private @Nullable BodySink sink(long length) {
        return fills.store.keptBelow(entry) ? fills.store.lower().sink(entry, length, fill) : null;
    }

    private Selection selection(StoragePlan verdict) {
        Vary vary = verdict.vary();
        return new Selection(vary, vary.matchable() ? vary.key(fill.leaderRequest.fields()) : "*");
    }

    private Disposition pass(String reason, boolean remembered) {
        passReason = reason;
        fills.counters.refused(reason);
        if (remembered) {
            fills.uncacheable(entry, stale);
        }
        transition(State.RELEASED);
        readers.releaseLeader();
        dispose();
        return Disposition.PASS;
    }

    private Disposition serve(StoragePlan verdict) {
        StoredObject old = stale;
        if (old == null) {
            throw new IllegalStateException("nothing stored to serve");
        }
        if (verdict.reason().equals("error")) {
            serve(old.retain(), true);
            return Disposition.SERVED;
        }
        fills.counters.notModified.inc();
        Selection chosen = selection(verdict);
        StoredObject fresh = maker.refresh(old, verdict, chosen.key(), from);
        if (fresh == null || !verdict.reason().isEmpty()) {
            leaderOnly = fresh != null;
            passReason = fresh == null ? "memory" : verdict.reason();
            fills.drop(old);
        } else {
            put(fresh.retain());
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
            fills.counters.staleForError.inc();
        }
        body.adopt(retained);
        transition(State.COMPLETE);
        dispose();
    }

    boolean fits(ByteBuf data) {
        long length = length();
        if (length >= 0 && body.written() + data.readableBytes() > length) {
            fills.counters.truncated.inc();
            fail(FillFailure.TRUNCATED);
            return false;
        }
        return true;
    }

    /** Stores or keeps the data; returns true if the buffer itself was kept. */
    boolean add(ByteBuf data) {
        if (sinking()) {
            return addBelow(data);
        }
        if (state == State.STORING) {
            long length = length();
            long most = fills.mostInMemory(fill.leaderRequest.terms());
            if (length < 0 && body.written() + data.readableBytes() > Math.min(most, fills.sinksFrom()) && sinks()) {
                return addBelow(data);
            }
            if (length < 0 && body.written() + data.readableBytes() > most) {
                boolean bound = most == fills.store.largestBody()
                        && most < fill.leaderRequest.terms().maxSize(fills.config.get());
                (bound ? fills.counters.outOfMemory : fills.counters.tooLarge).inc();
                leaveStore(belowMayHave(body.written()) ? "disk" : "too-large");
            } else if (body.store(data, length < 0 ? -1 : length - body.written())) {
                return false;
            } else {
                fills.counters.outOfMemory.inc();
                leaveStore("memory");
            }
            if (unread()) {
                abandon();
                dispose();
                return false;
            }
        }
        body.pass(data);
        slide();
        if (body.held() > fills.config.get().fillWindow().bytes()) {
            pause();
        }
        return true;
    }

    /** A body of unknown length has become too large for memory: the rest is written below, with what there is. */
    private boolean sinks() {
        BodySink sink = belowMayHave(body.written() + 1) ? sink(-1) : null;
        if (sink != null) {
            body.sinkTo(sink);
        }
        return sink != null;
    }

    /** Whether a body of more than these bytes is written below, if there is room. */
    private boolean belowMayHave(long bytes) {
        return fills.store.keptBelow(entry) && fills.mostBelow(fill.leaderRequest.terms()) > bytes;
    }

    private boolean addBelow(ByteBuf data) {
        if (body.written() + data.readableBytes() > fills.mostBelow(fill.leaderRequest.terms()) && length() < 0) {
            fills.counters.tooLarge.inc();
            leaveSink("too-large");
            if (state.over()) {
                return false;
            }
            body.pass(data);
        } else {
            body.sink(data);
        }
        slide();
        if (window() > mostWindow()) {
            pause();
        }
        return true;
    }

    /** The body cannot be kept below: present readers get the rest, those that lag behind from what is there. */
    private void leaveSink(String reason) {
        BodySink sink = body.sink();
        leaveStore(reason);
        if (sink != null) {
            sink.abort();
        }
        if (unread()) {
            abandon();
            dispose();
        }
    }

    /** The sink has all of the body, or cannot write the rest. */
    void sinkEnded(boolean whole) {
        if (state != State.STORING) {
            return;
        }
        if (!whole && !arrived) {
            leaveSink("disk");
            if (!state.over() && window() > mostWindow()) {
                pause();
            }
            slide();
            return;
        }
        if (whole) {
            seal();
        } else {
            passReason = "disk";
            fills.counters.refused(passReason);
        }
        transition(State.COMPLETE);
        slide();
        dispose();
    }

    private void leaveStore(String reason) {
        passReason = reason;
        fills.counters.refused(reason);
        StoredObject old = stale;
        boolean large = reason.equals("too-large");
        if (large && fills.store.keptBelow(entry)) {
            fills.uncacheable(entry, old);
        } else if (large && old != null) {
            // not remembered, as in begin: the member is asked again that keeps it
            fills.drop(old);
        }
        transition(State.PASSING);
    }

    void finish(@Nullable Fields trailerFields) {
        if (length() >= 0 && length() != body.written()) {
            fills.counters.truncated.inc();
            fail(FillFailure.TRUNCATED);
            return;
        }
        trailers = trailerFields;
        BodySink sink = body.sink();
        if (sinking() && sink != null) {
            // those who have read all of it are done; it can be joined until it is stored
            arrived = true;
            sink.end();
            return;
        }
        if (state == State.STORING) {
            seal();
        }
        transition(State.COMPLETE);
        dispose();
    }

    private void seal() {
        StoredObject draft = object;
        if (draft == null) {
            return;
        }
        if (body.written() < fill.leaderRequest.terms().minSize(fills.config.get())) {
            passReason = "too-small";
            fills.counters.refused(passReason);
            return;
        }
        BodySink sink = body.sink();
        StoredObject sealed = sink == null ? maker.seal(draft, body) : maker.seal(draft, sink.body(), body.written());
        if (sealed != null && put(sealed)) {
            fills.counters.complete.inc();
        }
    }

    private boolean put(StoredObject object) {
        stored = fills.put(object, this);
        if (stored && object.vary().isEmpty() && FillRequest.simple(fill.leaderRequest.fields())) {
            fills.counters.simpleStored.inc();
        }
        if (!stored) {
            passReason = "invalidated";
            fills.counters.refused(passReason);
        }
        return stored;
    }

    void failEarly(FillFailure cause) {
        StoredObject old = stale;
        long now = fills.clock.millis();
        if (old != null && StoragePlan.covers(fills.config.get(), fill.leaderRequest, old, now)) {
            serve(old.retain(), true);
        } else if (!readers.reelect(cause)) {
            fail(cause);
        } else {
            source = null;
            fills.counters.elections.inc();
        }
    }

    void resign(FillFailure own) {
        source = null;
        if (readers.succeed(own)) {
            fills.counters.elections.inc();
        } else {
            fail(own);
        }
    }
}
