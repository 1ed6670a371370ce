package io.weir.proxy.exchange;

import io.netty.buffer.ByteBufAllocator;
import io.weir.http.Fields;
import io.weir.http.ResponseHead;
import io.weir.kernel.mux.Deadline;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillCursor;
import io.weir.proxy.cache.fill.FillFailure;
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
 * An exchange's part in a fill: as its leader, whose request feeds it, and as a reader, whose client gets the received
 * data as fast as that client reads. Owned by one exchange, confined to its muxer.
 */
final class FillReading implements FillReader {
    /** A body that arrives is worth a longer wait for the disk than one that can be fetched: so many times. */
    private static final int DISK_WAITS = 10;

    private final ExchangeState exchange;
    private final LoopContext loop;
    private final CacheLookUp lookUp;
    private final ExchangeCallbacks callbacks;
    private final FillFeed.Leader reader;
    private @Nullable FillCursor cursor;
    private @Nullable FillFeed feed;
    private @Nullable Deadline timeOut;
    /** What the disk had taken when the wait for it began; -1: there is none. */
    private long taken = -1;

    /** @param reader passes received data to the client */
    FillReading(ExchangeState exchange, CacheLookUp lookUp, ExchangeCallbacks callbacks, FillFeed.Leader reader) {
        this.exchange = exchange;
        this.loop = exchange.loopContext();
        this.lookUp = lookUp;
        this.callbacks = callbacks;
        this.reader = reader;
    }

    /** Whether the exchange's own request feeds it. */
    boolean leads() {
        return feed != null;
    }

    /** The fetch that feeds it, if the exchange leads and has started one. */
    @Nullable
    Fetch fetch() {
        FillFeed f = feed;
        return f == null ? null : f.fetch();
    }

    /** Joins another request's fill; returns false if it ended in the interim. */
    boolean join(Fill fill) {
        cursor = fill.join(lookUp.request(), this);
        return cursor != null;
    }

    /** Takes over a fill: the exchange's request feeds it, and its client is the first reader. */
    void lead(Fill fill) {
        FillFeed f = new FillFeed(exchange.upstream(), fill, reader);
        feed = f;
        fill.lead(f);
        if (cursor == null) {
            cursor = fill.join(lookUp.request(), this);
        }
    }

    /** Leads a fill with the answer to a request that was already sent. */
    void take(Fill fill, Fetch begun, ResponseHead received) {
        lead(fill);
        FillFeed f = feed;
        if (f != null) {
            f.take(begun, received);
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
    public ByteBufAllocator allocator() {
        return exchange.client().alloc();
    }

    @Override
    public void ready(FillCursor which) {
        if (which == cursor) {
            reader.more();
        }
    }

    /** Passes what the fill has to the client, as far as the client reads; then waits for the next signal. */
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
        armTimeOut();
        return Step.WAIT;
    }

    /** Handles the next signal; returns {@link Step#DELIVER} if there may be more. */
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
                // the leader's answer bypasses the fill
                yield feed == null ? again() : Step.WAIT;
            }
            case LEAD -> {
                // the leader failed before the head: this exchange fetches for all waiting requests
                lead(from.fill());
                yield Step.QUEUE;
            }
            case FAILED -> failed(from);
        };
    }

    private Step failed(FillCursor from) {
        FillFailure why = from.failure();
        if (why.equals(FillFailure.UNREADABLE)) {
            long length = from.object().contentLength();
            leave();
            return lookUp.continues(exchange.response().bodyBytes(), length);
        }
        exchange.record().originFailed(why.status() == 504 ? "TIMEOUT" : "INTR");
        return exchange.failed(ErrorAnswers.of(why), why.detail());
    }

    private Step head(FillCursor from) {
        if (!lookUp.mayHave(from.object().from())) {
            // the rules have changed: it starts over as a new request, with a separate fetch
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
        if (from.object().below() != null) {
            // the fill has no body: it was a validation of this one
            Fields own = exchange.withheld();
            from.satisfied();
            leave();
            exchange.withheld = own;
            return Step.STREAM;
        }
        if (!StoredAnswer.head(exchange, from)) {
            from.satisfied();
            return Step.ANSWERED;
        }
        return Step.DELIVER;
    }

    /** The awaited answer is not for this request: decides again, by the current rules. */
    private Step again() {
        lookUp.again();
        return Step.DECIDE;
    }

    /**
     * Another request's fetch has its own time-outs, but its leader may be delayed before it sends the request. For a
     * client that does not read there is the write time-out. For a disk that
     * takes nothing more there is a multiple of the time in which it is to be read.
     */
    private void armTimeOut() {
        Deadline d = timeOut;
        FillCursor c = cursor;
        taken = c == null || !exchange.client().writable() ? -1 : c.fill().awaitsDisk();
        if (!waitsForOthers() && taken < 0) {
            if (d != null) {
                loop.deadlines().disarm(d);
            }
            return;
        }
        if (d == null) {
            d = Deadline.of(this::timedOut);
            timeOut = d;
        }
        if (taken >= 0) {
            loop.deadlines()
                    .arm(
                            d,
                            DISK_WAITS
                                    * loop.proxy()
                                            .cache()
                                            .settings()
                                            .disk()
                                            .readTimeOut()
                                            .toNanos());
            return;
        }
        OriginTimes times = loop.settings().times();
        if (exchange.client().writable()) {
            loop.deadlines().arm(d, times.borrow() + times.response() + times.body());
        } else {
            loop.deadlines().disarm(d);
        }
    }

    private boolean waitsForOthers() {
        FillCursor c = cursor;
        return c != null && (feed == null || c.waitsBelow());
    }

    private void timedOut() {
        FillCursor c = cursor;
        if (c != null && taken >= 0) {
            c.fill().leaveDisk(taken);
            armTimeOut();
            return;
        }
        if (!waitsForOthers()) {
            return;
        }
        exchange.upstream().counters().fault(OriginFault.RESPONSE_TIMEOUT);
        exchange.record().originFailed("TIMEOUT");
        callbacks.fail(ProxyFault.RESPONSE_TIME_OUT, "the request that was joined got no answer in time");
        callbacks.flushOut();
    }

    /** This exchange is answered with an error: if its fetch had not begun, another waiting request takes over. */
    void failed() {
        FillFeed leading = feed;
        if (leading != null && leading.fetch() != null) {
            exchange.record().fetched(leading.fetch());
        }
        abandon(exchange.failure(), exchange.failureDetail());
    }

    /** From now on the answer bypasses the fill. */
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

    /** Stops reading; the fetch continues if others read it. */
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
        Deadline d = timeOut;
        if (d != null) {
            loop.deadlines().disarm(d);
        }
        if (c != null) {
            c.close();
        }
    }
}
