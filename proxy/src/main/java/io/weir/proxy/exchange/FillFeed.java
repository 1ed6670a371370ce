package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.ResponseHead;
import io.weir.kernel.mux.Deadline;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.cache.fill.FillSource;
import io.weir.proxy.cache.fill.StoragePlan;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.members.fetch.OwnerFetch;
import io.weir.proxy.members.fetch.OwnerQuestion;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.upstream.AnswerRest;
import io.weir.proxy.upstream.Fetch;
import io.weir.proxy.upstream.FetchRequest;
import io.weir.proxy.upstream.Leftover;
import io.weir.proxy.upstream.OriginConnection;
import io.weir.proxy.upstream.OriginFault;
import io.weir.proxy.upstream.Upstream;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Passes a leader's answer from its fetch into a fill. It outlives the leader's client: the fill cancels it when it has
 * no readers left. Confined to the muxer that fetches.
 */
final class FillFeed implements OwnerFetch.Feed, FillSource {
    /** The exchange whose request feeds the fill, as long as it reads from it. */
    interface Leader {
        ExchangeState exchange();

        /** There may be more to read and to write to the client. */
        void more();

        /**
         * The answer is not storable: it is relayed directly from now on.
         *
         * @param conditions the client's conditions were not sent to the origin, and are evaluated here
         */
        void passThrough(Passed own, String reason, ResponseHead received, boolean conditions);
    }

    /**
     * A fetch whose answer is relayed.
     *
     * @param owner that which asked the owner, and has the rest fetched if the owner fails; null: it was the origin's
     * @param request the same to the origin; null as above
     */
    record Passed(
            Fetch fetch,
            @Nullable OwnerFetch owner,
            @Nullable OriginRequest request) {}

    private enum Phase {
        /** Waiting for the head. */
        HEAD,
        /** The body goes into the fill. */
        STORING,
        /** The answer is discarded, and the request sent once more without conditions. */
        REPEATING,
        OVER
    }

    private final Upstream upstream;
    private final LoopContext loop;
    private final Fill fill;
    private @Nullable OriginRequest request;
    private @Nullable Leader leader;
    private @Nullable Fetch fetch;
    private @Nullable OwnerFetch asking;
    private @Nullable Deadline timeOut;
    private Phase phase = Phase.HEAD;

    /** @param leader the exchange whose request this is; null for a background validation */
    FillFeed(Upstream upstream, Fill fill, @Nullable Leader leader) {
        this.upstream = upstream;
        this.loop = upstream.loop();
        this.fill = fill;
        this.leader = leader;
    }

    private @Nullable ExchangeState leading() {
        Leader l = leader;
        return l == null ? null : l.exchange();
    }

    @Override
    public void lookingUp(boolean begins) {
        ExchangeState l = leading();
        if (l != null) {
            l.resolving(begins);
        }
    }

    /** Sends the request. */
    void start(OriginRequest to) {
        if (phase == Phase.OVER) {
            return;
        }
        request = to;
        OwnerQuestion question = to.question();
        if (question == null
                || !OwnerFetch.start(upstream, question, fill.validators(), fill.forwardsConditions(), this)) {
            fromOrigin();
        }
    }

    @Override
    public void fetches(Fetch now) {
        fetch = now;
    }

    @Override
    public void fromOrigin() {
        OriginRequest to = request;
        if (phase != Phase.OVER && to != null) {
            send(to.forStore(fill.validators(), fill.forwardsConditions()));
        }
    }

    @Override
    public @Nullable FetchRequest rest(AnswerRest of) {
        OriginRequest to = request;
        return phase == Phase.STORING && to != null ? to.rest(of) : null;
    }

    @Override
    public void ownerAnswered(OwnerFetch by, ResponseHead head, @Nullable FetchedFrom from, @Nullable Fields withheld) {
        Fetch f = fetch;
        if (f != null && phase != Phase.OVER) {
            asking = by;
            // the owner has applied the route's edits
            answered(f, head, RelayedAnswer.headOf(f, head, from), withheld);
        }
    }

    /** Takes over a fetch that was started without the store, and whose answer turned out to be storable. */
    void take(Fetch begun, ResponseHead received) {
        fetch = begun;
        begun.sink(this);
        answered(begun, received, RelayedAnswer.headOf(begun, received), null);
    }

    private void send(FetchRequest what) {
        Fetch f = new Fetch(upstream, what, this);
        fetch = f;
        f.start();
    }

    /** The fetch in progress, for the access log. */
    @Nullable
    Fetch fetch() {
        return fetch;
    }

    /** The leader's client disconnected, or no longer reads from this fill. */
    void leaderLeft() {
        leader = null;
        if (phase == Phase.OVER) {
            return;
        }
        if (fetch == null) {
            // nothing was sent: waiting readers must not wait for it
            over();
            fill.resign();
            return;
        }
        unread();
    }

