package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.ResponseHead;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.exchange.ExchangeState.AtOwner;
import io.weir.proxy.members.fetch.OwnerFetch;
import io.weir.proxy.members.fetch.OwnerQuestion;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.upstream.AnswerRest;
import io.weir.proxy.upstream.Fetch;
import io.weir.proxy.upstream.FetchRequest;
import io.weir.proxy.upstream.Leftover;
import io.weir.proxy.upstream.OriginConnection;
import io.weir.proxy.upstream.OriginFault;
import org.jspecify.annotations.Nullable;

/**
 * Relays an answer from its origin to the client without the store: its fetch, and back-pressure between the two. Owned
 * by one exchange, confined to its muxer; ignores events once the exchange is over.
 */
final class Direct implements OwnerFetch.Feed {
    private final ExchangeState exchange;
    private final ExchangeCallbacks callbacks;
    private final TunnelStart tunnel;
    private final Runnable moreBody;
    private @Nullable Fetch fetch;
    /** To the origin: not sent yet, or for the rest of an owner's answer; null otherwise. */
    private @Nullable OriginRequest request;

    /** @param moreBody is run when the origin can accept more of the request's body */
    Direct(ExchangeState exchange, ExchangeCallbacks callbacks, TunnelStart tunnel, Runnable moreBody) {
        this.exchange = exchange;
        this.callbacks = callbacks;
        this.tunnel = tunnel;
        this.moreBody = moreBody;
    }

    /** The fetch in progress, or null. */
    @Nullable
    Fetch fetch() {
        return fetch;
    }

    /** Forgets the fetch without ending it. */
    void clear() {
        fetch = null;
        request = null;
    }

    @Override
    public void lookingUp(boolean begins) {
        exchange.resolving(begins);
    }

    /** Prepares the fetch whose answer is relayed; does not start it. */
    void prepare(OriginRequest to) {
        request = to;
    }

    /** Starts it; events may come before this returns. */
    void start() {
        OriginRequest to = request;
        OwnerQuestion question = to == null || exchange.rest != null ? null : to.question();
        if (question == null || !OwnerFetch.start(exchange.upstream(), question, null, true, this)) {
            fromOrigin();
        }
    }

    @Override
    public void fromOrigin() {
        OriginRequest to = request;
        if (to == null || !exchange.alive()) {
            return;
        }
        request = null;
        if (exchange.atOwner == AtOwner.ONLY) {
            exchange.loopContext().proxy().cache().notInCache();
            callbacks.fail(ProxyFault.NOT_IN_CACHE, "");
        } else {
            AnswerRest missing = exchange.rest;
            FetchRequest what = missing == null ? to.asReceived(exchange.upgrade) : to.rest(missing);
            Fetch f = new Fetch(exchange.upstream(), what, this);
            fetch = f;
            f.start();
        }
    }

    @Override
    public void ownerAnswered(OwnerFetch by, ResponseHead head, @Nullable FetchedFrom from, @Nullable Fields withheld) {
        if (exchange.alive()) {
            for (int i = 0; withheld != null && i < withheld.size(); i++) {
                head.fields().addFrom(withheld, i);
            }
            // nothing is known here that it could freshen, and its connection is not the origin's
            exchange.freshens = null;
            relayEdited(head, false);
        }
    }

    /** Takes over a fetch that was started for the store, to relay its answer. */
    void take(FillFeed.Passed begun) {
        fetch = begun.fetch();
        OwnerFetch owner = begun.owner();
        if (owner == null) {
            begun.fetch().sink(this);
        } else {
            request = begun.request();
            owner.receiver(this);
        }
    }

    @Override
    public void fetches(Fetch now) {
        fetch = now;
        if (!exchange.client().writable()) {
            now.pause(true);
        }
    }

    @Override
    public @Nullable FetchRequest rest(AnswerRest of) {
        OriginRequest to = request;
        boolean mayAsk = exchange.alive() && fetch != null && exchange.atOwner != AtOwner.ONLY;
        return mayAsk && to != null ? to.rest(of) : null;
    }

    /** Ends the fetch, if there is one: its connection is closed. */
    void cancel() {
        Fetch f = fetch;
        fetch = null;
        if (f != null) {
            exchange.record().fetched(f);
            f.cancel();
        }
    }

    /** The client disconnected: the fetch is interrupted unless the origin has answered completely. */
    void interrupt() {
        Fetch f = fetch;
        if (f != null && !f.finished() && f.sentHead() > 0) {
            exchange.record().originFailed("INTR");
        }
        cancel();
    }

