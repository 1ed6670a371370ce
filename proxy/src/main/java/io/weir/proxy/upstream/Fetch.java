package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.ResponseHead;
import io.weir.kernel.mux.Deadline;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.context.OriginTimes;
import io.weir.proxy.pool.Attempts;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.pool.PoolRefusal;
import io.weir.proxy.pool.PoolRules;
import io.weir.proxy.pool.PoolServer;
import io.weir.proxy.pool.SessionRoutes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request to the origin side: picks an origin, borrows a connection, sends the request, retries if that is safe,
 * applies the time-outs, and passes the answer to its sink. Confined to the muxer of the connection that started it;
 * lives until the answer is complete, it failed, or it was cancelled.
 *
 * <p>The retry rule: a request is sent again only after a dead <em>reused</em> connection, before any byte of an
 * answer, and only when its method is idempotent (RFC 9110 section 9.2.2) and everything sent of its body is still
 * buffered: an origin sees a POST at most once. A request that the origin reports as unprocessed is sent again whatever
 * its method. After a failure to connect nothing was sent, so another server of the pool is tried for every method.
 */
public final class Fetch extends FetchFigures implements OriginEvents, Borrower {
    private final Upstream upstream;
    private final LoopContext loop;
    private final FetchRequest request;
    private final @Nullable Attempts attempts;
    private final @Nullable SentBody body;
    private final Deadline timer = new Deadline() {
        @Override
        protected void expired() {
            timedOut();
        }
    };
    private OriginEvents sink;
    private @Nullable OriginConnection connection;
    private FetchPhase phase = FetchPhase.BORROWING;
    private @Nullable OriginKey origin;
    private AddressShares.Share share = AddressShares.UNCOUNTED;
    private int retries;
    private boolean fresh;
    private boolean mustBeFresh;
    private boolean connecting;
    private boolean bodyWanted;
    private boolean paused;
    private OriginTimes times;

    public Fetch(Upstream upstream, FetchRequest request, OriginEvents sink) {
        this.upstream = upstream;
        this.loop = upstream.loop();
        this.request = request;
        this.attempts = request.attempts();
        this.body = request.body()
                ? new SentBody(loop.proxy().allocator(), loop.settings().resendBytes())
                : null;
        this.sink = sink;
        this.times = request.times();
    }

    /** Starts; events may come before this returns. */
    public void start() {
        startNanos = loop.clock().nanos();
        share = upstream.shares().take(request.client());
        if (share == AddressShares.REFUSED) {
            refuse(OriginFault.POOL_FULL, "the client's address has used up its share of fetches");
        } else if (attempts == null) {
            origin = request.only();
            upstream.members().begun(origin(), this);
            borrow(request.tunnels());
        } else if (select(attempts.first(startNanos))) {
            borrow(request.tunnels());
        } else {
            refuse(attempts.refusal() == PoolRefusal.BUSY ? OriginFault.BUSY : OriginFault.ALL_DOWN, "");
        }
    }

    private void refuse(OriginFault fault, String detail) {
        done();
        sink.broken(fault, detail);
        sink.flush();
    }

    /** Selects a server; returns false if there is none. */
    private boolean select(@Nullable PoolServer chosen) {
        if (chosen == null) {
            return false;
        }
        server = chosen;
        origin = chosen.key();
        return true;
    }

    /** Replaces the receiver of the answer. */
    public void sink(OriginEvents next) {
        sink = next;
    }

    /** The connection became a tunnel's: no more events and no time-outs. */
    public void detached() {
        connection = null;
        done();
    }

    private OriginKey origin() {
        return Objects.requireNonNull(origin, "a fetch without an origin");
    }

    /** The connection after a 101 or a tunnel's set-up; null if it is closed. */
    @Nullable
    public OriginConnection connection() {
        return connection;
    }

    /** Whether the request body may be sent now. */
    public boolean wantsBody() {
        return bodyWanted && connection != null && connection.writable();
    }

    /** Whether the origin must read some of the body before there is room for more. */
    public boolean full() {
        return bodyWanted && connection != null && !connection.writable();
    }

    /** Sends a piece of the request body; takes ownership. */
    public void sendBody(ByteBuf data) {
        OriginConnection c = connection;
        SentBody held = body;
        if (c == null || held == null || !bodyWanted) {
            data.release();
            return;
        }
        sentBody += data.readableBytes();
        held.add(data);
        piece(c, data);
        sending(c);
    }

