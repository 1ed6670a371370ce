package io.weir.proxy.cache;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.caching.Vary;
import io.weir.proxy.cache.Fill.Selection;
import io.weir.proxy.cache.Fill.State;
import org.jspecify.annotations.Nullable;

/** What the leader does to a fill: the head's verdict carried out, the body taken in, the end. Called with the lock held. */
final class FillWriter extends FillState {
    private final ObjectMaker maker;

    FillWriter(Fill fill, Cache cache, Entry entry, Fill.Start start) {
        super(fill, cache, entry, start);
        this.maker = new ObjectMaker(cache.store);
    }

    Disposition follow(Verdict verdict, long contentLength) {
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
        // what will not fit in the end must not push out others first
        boolean room = contentLength <= FillBody.LARGEST_BLOCK || cache.store.hasRoom(contentLength);
        StoredObject draft = room ? maker.begin(entry, verdict, chosen.key(), from, contentLength) : null;
        if (draft == null) {
            return pass("memory", false);
        }
        draft.block(0).buffer().retain();
        body.begin(draft.block(0), ObjectMaker.bodyFrom(draft.headLayout(), contentLength));
        object = draft;
        if (contentLength >= 0 && !body.reserve(contentLength)) {
            return pass("memory", false);
        }
        selection = chosen;
        cache.store.uncacheables.remove(entry.hash);
        transition(State.STORING);
        return Disposition.STORE;
    }

    private Selection selection(Verdict verdict) {
        Vary vary = verdict.vary();
        return new Selection(vary, vary.matchable() ? vary.key(fill.asked.fields()) : "*");
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
        StoredObject fresh = maker.refresh(old, verdict, chosen.key(), from);
        if (fresh == null || !verdict.reason().isEmpty()) {
            leaderOnly = fresh != null;
            passReason = fresh == null ? "memory" : verdict.reason();
            cache.drop(old);
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
            cache.counters.staleForError.inc();
        }
        body.adopt(retained);
        transition(State.COMPLETE);
        dispose();
    }

    boolean fits(ByteBuf data) {
        long length = length();
        if (length >= 0 && body.written() + data.readableBytes() > length) {
            cache.counters.truncated.inc();
            fail(FillFailure.TRUNCATED);
            return false;
        }
        return true;
    }

    /** Stores or keeps the data; true when the buffer itself was kept. */
    boolean add(ByteBuf data) {
        if (state == State.STORING) {
            long length = length();
            long most = cache.mostBytes(fill.asked.terms());
            if (length < 0 && body.written() + data.readableBytes() > most) {
                boolean bound = most < fill.asked.terms().maxSize(cache.config.get());
                (bound ? cache.counters.outOfMemory : cache.counters.tooLarge).inc();
                leaveStore("too-large");
            } else if (body.store(data, length < 0 ? -1 : length - body.written())) {
                return false;
            } else {
                cache.counters.outOfMemory.inc();
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
        if (body.held() > cache.config.get().fillWindow().bytes()) {
            pause();
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

    void finish(@Nullable Fields trailerFields) {
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
        if (draft == null) {
            return;
        }
        if (body.written() < fill.asked.terms().minSize(cache.config.get())) {
            passReason = "too-small";
            cache.counters.refused(passReason);
            return;
        }
        StoredObject sealed = maker.seal(draft, body);
        if (sealed != null && put(sealed)) {
            cache.counters.complete.inc();
        }
    }

    private boolean put(StoredObject object) {
        stored = cache.put(object, this);
        if (!stored) {
            passReason = "invalidated";
            cache.counters.refused(passReason);
        }
        return stored;
    }

    void failEarly(FillFailure cause) {
        StoredObject old = stale;
        long now = cache.clock.millis();
        if (old != null && Verdict.covers(cache.config.get(), fill.asked, old, now)) {
            serve(old.retain(), true);
        } else if (!readers.reelect(cause)) {
            fail(cause);
        } else {
            source = null;
            cache.counters.elections.inc();
        }
    }

    void resign(FillFailure own) {
        source = null;
        if (readers.succeed(own)) {
            cache.counters.elections.inc();
        } else {
            fail(own);
        }
    }
}
