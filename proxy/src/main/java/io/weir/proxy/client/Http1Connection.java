package io.weir.proxy.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import io.weir.http.BodyDecoder;
import io.weir.http.Framing;
import io.weir.http.Progress;
import io.weir.http.ProtocolFault;
import io.weir.http.RequestDecoder;
import io.weir.http.RequestHead;
import io.weir.http.Side;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.mux.Deadline;
import io.weir.proxy.exchange.Client;
import io.weir.proxy.exchange.Exchange;
import io.weir.proxy.exchange.Exchanges;
import io.weir.proxy.tunnel.ChannelTunnel;
import io.weir.proxy.tunnel.TunnelEnd;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1 on one client connection: decodes requests, has one exchange after the other answer them in order, and bounds
 * read-ahead. Confined to the connection's muxer; lives as long as the connection.
 */
public final class Http1Connection extends Http1Handler implements Client {
    private final RequestDecoder decoder;
    private final BodyDecoder body;
    private final Deadline timer;
    private @Nullable Exchange exchange;
    private ReadPhase phase = ReadPhase.IDLE;
    private boolean processing;
    private boolean reading;
    private boolean used;
    private boolean closing;
    private long drained;
    private long headBytes;

    public Http1Connection(Exchanges exchanges, Connection connection) {
        super(exchanges, connection);
        this.decoder = new RequestDecoder(loop.requestLimits(), loop.scratch());
        this.body = new BodyDecoder(Side.REQUEST, loop.requestLimits());
        this.timer = Deadline.of(this::timedOut);
    }

    /** The server is stopping: idle connections close, busy ones after their answer. */
    public void drain() {
        closing = true;
        if (phase == ReadPhase.IDLE) {
            finishConnection();
        }
    }

    @Override
    public long headBytes() {
        return headBytes;
    }

    /** Reserves a place among the kept-alive connections. */
    @Override
    public boolean mayKeepAlive(RequestHead head) {
        boolean lastOne = inputClosed && !hasUnread();
        boolean ending = !head.keepAlive() || closing || lastOne || connection.draining();
        return !ending && restIsSmall(head) && loop.kernel().keepAlive().reserve(connection);
    }

    /**
     * Whether the rest of the request's body is worth reading to keep the connection. A client that waits for 100 may
     * or may not send its body after a final answer: only closing is safe then (RFC 9110 section 10.1.1).
     */
    private boolean restIsSmall(RequestHead head) {
        if (phase != ReadPhase.BODY) {
            return true;
        }
        return !head.expectsContinue() && body.remaining() <= loop.settings().drainBytes();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (!(msg instanceof ByteBuf bytes)) {
            ReferenceCountUtil.release(msg);
            return;
        }
        if (phase == ReadPhase.LINGERING || phase == ReadPhase.CLOSED) {
            bytes.release();
            return;
        }
        append(bytes);
        reading = true;
        process();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        flushBody();
        outbox.flush();
    }

    /** Flushes what was passed on of the request's body, and its head. */
    private void flushBody() {
        Exchange e = exchange;
        if (e != null) {
            e.upload().batchEnd();
        }
    }

    /** Also called when input has arrived. */
    @Override
    public void process() {
        assert loop.here() : "a client connection belongs to its muxer";
        if (processing) {
            return;
        }
        processing = true;
        try {
            boolean more = true;
            while (more) {
                more = step();
            }
        } finally {
            processing = false;
        }
        trimUnread();
        if (phase == ReadPhase.IDLE && unread == null && channel().isWritable()) {
            rest();
        }
        if (!reading) {
            flushBody();
        }
        regulate();
    }

    private boolean step() {
        ByteBuf in = unread;
        return switch (phase) {
            case IDLE -> in != null && acceptsAnswers() && readHead(in);
            case HEAD -> in != null && readHead(in);
            case BODY -> readBody(in);
            case DRAINING -> in != null && drainBody(in);
            case ANSWERING, TUNNEL, LINGERING, CLOSED -> false;
        };
    }

    private boolean readHead(ByteBuf in) {
        if (!in.isReadable()) {
            return false;
        }
        if (phase == ReadPhase.IDLE) {
            headBytes = 0;
        }
        int before = in.readerIndex();
        Progress progress = decoder.decode(in);
        headBytes += in.readerIndex() - before;
        return switch (progress) {
            case MORE -> {
                waitForHead();
                yield false;
            }
            case FAULT -> {
                arriveFromIdle();
                loop.deadlines().disarm(timer);
                refuse(decoder.fault());
                yield false;
            }
            case HEAD -> {
                arriveFromIdle();
                headComplete(decoder.head());
                yield true;
            }
        };
    }

