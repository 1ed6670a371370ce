package io.weir.proxy;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.ResponseHead;
import io.weir.http.Version;
import io.weir.kernel.Deadline;
import io.weir.proxy.origins.Attempts;
import io.weir.proxy.origins.OriginKey;
import io.weir.proxy.origins.Refusal;
import io.weir.proxy.origins.Server;
import org.jspecify.annotations.Nullable;

/**
 * One request to the origin side: picks an origin, borrows a connection, sends the request, retries where that is safe,
 * watches the time-outs, and passes the answer on to its sink. Confined to the muxer of the connection that started it;
 * lives until the answer is complete, it failed, or it was cancelled.
 *
 * <p>The retry rule (decisions.md, HTTP): a request is resent only after a dead <em>reused</em> connection, before any
 * byte of an answer, and only when it is a GET, HEAD or OPTIONS without a body: an origin sees a POST at most once. A
 * failure to connect sent nothing, so another server of the pool is tried for every method.
 */
final class Fetch implements OriginEvents, OriginPool.Borrower {
    /**
     * How long is waited, nanoseconds.
     *
     * @param connect for a connection to one address
     * @param borrow for a connection of the pool, resolving and connecting included
     * @param response from the request's last byte to the head of the answer
     * @param body between two pieces of the answer's body
     */
    record Times(long connect, long borrow, long response, long body) {}

    private enum Phase {
        BORROWING,
        SENDING,
        WAITING,
        READING,
        DONE
    }

    private final LoopContext loop;
    private final FetchRequest request;
    private final @Nullable Attempts attempts;
    private final Deadline timer = new Deadline() {
        @Override
        protected void expired() {
            timedOut();
        }
    };
    private OriginEvents sink;
    private @Nullable OriginConnection connection;
    private Phase phase = Phase.BORROWING;
    private @Nullable OriginKey origin;
    private @Nullable Server server;
    private int retries;
    private boolean fresh;
    private boolean connecting;
    private boolean bodyWanted;
    private boolean paused;
    private long requestMillis;
    private long responseMillis;
    private long startNanos;
    private long headNanos;
    private long resolvedNanos;
    private long borrowedNanos;
    private long sentHead;
    private long sentBody;
    private long receivedHead;
    private long receivedBody;
    private @Nullable Version version;

    Fetch(LoopContext loop, FetchRequest request, OriginEvents sink) {
        this.loop = loop;
        this.request = request;
        this.attempts = request.attempts();
        this.sink = sink;
    }

    /** Starts; events may come before this returns. */
    void start() {
        startNanos = loop.clock().nanos();
        Attempts a = attempts;
        if (a == null) {
            origin = request.only();
            borrow(false);
        } else if (at(a.first(startNanos))) {
            borrow(false);
        } else {
            boolean busy = a.refusal() == Refusal.BUSY;
            done();
            sink.broken(busy ? OriginFault.BUSY : OriginFault.ALL_DOWN, "");
            sink.flush();
        }
    }

    /** Goes to a server; false when there is none. */
    private boolean at(@Nullable Server chosen) {
        if (chosen == null) {
            return false;
        }
        server = chosen;
        origin = chosen.key();
        return true;
    }

    /** Who gets the answer from now on. */
    void sink(OriginEvents next) {
        sink = next;
    }

    /** When the request was sent, epoch milliseconds: the request_time of RFC 9111 section 4.2.3. */
    long requestMillis() {
        return requestMillis;
    }

    /** When the head of the answer arrived, epoch milliseconds: the response_time of RFC 9111 section 4.2.3. */
    long responseMillis() {
        return responseMillis;
    }

    /** When the head of the answer arrived by the monotonic clock; 0 before. */
    long headNanos() {
        return headNanos;
    }

    /** When the name of the origin was resolved for a new connection; 0 where none was made. */
    long resolvedNanos() {
        return resolvedNanos;
    }

    /** When there was a connection to send the request on; 0 before. */
    long borrowedNanos() {
        return borrowedNanos;
    }