    /** The client's channel is writable again. */
    void clientWritable() {
        Fetch f = fetch;
        if (f != null) {
            f.pause(false);
        }
    }

    @Override
    public void queued(boolean on) {
        exchange.awaitsConnection(on);
    }

    @Override
    public void backlogged(boolean on) {
        exchange.slot.awaitsRoom(on);
    }

    @Override
    public void informational(ResponseHead answer) {
        exchange.informational(answer);
    }

    @Override
    public void head(ResponseHead received) {
        if (!exchange.alive()) {
            return;
        }
        AnswerRest missing = exchange.rest;
        if (missing != null) {
            exchange.record().originAnswered(received.status());
            if (missing.begins(received)) {
                exchange.answering();
            } else {
                callbacks.fail(ProxyFault.ORIGIN_MALFORMED, "the origin has not the same answer any more");
            }
            return;
        }
        if (received.status() == 101) {
            exchange.record().originAnswered(101);
            tunnel.switched(fetch, received);
            return;
        }
        if (exchange.run().action() == Action.Retrieve.TUNNEL && received.status() < 300) {
            tunnel.connected(fetch, received.status());
            return;
        }
        if (TunnelStart.misleads(exchange, received.status())) {
            callbacks.fail(ProxyFault.ORIGIN_MALFORMED, "the origin did not change the protocol");
            return;
        }
        AnswerEdits.of(exchange).apply(received.fields());
        Fetch f = fetch;
        Fill storable = f == null ? null : RelayedAnswer.storable(exchange, f, received);
        if (f != null && storable != null) {
            callbacks.stores(storable, f, received);
        } else {
            relayEdited(received, false);
        }
    }

    /**
     * Relays a head after the route's edits were applied.
     *
     * @param conditions the client's conditions are evaluated here: the origin did not get them
     */
    void relayEdited(ResponseHead received, boolean conditions) {
        exchange.record().originAnswered(received.status());
        exchange.answering();
        exchange.answer = received;
        RelayedAnswer.invalidate(exchange, received);
        Fetch f = fetch;
        if (f != null) {
            RelayedAnswer.freshen(exchange, f, received);
            OriginConnection by = f.connection();
            exchange.note().from(by == null ? null : by.from());
        }
        RunState state = Outputs.of(exchange, received.status(), received.fields());
        if (state != RunState.READY) {
            callbacks.refused(state);
        } else if (f != null && conditions && RelayedAnswer.notModified(exchange, received)) {
            fetch = null;
            exchange.record().fetched(f);
            Leftover.of(exchange.upstream(), f, received);
            callbacks.answered();
        } else {
            RelayedAnswer.head(exchange, received);
        }
    }

    @Override
    public void data(ByteBuf data) {
        if (!exchange.alive()) {
            data.release();
            return;
        }
        AnswerRest missing = exchange.rest;
        ByteBuf wanted = missing == null ? data : missing.wanted(data);
        if (wanted == null) {
            return;
        }
        exchange.response().data(wanted);
        Fetch f = fetch;
        if (f == null || exchange.client().writable()) {
            return;
        }
        // often only what was not flushed is too much: a flush costs less than to pause and to resume the origin
        exchange.flushOut();
        if (fetch == f && exchange.alive() && !exchange.client().writable()) {
            f.pause(true);
        }
    }

    @Override
    public void end(Fields trailers) {
        if (!exchange.alive()) {
            return;
        }
        AnswerRest missing = exchange.rest;
        if (missing != null && !missing.complete()) {
            callbacks.fail(ProxyFault.ORIGIN_RESET, "the origin's answer has less than what is missing");
            return;
        }
        exchange.response().end(trailers);
        exchange.reuse.relayed();
        callbacks.answered();
    }

    @Override
    public void broken(OriginFault fault, String detail) {
        exchange.upstream().counters().fault(fault);
        if (!exchange.alive()) {
            return;
        }
        AnswerRest missing = exchange.rest;
        if (missing != null && missing.arrived()) {
            // only how the origin ended it is wrong, which is nothing to a client that has all of it
            exchange.response().end(null);
            callbacks.answered();
            return;
        }
        exchange.record().originFailed(OriginFault.isTimeOut(fault) ? "TIMEOUT" : "INTR");
        Fetch f = fetch;
        fetch = null;
        if (f != null) {
            exchange.record().fetched(f);
        }
        callbacks.fail(fault.answer(), detail);
    }

    @Override
    public void writable() {
        if (exchange.alive()) {
            moreBody.run();
        }
    }

    @Override
    public void flush() {
        callbacks.flushOut();
    }
}