    private void sending(OriginConnection c) {
        if (connection == c && phase == FetchPhase.SENDING) {
            sampleUnsent(c);
            loop.deadlines().arm(timer, times.response());
        }
    }

    private void piece(OriginConnection c, ByteBuf data) {
        if (request.chunked()) {
            upstream.chunks().write(c.channel(), data);
        } else {
            c.write(data);
        }
    }

    /** The request body is complete. */
    public void endBody(Fields trailers) {
        SentBody held = body;
        if (held == null || !bodyWanted) {
            return;
        }
        held.end(trailers);
        // without a connection, it was found dead when the last piece was written, and the request is sent once more
        if (connection != null) {
            last(connection, trailers);
        }
    }

    private void last(OriginConnection c, @Nullable Fields trailers) {
        if (request.chunked()) {
            upstream.chunks().last(c.channel(), trailers);
        }
        if (connection != c) {
            return;
        }
        sending(c);
        sent(c);
        c.flushEnd();
    }

    /** Flushes what was sent with {@link #sendBody}. */
    public void flushBody() {
        if (connection != null) {
            connection.flush();
        }
    }

    /** Pauses or resumes reading the answer. */
    public void pause(boolean on) {
        paused = on;
        OriginConnection c = connection;
        if (c != null) {
            if (on) {
                loop.deadlines().disarm(timer);
            } else if (phase == FetchPhase.READING) {
                loop.deadlines().arm(timer, times.body());
            }
            c.pause(on);
        }
    }

    /** The member that is asked has left the cluster. */
    void hurry() {
        times = MemberFetches.hurried(times);
        if (phase == FetchPhase.WAITING || (phase == FetchPhase.READING && !paused)) {
            loop.deadlines().arm(timer, times.body());
        }
    }

    /** The answer is no longer needed: closes the connection, which the rest of the answer would block. */
    public void cancel() {
        if (phase == FetchPhase.DONE) {
            return;
        }
        done();
        OriginConnection c = connection;
        connection = null;
        if (c != null) {
            upstream.pool().forget(c);
            c.abandon();
        }
    }

    public boolean finished() {
        return phase == FetchPhase.DONE;
    }

    private void borrow(boolean again) {
        mustBeFresh = again;
        phase = FetchPhase.BORROWING;
        connecting = false;
        loop.deadlines().arm(timer, times.borrow());
        upstream.pool().borrow(origin(), this);
    }

    @Override
    public @Nullable PoolRules rules() {
        return attempts == null ? null : attempts.rules();
    }

    @Override
    public void waits(boolean on) {
        sink.queued(on);
    }

    @Override
    public boolean cancelled() {
        return phase != FetchPhase.BORROWING;
    }

    @Override
    public boolean switches() {
        return request.upgrade();
    }

    @Override
    public boolean fresh() {
        return mustBeFresh;
    }

    @Override
    public OriginConnector.AddressRule rule() {
        return request.allowed();
    }

    @Override
    public long connecting() {
        connecting = true;
        return times.connect();
    }

    @Override
    public void resolving(boolean begins) {
        resolvedNanos = begins ? 0 : loop.clock().nanos();
        if (!cancelled()) {
            sink.lookingUp(begins);
        }
    }

    @Override
    public void ready(OriginConnection borrowed, boolean isFresh) {
        connection = borrowed;
        fresh = isFresh;
        requestMillis = loop.clock().millis();
        borrowedNanos = loop.clock().nanos();
        borrowed.begin(this, request.method());
        ByteBuf head = request.head().head(borrowed.key(), attempts);
        sentHead = head.readableBytes();
        sentBody = 0;
        if (paused) {
            borrowed.pause(true);
        }
        loop.deadlines().arm(timer, times.response());
        phase = FetchPhase.SENDING;
        bodyWanted = request.body();
        if (!bodyWanted) {
            sent(borrowed);
        }
        // these calls may find the connection dead and start the retry
        borrowed.write(head);
        SentBody held = body;
        if (held != null && connection == borrowed) {
            sendAgain(borrowed, held);
        }
        if (bodyWanted && connection == borrowed) {
            sink.writable();
        } else {
            borrowed.flush();
        }
    }

    /** Sends the part of the body again that was sent on a dead connection; nothing the first time. */
    private void sendAgain(OriginConnection c, SentBody held) {
        ByteBuf before = held.content();
        if (before != null) {
            sentBody = before.readableBytes();
            piece(c, before);
        }
        if (connection == c && held.ended()) {
            last(c, held.trailers());
        }
        if (connection == c) {
            // a stream's origin may report that it has not processed it, a reused connection may be dead
            held.keep(c.onStream() || (!fresh && request.method().idempotent()));
        }
    }

