package io.weir.proxy.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.Progress;
import io.weir.http.ProtocolFault;
import io.weir.http.RequestDecoder;
import io.weir.http.RequestHead;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.SessionState;
import io.weir.kernel.mux.Deadline;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.exchange.Client;
import io.weir.proxy.exchange.ClientResponse;
import io.weir.proxy.exchange.Exchange;
import io.weir.proxy.exchange.Exchanges;
import io.weir.proxy.exchange.RefusedRequest;
import io.weir.proxy.http2.Http2Session;
import io.weir.proxy.http2.StreamEnd;
import io.weir.proxy.tunnel.StreamTunnel;
import io.weir.proxy.tunnel.TunnelEnd;
import io.weir.proxy.tunnel.TunnelStream;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One request of an HTTP/2 client and its answer. Body data that its exchange cannot accept yet is queued here, bounded
 * by the stream's window, which is replenished only as pieces are passed on. Confined to the connection's muxer; lives
 * as long as the stream.
 */
final class ClientStream extends StreamEnd implements Client, TunnelStream {
    private static final Fields NO_TRAILERS = new Fields();

    private final Exchanges exchanges;
    private final LoopContext loop;
    private final Http2Session session;
    private final Http2Stream stream;
    private final StreamOutbox outbox;
    private final ClientResponse response;
    private final RequestDecoder decoder;
    private final ArrayDeque<ByteBuf> unread = new ArrayDeque<>(0);
    private final Deadline timer = Deadline.of(this::timedOut);
    private @Nullable Exchange exchange;
    private @Nullable Fields trailers;
    private @Nullable StreamTunnel tunnel;
    private @Nullable SessionState state;
    private boolean bodyOpen;
    private boolean connect;
    private boolean switches;
    private boolean draining;
    private boolean answerOut;
    private boolean ended;
    private boolean processing;
    /** Window updates have been written but not flushed. */
    private boolean credited;

    private boolean closed;
    private long headBytes;
    private long promised = -1;
    private long received;

    ClientStream(Exchanges exchanges, Http2Session session, Http2Stream stream) {
        this.exchanges = exchanges;
        this.loop = exchanges.loop();
        this.session = session;
        this.stream = stream;
        this.outbox = new StreamOutbox(session, stream);
        this.response = new ClientResponse(loop, session.client().channel().alloc(), outbox, true);
        this.decoder = new RequestDecoder(loop.requestLimits(), loop.scratch());
    }

    @Override
    protected boolean head(ByteBuf text, boolean end) {
        ended = end;
        headBytes = text.readableBytes();
        Progress progress = decoder.decode(text);
        if (progress != Progress.HEAD) {
            return refuse(progress == Progress.FAULT ? decoder.fault() : decoder.inputClosed());
        }
        RequestHead head = decoder.head();
        promised = head.contentLength();
        switches = head.fields().has(FieldName.UPGRADE);
        connect = switches || head.methodId() == Method.CONNECT;
        head.overHttp2(!end && !connect);
        boolean bodiless = head.methodId() == Method.TRACE;
        if (end ? promised > 0 : bodiless) {
            session.contradicted();
            malformed();
            return false;
        }
        bodyOpen = !end && promised != 0 && !connect;
        Exchange e = exchanges.take();
        exchange = e;
        e.begin(this, head, bodyOpen);
        return true;
    }

    /**
     * Handles a request that HTTP/1 would refuse as well: too large or unknown ones are answered, malformed ones reset.
     */
    private boolean refuse(@Nullable ProtocolFault fault) {
        if (fault == null) {
            return false;
        }
        loop.counters().fault(fault.reason());
        if (fault.status() == 400) {
            malformed();
            return false;
        }
        exchanges.errors().refuseHead(this, fault);
        answered();
        return true;
    }

    @Override
    protected void malformed() {
        response.refused(400);
        RefusedRequest.record(this);
    }

    @Override
    protected boolean data(ByteBuf data, boolean end) {
        int bytes = data.readableBytes();
        received += bytes;
        ended = end;
        if (promised >= 0 && (received > promised || (end && received < promised))) {
            data.release();
            session.consumed(stream, bytes);
            session.contradicted();
            return false;
        }
        if ((!bodyOpen && !connect) || bytes == 0) {
            data.release();
            consumed(bytes);
        } else {
            unread.add(data);
        }
        process();
        return true;
    }

    @Override
    protected boolean trailers(Fields fields) {
        ended = true;
        if (promised >= 0 && received < promised) {
            session.contradicted();
            return false;
        }
        trailers = fields;
        process();
        return true;
    }

    @Override
    public void process() {
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
        // also if the origin's socket was the reason, and no input of this client
        if (!session.reads()) {
            readComplete();
        }
        if (credited) {
            credited = false;
            session.flush();
        }
    }

    private boolean step() {
        StreamTunnel t = tunnel;
        if (t != null) {
            return tunnelStep(t);
        }
        Exchange e = exchange;
        if (e == null || !bodyOpen) {
            return false;
        }
        if (!e.upload().ready()) {
            loop.deadlines().disarm(timer);
            return false;
        }
        ByteBuf next = unread.poll();
        if (next != null) {
            int bytes = next.readableBytes();
            e.upload().data(next);
            consumed(bytes);
            return true;
        }
        if (!ended) {
            loop.deadlines().arm(timer, e.upload().beginWait());
            return false;
        }
        bodyOpen = false;
        loop.deadlines().disarm(timer);
        Fields last = trailers;
        e.upload().end(last == null ? NO_TRAILERS : last);
        return false;
    }

