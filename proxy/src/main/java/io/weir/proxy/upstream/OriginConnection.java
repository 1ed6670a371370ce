package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.weir.http.BodyDecoder;
import io.weir.http.Framing;
import io.weir.http.Method;
import io.weir.http.Progress;
import io.weir.http.ProtocolFault;
import io.weir.http.ResponseDecoder;
import io.weir.http.ResponseHead;
import io.weir.proxy.context.Buffers;
import io.weir.proxy.http2.OriginStream;
import io.weir.proxy.pool.OriginKey;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1 connection to an origin: decodes answers strictly and serves one fetch at a time. Owned by the pool of its
 * muxer, confined to that muxer; lives until either side closes it.
 */
public final class OriginConnection extends OriginEnd {
    private enum Phase {
        IDLE,
        HEAD,
        BODY,
        /** After 101 or a tunnel's set-up: bytes are passed through. */
        RAW,
        CLOSED
    }

    private static final int MAX_INTERIM = 64;

    private final ResponseDecoder decoder;
    private final BodyDecoder body;
    private @Nullable OriginEvents events;
    private @Nullable ByteBuf unread;
    private Phase phase = Phase.IDLE;
    private Method method = Method.GET;
    private boolean answered;
    private boolean reusable;
    private boolean requestSent;
    private boolean processing;
    private boolean paused;
    private boolean wasPaused;
    private boolean ended;
    /** The end of the connection is the end of the answer's body. */
    private boolean untilClose;

    private int interim;
    private long headBytes;

    OriginConnection(OriginKey key, OriginPool pool, Channel channel, ResponseDecoder decoder, BodyDecoder body) {
        super(key, pool, channel);
        this.decoder = decoder;
        this.body = body;
    }

    boolean idle() {
        return phase == Phase.IDLE && channel.isActive() && unread == null;
    }

    /** Marks it idle since the given time, for the pool. */
    void park(long nanos) {
        idleSince = nanos;
        decoder.reset();
        channel.config().setAutoRead(true);
    }

    /** Starts a request on it. The events are delivered on this muxer from now on. */
    void begin(OriginEvents listener, Method requestMethod) {
        events = listener;
        method = requestMethod;
        phase = Phase.HEAD;
        answered = false;
        reusable = false;
        requestSent = false;
        paused = false;
        wasPaused = false;
        interim = 0;
        headBytes = 0;
        uses++;
        decoder.expect(requestMethod);
        // the previous exchange may have ended while its client was slow
        channel.config().setAutoRead(true);
    }

    /** Bytes of the current answer's heads, interim ones included. */
    long headBytes() {
        return headBytes;
    }

    /** The whole request has been written: only then may the connection be reused. */
    void requestComplete() {
        requestSent = true;
    }

    /**
     * Flushes the end of a request with a body, and reports while some of it is unsent because the origin does not
     * read.
     */
    void flushEnd() {
        flush();
        boolean backlogged = unsent() > 0;
        notifyBacklogged(backlogged);
        if (backlogged) {
            int request = uses;
            taken().addListener(_ -> {
                if (uses == request) {
                    notifyBacklogged(false);
                }
            });
        }
    }

    private void notifyBacklogged(boolean on) {
        OriginEvents e = events;
        if (e != null) {
            e.backlogged(on);
        }
    }

    /** Pauses or resumes reading the answer: back-pressure towards the origin. */
    void pause(boolean on) {
        if (paused == on || phase == Phase.CLOSED) {
            return;
        }
        paused = on;
        wasPaused = wasPaused || on;
        channel.config().setAutoRead(!on);
        if (on && stream) {
            pool.countStreamPause();
        }
        if (!on && unread != null && !processing) {
            process();
            notifyFlush();
        }
    }

    /** Aborts the request in progress and closes the connection; no more events. */
    void abandon() {
        events = null;
        close();
    }

    void close() {
        phase = Phase.CLOSED;
        dropUnread();
        var _ = channel.close();
    }

    /** Hands the raw connection over to a tunnel; bytes read beyond the head are returned and owned by the caller. */
    public ByteBuf detach() {
        phase = Phase.CLOSED;
        events = null;
        pool.forget(this);
        ByteBuf rest = unread == null ? Unpooled.EMPTY_BUFFER : unread;
        unread = null;
        channel.pipeline().remove(this);
        return rest;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (!(msg instanceof ByteBuf bytes) || phase == Phase.CLOSED) {
            ReferenceCountUtil.release(msg);
            return;
        }
        if (phase == Phase.IDLE) {
            // an origin that sends data without a request cannot be trusted with the next one
            if (!Surplus.farewell(bytes)) {
                surplus();
            }
            bytes.release();
            pool.forget(this);
            close();
            return;
        }
        answered = true;
        unread = unread == null ? bytes : Buffers.join(ctx.alloc(), unread, bytes);
        process();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (phase == Phase.BODY && untilClose && !stream) {
            // the end may have been read, too: what it adds then goes out with the rest
            channel.eventLoop().execute(this::flushUnlessEnded);
        } else {
            notifyFlush();
        }
    }

    /** A channel that was closed meanwhile is about to report it, which flushes. */
    private void flushUnlessEnded() {
        if (channel.isOpen()) {
            notifyFlush();
        }
    }

    private void notifyFlush() {
        OriginEvents e = events;
        if (e != null) {
            e.flush();
        }
    }

    private void process() {
        processing = true;
        try {
            boolean more = true;
            while (more && (!paused || ended) && unread != null) {
                more = switch (phase) {
                    case HEAD -> decodeHead(unread);
                    case BODY -> decodeBody(unread);
                    case IDLE, RAW, CLOSED -> false;
                };
            }
        } finally {
            processing = false;
        }
        if (unread != null && !unread.isReadable()) {
            dropUnread();
        }
        if (phase == Phase.IDLE && unread != null) {
            pool.forget(this);
            close();
        }
    }

