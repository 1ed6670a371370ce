package io.weir.proxy;

import io.weir.http.Fields;
import io.weir.kernel.Deadline;
import io.weir.proxy.cache.CacheRequest;
import io.weir.proxy.cache.Fill;
import io.weir.proxy.cache.FillCursor;
import io.weir.proxy.cache.FillReader;
import io.weir.proxy.program.ProxyFault;
import io.weir.proxy.program.RunState;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An exchange's part in a fill: as its leader, whose request feeds it, and as a reader, whose client gets what comes in,
 * as fast as that client takes it. Owned by one exchange, confined to its muxer.
 */
final class FillReading implements FillReader {
    private final LoopContext loop;
    private final Exchange exchange;
    private @Nullable FillCursor cursor;
    private @Nullable FillFeed feed;
    private @Nullable Deadline patience;
    private @Nullable Fields withheld;
    private boolean pumping;
    private boolean again;

    FillReading(LoopContext loop, Exchange exchange) {
        this.loop = loop;
        this.exchange = exchange;
    }

    /** The feed, when the exchange leads. */
    @Nullable
    FillFeed feed() {
        return feed;
    }

    /** What the store does not keep of the answer that this exchange's own fetch brought; null: nothing. */
    @Nullable
    Fields withheld() {
        return withheld;
    }

    void withheld(@Nullable Fields own) {
        withheld = own;
    }

    /** Joins somebody's fill; false when it ended meanwhile. */
    boolean join(Fill fill, CacheRequest request) {
        cursor = fill.join(request, this);
        return cursor != null;
    }

    /** Takes a fill over: the exchange's request fills it, and its client is the first reader. */
    void lead(Fill fill, CacheRequest request) {
        FillFeed f = new FillFeed(loop, fill, exchange);
        feed = f;
        fill.lead(f);
        if (cursor == null) {
            cursor = fill.join(request, this);
        }
    }

    @Override
    public Executor executor() {
        return loop.muxer().eventLoop();
    }

    @Override
    public void ready(FillCursor which) {
        if (which != cursor) {
            return;
        }
        try {
            pump();
            exchange.flushOut();
        } catch (RuntimeException e) {
            exchange.unexpected(e);
        }
    }

    /** Moves what the fill has to the client, as far as the client takes it; then the next signal is waited for. */
    void pump() {
        assert loop.here() : "a reader of a fill belongs to its muxer";
        // a signal may lead to another fill, or end the one just begun: nobody else will look at that one's cursor
        again = true;
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (again) {
                again = false;
                drain();
            }
        } finally {
            pumping = false;
        }
        if (cursor != null && feed == null) {
            bePatient();
        }
    }

    private void drain() {
        FillCursor from = cursor;
        while (from != null && from == cursor && exchange.client().writable() && step(from)) {
            // the next signal
        }
    }

    /**
     * Somebody else's fetch has its own time-outs, but its leader may be held up before it asks. A client that does not
     * take what is there has the write time-out.
     */
    private void bePatient() {
        Deadline d = patience;
        if (d == null) {
            d = Deadline.of(this::outOfPatience);
            patience = d;
        }
        FetchFigures.Times times = loop.settings().times();
        if (exchange.client().writable()) {
            loop.deadlines().arm(d, times.borrow() + times.response() + times.body());
        } else {
            loop.deadlines().disarm(d);
        }
    }

    private void outOfPatience() {
        if (cursor == null || feed != null) {
            return;
        }
        loop.counters().fault(OriginFault.RESPONSE_TIMEOUT);
        exchange.record().originFailed("TIMEOUT");
        exchange.fail(ProxyFault.RESPONSE_TIME_OUT, "the request that was joined got no answer in time");
        exchange.flushOut();
    }

    private boolean step(FillCursor from) {
        switch (from.poll()) {
            case WAIT -> {
                return false;
            }
            case HEAD -> {
                if (!exchange.lookUp().mayHave(from.object().from())) {
                    // the rules changed meanwhile: it asks anew, and is told by its own fetch
                    leave();
                    exchange.askAgain();
                    return false;
                }
                exchange.fillHead(from);
                RunState state = Outputs.of(exchange, from.object());
                if (state != RunState.READY) {
                    exchange.refused(state);
                    return false;
                }
                if (!StoredAnswer.head(exchange, from)) {
                    from.satisfied();
                    exchange.finish();
                    return false;
                }
            }
            case DATA -> exchange.response().data(from.data());
            case END -> {
                exchange.response().end(from.trailers());
                exchange.finish();
                return false;
            }
            case RELEASED -> {
                boolean leading = feed != null;
                close();
                if (!leading) {
                    exchange.lookUp().released();
                }
                return false;
            }
            case LEAD -> {
                exchange.lookUp().takeOver(from.fill());
                return false;
            }
            case FAILED -> {
                exchange.record().originFailed(from.failure().status() == 504 ? "TIMEOUT" : "INTR");
                exchange.fail(ErrorAnswers.of(from.failure()), from.failure().detail());
                return false;
            }
        }
        return true;
    }

    /** The answer comes past the fill from now on. */
    void passed() {
        close();
        feed = null;
    }

    /** Leads no longer, without having asked: who waits is served by another. */
    void abandon(ProxyFault why) {
        FillFeed f = feed;
        passed();
        if (f != null) {
            f.leaderFailed(why, "");
        }
    }

    /** Reads no further; the fetch goes on when others want it. */
    void leave() {
        close();
        FillFeed f = feed;
        feed = null;
        if (f != null) {
            f.leaderLeft();
        }
    }

    private void close() {
        FillCursor c = cursor;
        cursor = null;
        withheld = null;
        Deadline d = patience;
        if (d != null) {
            loop.deadlines().disarm(d);
        }
        if (c != null) {
            c.close();
        }
    }
}