    @Override
    public void unread() {
        if (phase == Phase.OVER) {
            return;
        }
        Deadline d = timeOut;
        if (d == null) {
            d = Deadline.of(this::timedOut);
            timeOut = d;
        }
        loop.deadlines().arm(d, loop.settings().afterAbortNanos());
    }

    /** The fetch has been without readers for long: if there are none now, the rest is not worth the origin's time. */
    private void timedOut() {
        Fetch f = fetch;
        if (phase != Phase.OVER && f != null && !fill.wanted()) {
            over();
            f.cancel();
            fill.abort(new FillFailure(504, "no client waited for the rest"));
        }
    }

    private void over() {
        phase = Phase.OVER;
        Deadline d = timeOut;
        timeOut = null;
        if (d != null) {
            loop.deadlines().disarm(d);
        }
    }

    /** The leader's request failed before or independently of the fetch: one of the waiting readers takes over. */
    void leaderFailed(ProxyFault fault, String detail) {
        leader = null;
        if (fetch == null && phase != Phase.OVER) {
            // no origin was contacted: this failure does not apply to other requests
            over();
            fill.resign(ErrorAnswers.failure(fault, detail));
        }
    }

    @Override
    public void queued(boolean on) {
        ExchangeState l = leading();
        if (l != null) {
            l.awaitsConnection(on);
        }
    }

    @Override
    public Executor executor() {
        return loop.muxer().eventLoop();
    }

    @Override
    public void resume() {
        Fetch f = fetch;
        if (f != null) {
            f.pause(false);
        }
    }

    @Override
    public void abandon() {
        over();
        Fetch f = fetch;
        if (f != null) {
            f.cancel();
        }
    }

    @Override
    public void informational(ResponseHead head) {
        ExchangeState e = leading();
        if (e != null) {
            e.informational(head);
        }
    }

    @Override
    public void head(ResponseHead head) {
        Fetch f = fetch;
        OriginRequest from = request;
        if (f == null || from == null || phase == Phase.OVER) {
            return;
        }
        from.answerEdits().apply(head.fields());
        answered(f, head, RelayedAnswer.headOf(f, head), null);
    }

    /**
     * The head of the answer has arrived; the route's edits were applied.
     *
     * @param more fields for the leader alone, not in the head; null: none
     */
    private void answered(Fetch f, ResponseHead head, StoragePlan.Head planned, @Nullable Fields more) {
        ExchangeState own = leading();
        if (own != null) {
            own.record().originAnswered(head.status());
            if (head.fields().has(FieldName.AGE)) {
                own.note().aged();
            }
        }
        OriginConnection connection = f.connection();
        if (connection != null) {
            fill.from(connection.provenance());
        }
        Disposition what = fill.respond(planned);
        if (own != null) {
            own.withheld = both(fill.withheld(), more);
        }
        switch (what) {
            case STORE -> phase = Phase.STORING;
            case SERVED -> {
                over();
                Leftover.of(upstream, f, head);
            }
            case REPEAT -> phase = Phase.REPEATING;
            case PASS -> {
                both(head.fields(), more);
                pass(f, head);
            }
        }
    }

    /** Adds the second to the first. */
    private static @Nullable Fields both(@Nullable Fields one, @Nullable Fields more) {
        if (one == null || more == null) {
            return one == null ? more : one;
        }
        for (int i = 0; i < more.size(); i++) {
            one.addFrom(more, i);
        }
        return one;
    }

    /** Not storable: only the leader's client, if any, gets it. */
    private void pass(Fetch f, ResponseHead head) {
        over();
        Leader e = leader;
        leader = null;
        if (e == null) {
            f.cancel();
            return;
        }
        e.passThrough(new Passed(f, asking, request), fill.passReason(), head, !fill.forwardsConditions());
    }

    @Override
    public void data(ByteBuf data) {
        if (phase != Phase.STORING) {
            data.release();
            return;
        }
        if (!fill.append(data)) {
            Fetch f = fetch;
            if (f != null) {
                f.pause(true);
            }
        }
    }

    @Override
    public void end(Fields trailers) {
        if (phase == Phase.REPEATING) {
            phase = Phase.HEAD;
            OriginRequest to = request;
            if (to != null) {
                send(to.forStore(null, false));
            }
            return;
        }
        Phase was = phase;
        over();
        if (was == Phase.STORING) {
            fill.complete(trailers);
        }
    }

    @Override
    public void broken(OriginFault fault, String detail) {
        upstream.counters().fault(fault);
        Phase was = phase;
        over();
        if (was != Phase.HEAD && was != Phase.STORING && was != Phase.REPEATING) {
            return;
        }
        FillFailure failure = ErrorAnswers.failure(fault.answer(), detail);
        if (fault == OriginFault.FORBIDDEN) {
            // a stale object must not be served instead, and each waiting request is checked on its own
            fill.resign(failure);
        } else {
            fill.abort(failure);
        }
    }

    @Override
    public void writable() {
        // a request for the store has no body
    }

    @Override
    public void flush() {
        Leader e = leader;
        if (e != null) {
            e.more();
        }
    }
}