    private boolean decodeHead(ByteBuf in) {
        int before = in.readerIndex();
        Progress progress = decoder.decode(in);
        headBytes += in.readerIndex() - before;
        if (progress == Progress.MORE) {
            return false;
        }
        if (progress == Progress.FAULT) {
            malformed(decoder.fault());
            return false;
        }
        ResponseHead head = decoder.head();
        if (stream) {
            head.overHttp2();
        }
        int status = head.status();
        if (head.interim()) {
            return interim(head);
        }
        body.begin(head.framing(), head.contentLength());
        untilClose = head.framing() == Framing.UNTIL_CLOSE;
        reusable = head.keepAlive() && !untilClose && keeps(head);
        boolean raw = status == 101 || (method == Method.CONNECT && status < 300);
        phase = raw ? Phase.RAW : Phase.BODY;
        listener().head(head);
        return raw ? false : phase == Phase.BODY && bodyProgress(in);
    }

    /**
     * Passes a 1xx answer on; an origin that sends them without end would occupy a client and a connection for ever.
     */
    private boolean interim(ResponseHead head) {
        if (++interim > MAX_INTERIM) {
            fail(OriginFault.MALFORMED, "more than " + MAX_INTERIM + " interim answers");
            return false;
        }
        listener().informational(head);
        if (phase != Phase.HEAD) {
            return false;
        }
        decoder.expect(method);
        return true;
    }

    private boolean bodyProgress(ByteBuf in) {
        if (body.done()) {
            finish();
            return false;
        }
        return in.isReadable();
    }

    private boolean decodeBody(ByteBuf in) {
        ByteBuf data = body.next(in);
        if (data != null) {
            listener().data(data);
            if (phase != Phase.BODY) {
                return false;
            }
        }
        ProtocolFault fault = body.fault();
        if (fault != null) {
            malformed(fault);
            return false;
        }
        if (body.done()) {
            finish();
            return false;
        }
        return data != null && in.isReadable();
    }

    private void finish() {
        OriginEvents e = listener();
        boolean more = unread != null && unread.isReadable();
        // the origin's keep-alive time began when it had sent everything, possibly long ago if we read slowly
        boolean late = wasPaused && bounded();
        boolean keep = reusable && requestSent && channel.isActive() && !more && !late;
        phase = keep ? Phase.IDLE : Phase.CLOSED;
        e.end(body.trailers());
        e.flush();
        events = null;
        if (more) {
            surplus();
        }
        if (keep) {
            pool.release(this);
        } else {
            pool.forget(this);
            close();
        }
    }

    private void malformed(@Nullable ProtocolFault fault) {
        String detail = fault == null ? "unreadable answer" : fault.detail();
        if (fault != null) {
            pool.countMalformed(fault);
        }
        fail(OriginFault.MALFORMED, detail);
    }

    /** Ends the request in progress with a failure and closes the connection. */
    void fail(OriginFault fault, String detail) {
        OriginEvents e = events;
        events = null;
        pool.forget(this);
        close();
        if (e != null) {
            e.broken(fault, detail);
            e.flush();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (phase == Phase.CLOSED) {
            return;
        }
        if (phase == Phase.IDLE) {
            pool.forget(this);
            close();
            return;
        }
        if (phase == Phase.BODY && paused && unread != null) {
            drainPaused();
        }
        ProtocolFault cut = cut();
        if (phase == Phase.BODY && cut == null) {
            reusable = false;
            finish();
            return;
        }
        countCut(cut);
        if (phase != Phase.CLOSED) {
            fail(
                    answered
                            ? (phase == Phase.BODY ? OriginFault.TRUNCATED : OriginFault.RESET)
                            : OriginFault.CLOSED_EARLY,
                    "the origin closed the connection");
        }
    }

    /** How the end of the connection affects the answer in progress: null if it is complete or not begun. */
    private @Nullable ProtocolFault cut() {
        return switch (phase) {
            case HEAD -> decoder.inputClosed();
            case BODY -> body.inputClosed();
            case IDLE, RAW, CLOSED -> null;
        };
    }

    private void countCut(@Nullable ProtocolFault cut) {
        if (cut != null) {
            pool.countMalformed(cut);
        }
    }

    /** The origin has closed; data received before is bounded by one read and is still delivered. */
    private void drainPaused() {
        ended = true;
        process();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof OriginStream.Unprocessed && phase == Phase.HEAD && !answered) {
            pool.countUnprocessed();
            fail(OriginFault.UNPROCESSED, "the origin refused the request without processing it");
        }
        if (event instanceof SslCloseCompletionEvent) {
            // the origin has sent everything; it may wait for our close_notify before it closes the connection
            var _ = channel.close();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        OriginEvents e = events;
        if (!channel.isWritable()) {
            pool.countPause();
        } else if (e != null) {
            e.writable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            pool.unexpected(cause);
        }
        if (phase == Phase.IDLE || phase == Phase.CLOSED) {
            pool.forget(this);
            close();
            return;
        }
        countCut(cut());
        OriginFault early = cause instanceof LateRefusal.Refused ? OriginFault.TLS_FAILED : OriginFault.CLOSED_EARLY;
        fail(answered ? OriginFault.RESET : early, Buffers.reason(cause));
    }

    private OriginEvents listener() {
        OriginEvents e = events;
        if (e == null) {
            throw new IllegalStateException("an origin connection without a fetch in phase " + phase);
        }
        return e;
    }

    private void dropUnread() {
        if (unread != null) {
            unread.release();
            unread = null;
        }
    }
}