    /** The connection became a tunnel's: no more events and no time-outs. */
    void detached() {
        connection = null;
        done();
    }

    long startNanos() {
        return startNanos;
    }

    /** Bytes of the request's head as sent last. */
    long sentHead() {
        return sentHead;
    }

    /** Bytes of the request's body, without the framing of chunks. */
    long sentBody() {
        return sentBody;
    }

    /** Bytes of the answer's heads, interim ones included. */
    long receivedHead() {
        return receivedHead;
    }

    /** Bytes of the answer's body, without the framing of chunks. */
    long receivedBody() {
        return receivedBody;
    }

    /** The version of HTTP that the answer came in; null before. */
    @Nullable
    Version version() {
        return version;
    }

    /** The server of a pool that is asked, or was last; null where there is no pool. */
    @Nullable
    Server server() {
        return server;
    }

    private OriginKey origin() {
        OriginKey o = origin;
        if (o == null) {
            throw new IllegalStateException("a fetch without an origin");
        }
        return o;
    }

    /** The connection after a 101 or a tunnel's set-up; null when it is gone. */
    @Nullable
    OriginConnection connection() {
        return connection;
    }

    /** Whether the request body may be sent now. */
    boolean wantsBody() {
        OriginConnection c = connection;
        return bodyWanted && c != null && c.writable();
    }

    /** Sends a piece of the request body; takes ownership. */
    void sendBody(ByteBuf data) {
        OriginConnection c = connection;
        if (c == null || !bodyWanted) {
            data.release();
            return;
        }
        sentBody += data.readableBytes();
        if (request.chunked()) {
            loop.chunks().write(c.channel(), data);
        } else {
            c.write(data);
        }
        if (phase == Phase.SENDING) {
            loop.deadlines().arm(timer, request.times().response());
        }
    }

    /** The request body is complete. */
    void endBody(Fields trailers) {
        OriginConnection c = connection;
        if (c == null || !bodyWanted) {
            return;
        }
        if (request.chunked()) {
            loop.chunks().last(c.channel(), trailers);
        }
        if (phase == Phase.SENDING) {
            loop.deadlines().arm(timer, request.times().response());
        }
        sent(c);
        c.flush();
    }

    /** Writes out what was sent with {@link #sendBody}. */
    void flushBody() {
        OriginConnection c = connection;
        if (c != null) {
            c.flush();
        }
    }

    /** Stops or resumes reading the answer. */
    void pause(boolean on) {
        paused = on;
        OriginConnection c = connection;
        if (c != null) {
            if (on) {
                loop.deadlines().disarm(timer);
            } else if (phase == Phase.READING) {
                loop.deadlines().arm(timer, request.times().body());
            }
            c.pause(on);
        }
    }

    /** Nobody wants the answer any more: the connection is closed, for its answer would be in the way. */
    void cancel() {
        if (phase == Phase.DONE) {
            return;
        }
        done();
        OriginConnection c = connection;
        connection = null;
        if (c != null) {
            loop.pool().forget(c);
            c.abandon();
        }
    }

    boolean finished() {
        return phase == Phase.DONE;
    }

    private void borrow(boolean mustBeFresh) {
        phase = Phase.BORROWING;
        connecting = false;
        loop.deadlines().arm(timer, request.times().borrow());
        loop.pool().borrow(origin(), mustBeFresh, this);
    }

    @Override
    public int connections() {
        Attempts a = attempts;
        return a == null ? 0 : a.rules().connections();
    }

    @Override
    public int waiting() {
        Attempts a = attempts;
        return a == null ? -1 : a.rules().waiting();
    }

    @Override
    public boolean cancelled() {
        return phase != Phase.BORROWING;
    }

    @Override
    public boolean switches() {
        return request.upgrade();
    }

    @Override
    public OriginConnector.AddressRule rule() {
        return request.allowed();
    }

    @Override
    public long connecting() {
        connecting = true;
        return request.times().connect();
    }