    private boolean tunnelStep(StreamTunnel to) {
        ByteBuf next = to.ready() ? unread.poll() : null;
        if (next != null) {
            int bytes = next.readableBytes();
            to.send(next);
            consumed(bytes);
            return true;
        }
        if (ended && unread.isEmpty()) {
            to.clientEnded();
        }
        return false;
    }

    @Override
    public boolean extendedConnect() {
        return switches;
    }

    @Override
    public void tunnel(Channel origin, ByteBuf early, TunnelEnd end) {
        StreamTunnel joined = new StreamTunnel(loop, this, origin, end);
        tunnel = joined;
        exchange = null;
        joined.start(early);
    }

    @Override
    public void originEnded() {
        if (!closed && !answerOut) {
            answerOut = true;
            var _ = outbox.finish();
            session.flush();
        }
    }

    @Override
    public void tunnelClosed() {
        tunnel = null;
        connect = false;
        releaseResources();
        if (!closed && !(answerOut && ended)) {
            Http2Error cut = switches ? Http2Error.CANCEL : Http2Error.CONNECT_ERROR;
            session.reset(stream, answerOut ? Http2Error.NO_ERROR : cut);
        }
    }

    @Override
    public void add(ByteBuf data) {
        outbox.add(data);
    }

    @Override
    public void flush() {
        outbox.flush();
    }

    private void consumed(int bytes) {
        if (!closed && bytes > 0) {
            session.consumed(stream, bytes);
            credited = true;
        }
    }

    @Override
    protected void readComplete() {
        Exchange e = exchange;
        if (e != null) {
            e.upload().batchEnd();
        }
    }

    private void timedOut() {
        if (draining && answerOut) {
            session.reset(stream, Http2Error.NO_ERROR);
            return;
        }
        Exchange e = exchange;
        if (e != null && !e.upload().timedOut()) {
            loop.deadlines().arm(timer, e.upload().beginWait());
        }
        session.flush();
    }

    @Override
    protected void resumeWriting() {
        StreamTunnel t = tunnel;
        if (t != null) {
            t.resumeWriting();
        }
        Exchange e = exchange;
        if (e != null) {
            e.clientWritable();
        }
    }

    @Override
    protected void drain() {
        StreamTunnel t = tunnel;
        if (t != null) {
            t.close();
        }
    }

    @Override
    protected boolean waiting() {
        return exchange != null && response.started() && !session.writable(stream);
    }

    @Override
    protected void closed() {
        closed = true;
        Exchange e = exchange;
        exchange = null;
        if (e != null) {
            e.clientDisconnected(false);
            exchanges.recycle(e);
        }
        StreamTunnel t = tunnel;
        if (t != null) {
            t.close();
        }
        releaseResources();
        SessionState shown = state;
        if (shown != null) {
            session.client().streamEnded(shown);
        }
    }

    private void releaseResources() {
        outbox.release();
        loop.deadlines().disarm(timer);
        bodyOpen = false;
        for (ByteBuf left = unread.poll(); left != null; left = unread.poll()) {
            int bytes = left.readableBytes();
            left.release();
            consumed(bytes);
        }
        decoder.reset();
    }

    @Override
    public void answered() {
        Exchange e = exchange;
        exchange = null;
        if (e != null) {
            exchanges.recycle(e);
        }
        if (closed) {
            return;
        }
        if (response.cut()) {
            cut();
            return;
        }
        connect = false;
        draining = !ended;
        outbox.finish().addListener((ChannelFutureListener) _ -> {
            answerOut = true;
            abandonRest();
        });
        releaseResources();
        session.flush();
    }

    /**
     * The answer was written before the request's body had ended: a short rest of known length is read and dropped,
     * otherwise the client is told that it need not send it (RFC 9113 section 8.1).
     */
    private void abandonRest() {
        if (!draining || ended || closed) {
            return;
        }
        if (promised >= 0 && promised - received <= loop.settings().drainBytes()) {
            loop.counters().restsRead.inc();
            loop.deadlines().arm(timer, loop.settings().clientBodyNanos());
        } else {
            loop.counters().restsRefused.inc();
            session.reset(stream, Http2Error.NO_ERROR);
        }
    }

    @Override
    public void cut() {
        end(Http2Error.INTERNAL_ERROR);
    }

    @Override
    public void reset() {
        end(Http2Error.INTERNAL_ERROR);
    }

    @Override
    public void crash() {
        // closing the stream notifies the exchange
        session.reset(stream, Http2Error.INTERNAL_ERROR);
    }

    private void end(Http2Error error) {
        Exchange e = exchange;
        exchange = null;
        if (e != null) {
            exchanges.recycle(e);
        }
        releaseResources();
        if (!closed) {
            session.reset(stream, error);
        }
    }

    @Override
    public Connection connection() {
        return session.client();
    }

    /** Created on first use: a hit is usually over before it could be observed. */
    @Override
    public SessionState state() {
        SessionState known = state;
        if (known == null) {
            known = session.client().stream();
            state = known;
        }
        return known;
    }

    @Override
    public LoopContext loop() {
        return loop;
    }

    @Override
    public ClientResponse response() {
        return response;
    }

    @Override
    public ByteBufAllocator alloc() {
        return session.client().channel().alloc();
    }

    /** A head is always written: a client may open its window only after it has received it. */
    @Override
    public boolean writable() {
        return !response.started() || session.writable(stream);
    }

    @Override
    public long headBytes() {
        return headBytes;
    }

    @Override
    public boolean mayKeepAlive(RequestHead head) {
        return true;
    }
}