    private void waitForHead() {
        if (phase == ReadPhase.IDLE && decoder.inHead()) {
            arrive();
            phase = ReadPhase.HEAD;
            connection.awaitClient();
            loop.deadlines().arm(timer, loop.settings().headerNanos());
        }
        if (inputClosed) {
            headTruncated();
        }
    }

    /** The client half-closed within a head: it may still read the error answer (RFC 9112 section 8). */
    private void headTruncated() {
        ProtocolFault fault = decoder.inputClosed();
        if (fault == null) {
            finishConnection();
            return;
        }
        loop.deadlines().disarm(timer);
        refuse(fault);
    }

    private void arriveFromIdle() {
        if (phase == ReadPhase.IDLE) {
            arrive();
        }
    }

    /** The first byte of a request ends the idle time. */
    private void arrive() {
        used = true;
        loop.deadlines().disarm(timer);
        connection.busy();
    }

    private void headComplete(RequestHead head) {
        connection.clientResponded();
        loop.deadlines().disarm(timer);
        body.begin(head.framing(), head.contentLength());
        boolean bodyFollows = head.framing() != Framing.NONE && !body.done();
        phase = bodyFollows ? ReadPhase.BODY : ReadPhase.ANSWERING;
        Exchange e = exchanges.take();
        exchange = e;
        e.begin(this, head, phase == ReadPhase.BODY);
    }

    private boolean readBody(@Nullable ByteBuf in) {
        Exchange e = exchange;
        if (e == null || !e.upload().ready()) {
            loop.deadlines().disarm(timer);
            return false;
        }
        if (in == null || !in.isReadable()) {
            if (inputClosed) {
                e.upload().broken(counted(body.inputClosed()));
            } else {
                loop.deadlines().arm(timer, e.upload().beginWait());
            }
            return false;
        }
        ByteBuf data = body.next(in);
        if (data != null) {
            e.upload().data(data);
        }
        if (phase != ReadPhase.BODY) {
            return phase != ReadPhase.ANSWERING;
        }
        if (body.fault() != null) {
            loop.deadlines().disarm(timer);
            e.upload().broken(counted(body.fault()));
            return false;
        }
        if (body.done()) {
            loop.deadlines().disarm(timer);
            phase = ReadPhase.ANSWERING;
            e.upload().end(body.trailers());
            return phase != ReadPhase.ANSWERING;
        }
        return true;
    }

    private boolean drainBody(ByteBuf in) {
        ByteBuf data = body.next(in);
        if (data != null) {
            drained += data.readableBytes();
            data.release();
        }
        if (body.fault() != null || drained > loop.settings().drainBytes()) {
            linger();
            return false;
        }
        if (body.done()) {
            loop.deadlines().disarm(timer);
            nextRequest();
            return true;
        }
        return data != null;
    }

    @Override
    public void answered() {
        Exchange e = exchange;
        exchange = null;
        if (e != null) {
            exchanges.recycle(e);
        }
        if (phase == ReadPhase.TUNNEL || phase == ReadPhase.CLOSED) {
            return;
        }
        boolean keep = response.keepsAlive() && !(inputClosed && unread == null);
        if (phase == ReadPhase.BODY) {
            abandonRequest(keep);
        } else if (keep) {
            nextRequest();
        } else {
            finishConnection();
        }
        process();
        if (!reading) {
            outbox.flush();
        }
    }

    /**
     * The answer was complete before the request's body was read: discards a small rest, otherwise closes the
     * connection.
     */
    private void abandonRequest(boolean keep) {
        boolean small = body.remaining() <= loop.settings().drainBytes();
        if (keep && small && body.fault() == null && !inputClosed) {
            loop.counters().restsRead.inc();
            drained = 0;
            phase = ReadPhase.DRAINING;
            loop.deadlines().arm(timer, loop.settings().clientBodyNanos());
        } else {
            loop.counters().restsRefused.add(small ? 0 : 1);
            outbox.flush();
            linger();
        }
    }

    private void nextRequest() {
        phase = ReadPhase.IDLE;
        if (closing) {
            finishConnection();
        }
    }

    private void rest() {
        decoder.reset();
        if (inputClosed || (used && !connection.idle())) {
            finishConnection();
        }
    }