    @Override
    public void resolved() {
        resolvedNanos = loop.clock().nanos();
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
        loop.deadlines().arm(timer, request.times().response());
        phase = Phase.SENDING;
        bodyWanted = request.body();
        if (!bodyWanted) {
            sent(borrowed);
        }
        // a connection that is dead may say so, and the retry begin, within these calls
        borrowed.write(head);
        borrowed.flush();
        if (bodyWanted && connection == borrowed) {
            sink.writable();
        }
    }

    private void sent(OriginConnection c) {
        bodyWanted = false;
        c.requestComplete();
        if (phase == Phase.SENDING) {
            phase = Phase.WAITING;
        }
    }

    @Override
    public void unavailable(OriginFault fault, String detail) {
        if (phase != Phase.BORROWING) {
            return;
        }
        Attempts a = attempts;
        boolean elsewhere = OriginFault.unreachable(fault) || fault == OriginFault.POOL_FULL;
        if (a != null && elsewhere) {
            blame(fault);
            if (at(a.elsewhere(loop.clock().nanos()))) {
                loop.counters().retried.inc();
                borrow(false);
                return;
            }
        }
        fail(fault, detail);
        sink.flush();
    }

    @Override
    public void informational(ResponseHead head) {
        loop.deadlines().arm(timer, request.times().response());
        sink.informational(head);
    }

    @Override
    public void head(ResponseHead head) {
        responseMillis = loop.clock().millis();
        headNanos = loop.clock().nanos();
        version = head.version();
        OriginConnection c = connection;
        receivedHead = c == null ? 0 : c.headBytes();
        if (head.status() == 101 && !request.upgrade() && c != null) {
            c.fail(OriginFault.MALFORMED, "the origin changed the protocol without being asked");
            return;
        }
        phase = Phase.READING;
        loop.deadlines().arm(timer, request.times().body());
        Attempts a = attempts;
        if (a != null) {
            Sessions.mark(head.fields(), a);
            a.answered(head.status(), headNanos);
        }
        sink.head(head);
    }

    @Override
    public void data(ByteBuf data) {
        receivedBody += data.readableBytes();
        if (!paused) {
            loop.deadlines().arm(timer, request.times().body());
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
        // what was not looked at may be sent again, whatever it is, while its body is still there
        boolean unread = fault == OriginFault.UNPROCESSED && sentBody == 0;
        if ((unread || (stale && request.resendable()))
                && retries < loop.settings().retries() + (unread ? 1 : 0)) {
            Attempts a = attempts;
            if (a == null || at(a.resend(loop.clock().nanos()))) {
                retries++;
                loop.counters().retried.inc();
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
        if (phase == Phase.SENDING && bodyWanted && c != null && c.writable()) {
            // it is the client who is slow, and there is a time-out for that
            loop.deadlines().arm(timer, request.times().response());
            return;
        }
        OriginFault fault = switch (phase) {
            case BORROWING -> connecting ? OriginFault.CONNECT_TIMEOUT : OriginFault.POOL_FULL;
            case SENDING, WAITING -> OriginFault.RESPONSE_TIMEOUT;
            case READING -> OriginFault.BODY_TIMEOUT;
            case DONE -> null;
        };
        if (fault == null) {
            return;
        }
        connection = null;
        if (c != null) {
            loop.pool().forget(c);
            c.abandon();
        }
        blame(fault);
        fail(fault, "no answer from " + origin() + " in time");
        sink.flush();
    }

    private void fail(OriginFault fault, String detail) {
        done();
        loop.originFailed(origin(), fault, detail);
        sink.broken(fault, detail);
    }

    /** Tells the server's health what it did. */
    private void blame(OriginFault fault) {
        Attempts a = attempts;
        if (a != null && OriginFault.byOrigin(fault)) {
            a.failed(fault.label());
        }
    }

    private void done() {
        Attempts a = attempts;
        if (a != null) {
            a.over();
        }
        phase = Phase.DONE;
        bodyWanted = false;
        loop.deadlines().disarm(timer);
    }
}
