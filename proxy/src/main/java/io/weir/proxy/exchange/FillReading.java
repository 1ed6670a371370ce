package io.weir.proxy.exchange;

import io.weir.kernel.mux.Deadline;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillCursor;
import io.weir.proxy.cache.fill.FillReader;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.context.OriginTimes;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.upstream.Fetch;
import io.weir.proxy.upstream.OriginFault;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An exchange's part in a fill: as its leader, whose request feeds it, and as a reader, whose client gets what comes
 * in, as fast as that client takes it. Owned by one exchange, confined to its muxer.
 */
final class FillReading implements FillReader {
    private final ExchangeState exchange;
    private final LoopContext loop;
    private final CacheLookUp lookUp;
    private final Way way;
    private final FillFeed.Leader reader;
    private @Nullable FillCursor cursor;
    private @Nullable FillFeed feed;
    private @Nullable Deadline patience;

    /** @param reader moves what comes in to the client */
    FillReading(ExchangeState exchange, CacheLookUp lookUp, Way way, FillFeed.Leader reader) {
        this.exchange = exchange;
        this.loop = exchange.loopContext();
        this.lookUp = lookUp;
        this.way = way;
        this.reader = reader;
    }

    /** Whether the exchange's own request feeds it. */
    boolean leads() {
        return feed != null;
    }

    /** The fetch that feeds it, where the exchange leads and has begun one. */
    @Nullable
    Fetch fetch() {
        FillFeed f = feed;
        return f == null ? null : f.fetch();
    }

    /** Joins somebody's fill; false when it ended meanwhile. */
    boolean join(Fill fill) {
        cursor = fill.join(lookUp.asked(), this);
        return cursor != null;
    }

    /** Takes a fill over: the exchange's request fills it, and its client is the first reader. */
    void lead(Fill fill) {
        FillFeed f = new FillFeed(exchange.upstream(), fill, reader);
        feed = f;
        fill.lead(f);
        if (cursor == null) {
            cursor = fill.join(lookUp.asked(), this);
        }
    }

    /** Sends the leader's request. */
    void start(OriginRequest to) {
        FillFeed f = feed;
        if (f != null) {
            f.start(to);
        }
    }

    @Override
    public Executor executor() {
        return loop.muxer().eventLoop();
    }

    @Override
    public void ready(FillCursor which) {
        if (which == cursor) {
            reader.more();
        }
    }

    /** Moves what the fill has to the client, as far as the client takes it; then the next signal is waited for. */
    Step deliver() {
        assert loop.here() : "a reader of a fill belongs to its muxer";
        Step then = Step.DELIVER;
        FillCursor from = cursor;
        while (then == Step.DELIVER
                && from != null
                && from == cursor
                && exchange.client().writable()) {
            then = deliver(from);
        }
        if (then != Step.DELIVER && then != Step.WAIT) {
            return then;
        }
        bePatient();
        return Step.WAIT;
    }

    /** Gives the client what comes next; {@link Step#DELIVER} where there may be more. */
    private Step deliver(FillCursor from) {
        return switch (from.poll()) {
            case WAIT -> Step.WAIT;
            case HEAD -> head(from);
            case DATA -> {
                exchange.response().data(from.data());
                yield Step.DELIVER;
            }
            case END -> {
                exchange.response().end(from.trailers());
                yield Step.ANSWERED;
            }
            case RELEASED -> {
                close();
                // what a leader gets comes past the fill
                yield feed == null ? again() : Step.WAIT;
            }
            case LEAD -> {
                // its leader failed before the head: this exchange fetches for all who wait
                lead(from.fill());
                yield Step.QUEUE;
            }
            case FAILED -> {
                exchange.record().originFailed(from.failure().status() == 504 ? "TIMEOUT" : "INTR");
                yield exchange.failed(
                        ErrorAnswers.of(from.failure()), from.failure().detail());
            }
        };
    }

    private Step head(FillCursor from) {
        if (!lookUp.mayHave(from.object().from())) {
            // the rules changed meanwhile: it starts over as a new request, with a fetch of its own
            leave();
            exchange.slot.end();
            return again();
        }
        exchange.answering();
        exchange.note().filled(from, loop.clock().millis());
        exchange.stored = from.object().retain();
        RunState state = Outputs.of(exchange, from.object());
        if (state != RunState.READY) {
            leave();
            return exchange.stopped(state);
        }
        if (!StoredAnswer.head(exchange, from)) {
            from.satisfied();
            return Step.ANSWERED;
        }
        return Step.DELIVER;
    }

    /** What was waited for is not for this request: it decides again, by the rules of now. */
    private Step again() {
        lookUp.again();
        return Step.DECIDE;
    }

    /**
     * Somebody else's fetch has its own time-outs, but its leader may be held up before it
     * asks. A client that does not take what is there has the write time-out.
     */
    private void bePatient() {
        if (cursor == null || feed != null) {
            return;
        }
        Deadline d = patience;
        if (d == null) {
            d = Deadline.of(this::outOfPatience);
            patience = d;
        }
        OriginTimes times = loop.settings().times();
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
        exchange.upstream().counters().fault(OriginFault.RESPONSE_TIMEOUT);
        exchange.record().originFailed("TIMEOUT");
        way.fail(ProxyFault.RESPONSE_TIME_OUT, "the request that was joined got no answer in time");
        way.flushOut();
    }

    /**
     * This exchange is answered with an error: others who wait are served by another, where its fetch had not begun.
     */
    void failed() {
        FillFeed leading = feed;
        if (leading != null && leading.fetch() != null) {
            exchange.record().fetched(leading.fetch());
        }
        abandon(exchange.failure(), exchange.failureDetail());
    }

    /** The answer comes past the fill from now on. */
    void passed() {
        close();
        feed = null;
    }

    /** Resigns as leader without having fetched: another reader takes over. */
    void abandon(ProxyFault why, String detail) {
        FillFeed f = feed;
        passed();
        if (f != null) {
            f.leaderFailed(why, detail);
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
        exchange.withheld = null;
        Deadline d = patience;
        if (d != null) {
            loop.deadlines().disarm(d);
        }
        if (c != null) {
            c.close();
        }
    }
}