    private void finishConnection() {
        if (hasUnread()) {
            linger();
            return;
        }
        phase = ReadPhase.CLOSED;
        loop.deadlines().disarm(timer);
        dropUnread();
        OrderlyClose.afterWrites(outbox, channel());
    }

    /**
     * Closes so that the client can still read the answer: first our side, then input is discarded for a short while.
     */
    private void linger() {
        if (phase == ReadPhase.CLOSED || phase == ReadPhase.LINGERING) {
            return;
        }
        phase = ReadPhase.LINGERING;
        dropUnread();
        loop.deadlines().arm(timer, loop.settings().lingerNanos());
        ReadAhead.read(this, true, null);
        OrderlyClose.ourSide(outbox, connection, inputClosed);
    }

    /** The request violates HTTP: answers with the fault's status, then ends the connection. */
    private void refuse(@Nullable ProtocolFault fault) {
        if (fault == null) {
            close();
            return;
        }
        phase = ReadPhase.ANSWERING;
        counted(fault);
        exchanges.errors().refuseHead(this, fault);
        linger();
    }

    private void timedOut() {
        switch (phase) {
            case HEAD -> {
                loop.counters().headerTimeOuts.inc();
                exchanges.errors().requestTimeOut(this);
                linger();
            }
            case BODY -> {
                Exchange e = exchange;
                if (e != null && !e.upload().timedOut()) {
                    loop.deadlines().arm(timer, e.upload().beginWait());
                }
            }
            case DRAINING -> linger();
            case LINGERING -> close();
            case IDLE, ANSWERING, TUNNEL, CLOSED -> {}
        }
    }

    @Override
    public void tunnel(Channel origin, ByteBuf early, TunnelEnd end) {
        phase = ReadPhase.TUNNEL;
        loop.deadlines().disarm(timer);
        decoder.reset();
        ByteBuf fromClient = unread == null ? Unpooled.EMPTY_BUFFER : unread;
        unread = null;
        channel().pipeline().remove(this);
        ChannelTunnel tunnel = new ChannelTunnel(loop, channel(), origin, end);
        connection.onDrain(tunnel::close);
        tunnel.start(fromClient, early, inputClosed);
    }

    @Override
    public void cut() {
        finishConnection();
    }

    @Override
    public void close() {
        if (phase != ReadPhase.CLOSED) {
            phase = ReadPhase.CLOSED;
            loop.deadlines().disarm(timer);
            dropUnread();
            connection.close();
        }
    }

    /** Enables or disables reading, by what the current phase can accept. */
    private void regulate() {
        boolean want = switch (phase) {
            case HEAD, DRAINING, LINGERING -> true;
            case IDLE -> channel().isWritable() || !ReadAhead.full(unread, loop.settings());
            case BODY -> wantsBody() || !ReadAhead.full(unread, loop.settings());
            case ANSWERING -> !ReadAhead.full(unread, loop.settings());
            case TUNNEL, CLOSED -> channel().config().isAutoRead();
        };
        ReadAhead.read(this, want, unread);
    }

    private boolean wantsBody() {
        Exchange e = exchange;
        return e != null && e.upload().wanted();
    }

    @Override
    void inputEnded() {
        inputClosed = true;
        switch (phase) {
            case IDLE -> {
                if (unread == null) {
                    finishConnection();
                }
            }
            case HEAD -> headTruncated();
            case DRAINING -> finishConnection();
            case LINGERING -> close();
            case BODY -> process();
            case ANSWERING, TUNNEL, CLOSED -> {}
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Exchange e = exchange;
        if (channel().isWritable()) {
            if (e != null) {
                e.clientWritable();
            } else {
                process();
                if (!reading) {
                    outbox.flush();
                }
            }
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        disconnected();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        releaseResources();
    }

    private void disconnected() {
        switch (phase) {
            case HEAD -> counted(decoder.inputClosed());
            case BODY -> counted(body.inputClosed());
            case IDLE, ANSWERING, DRAINING, TUNNEL, LINGERING, CLOSED -> {}
        }
        phase = ReadPhase.CLOSED;
        Exchange e = exchange;
        exchange = null;
        if (e != null) {
            // the access log and functions that run at the end use the request, which is in the decoder's memory
            e.clientDisconnected(connection.late());
            exchanges.recycle(e);
        }
        releaseResources();
    }

    private void releaseResources() {
        outbox.release();
        loop.deadlines().disarm(timer);
        dropUnread();
        decoder.reset();
    }
}