    private void sent(OriginConnection c) {
        bodyWanted = false;
        c.requestComplete();
        if (phase == FetchPhase.SENDING) {
            phase = FetchPhase.WAITING;
        }
    }

    @Override
    public void unavailable(OriginFault fault, String detail) {
        if (phase != FetchPhase.BORROWING) {
            return;
        }
        if (attempts != null && (OriginFault.unreachable(fault) || fault == OriginFault.POOL_FULL)) {
            blame(fault);
            if (select(attempts.elsewhere(loop.clock().nanos()))) {
                upstream.counters().retried.inc();
                borrow(request.tunnels());
                return;
            }
        }
        fail(fault, detail);
        sink.flush();
    }

    @Override
    public void informational(ResponseHead head) {
        loop.deadlines().arm(timer, times.response());
        forgetBody();
        sink.informational(head);
    }

    @Override
    public void head(ResponseHead head) {
        OriginConnection c = connection;
        answered(loop.clock(), head.version(), c);
        String wrong = request.unrequested(head.status());
        if (wrong != null && c != null) {
            c.fail(OriginFault.MALFORMED, wrong);
            return;
        }
        phase = FetchPhase.READING;
        forgetBody();
        MemberFetches.clean(origin(), head.fields());
        loop.deadlines().arm(timer, times.body());
        Attempts a = attempts;
        if (a != null) {
            SessionRoutes.mark(head.fields(), a);
            a.answered(head.status(), headNanos);
        }
        sink.head(head);
    }

    @Override
    public void data(ByteBuf data) {
        receivedBody += data.readableBytes();
        if (!paused) {
            loop.deadlines().arm(timer, times.body());
        }
        sink.data(data);
    }

    @Override
    public void end(Fields trailers) {
        done();
        connection = null;
        sink.end(trailers);
    }

    @Override
    public void broken(OriginFault fault, String detail) {
        connection = null;
        boolean stale = fault == OriginFault.CLOSED_EARLY && !fresh;
        // an unprocessed request may be sent again, whatever its method
        boolean unread = fault == OriginFault.UNPROCESSED;
        boolean again = unread || (stale && request.method().idempotent());
        boolean whole = body == null || body.whole();
        if (again && whole && retries < loop.settings().retries() + (unread ? 1 : 0)) {
            if (attempts == null || select(attempts.resend(loop.clock().nanos()))) {
                retries++;
                upstream.counters().retried.inc();
                borrow(!unread);
                return;
            }
        }
        if (!stale) {
            blame(fault);
        }
        fail(fault, detail);
    }

    @Override
    public void backlogged(boolean on) {
        if (!on && phase == FetchPhase.WAITING) {
            // the time-out is from the request's last byte
            loop.deadlines().arm(timer, times.response());
        }
        sink.backlogged(on);
    }

    @Override
    public void writable() {
        if (bodyWanted) {
            sink.writable();
        }
    }

    @Override
    public void flush() {
        sink.flush();
    }

    private void timedOut() {
        OriginConnection c = connection;
        if ((phase == FetchPhase.SENDING && wantsBody()) || (c != null && phase != FetchPhase.READING && sendsOn(c))) {
            // a slow client has its own time-out, and an origin that still reads the body need not answer yet
            loop.deadlines().arm(timer, times.response());
            return;
        }
        OriginFault fault = phase.late(connecting);
        if (fault == null) {
            return;
        }
        connection = null;
        if (c != null) {
            upstream.pool().forget(c);
            c.abandon();
        }
        blame(fault);
        fail(fault, "no answer from " + origin() + " in time");
        sink.flush();
    }

    private void fail(OriginFault fault, String detail) {
        done();
        upstream.originFailed(origin(), fault, detail);
        sink.broken(fault, detail);
    }

    /** Reports the failure to the server's health. */
    private void blame(OriginFault fault) {
        if (attempts != null && OriginFault.byOrigin(fault)) {
            attempts.failed(fault.label());
        }
    }

    private void done() {
        if (attempts != null) {
            attempts.over();
        }
        upstream.members().ended(origin, this);
        share.leave();
        share = AddressShares.UNCOUNTED;
        phase = FetchPhase.DONE;
        forgetBody();
        bodyWanted = false;
        loop.deadlines().disarm(timer);
    }

    /** The request will not be sent again. */
    private void forgetBody() {
        if (body != null) {
            body.over();
        }
    }
}
