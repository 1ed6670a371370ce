package io.weir.proxy.http2;

import static io.netty.handler.codec.http2.Http2Error.ENHANCE_YOUR_CALM;
import static io.netty.handler.codec.http2.Http2Error.STREAM_CLOSED;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.mux.Deadline;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/2 on one client connection, as the server: frames by Netty's codec, bounds and the end of the connection by
 * Weir. Requests are read by {@link RequestFrames}, and each goes to a {@link StreamEnd}, which answers by the operations
 * of this class. Confined to the connection's muxer; lives as long as the connection.
 */
public final class Http2Session extends Http2ConnectionHandler {
    /** A client that does not read the GOAWAY when it is cut off gets a reset after this time. */
    private static final long LINGER_NANOS = 1_000_000_000L;

    private final Connection client;
    private final SessionHost host;
    private final Http2Config bounds;
    private final Http2Counters counters;
    private final FrameScanner scanner;
    private final RequestFrames frames;
    private final HeadWatch heads;
    private final StallWatch stalls;
    private final Deadline lingering = Deadline.of(this::resetNow);
    private final Deadline goodbye = Deadline.of(this::closeNow);
    private final GracefulShutdown shutdown;
    private final RecentResets resets;
    private final Runnable flushing = this::flushNow;
    private @Nullable ChannelHandlerContext context;
    private boolean reading;
    /** Streams will be told that what they got has been read. */
    private boolean batch;

    /** A flush is queued in the muxer's tasks. */
    private boolean flushDue;

    private boolean cut;
    /** Our side is closed. */
    private boolean closing;

    private int active;

    private Http2Session(
            Connection client, ServerCodec codec, SessionHost host, Http2Config bounds, Http2Counters counters) {
        super(codec.decoder, codec.encoder, codec.settings, true);
        this.client = client;
        this.host = host;
        this.bounds = bounds;
        this.counters = counters;
        this.resets = new RecentResets(bounds.concurrentStreams());
        this.scanner = new FrameScanner(bounds, client.muxer().deadlines()::now);
        this.heads = new HeadWatch(this, scanner, client.muxer().deadlines());
        this.stalls = new StallWatch(this, client.muxer().deadlines());
        this.shutdown = new GracefulShutdown(this, client.muxer().deadlines());
        this.frames = new RequestFrames(this, bounds, scanner, codec.connection.newKey());
        codec.meter(this::sent);
        codec.decoder.frameListener(frames);
        codec.connection.addListener(frames);
        codec.encoder.flowController().listener(this::writabilityChanged);
    }

    /** A session for a new connection, to be added to its pipeline. */
    public static Http2Session of(Connection client, SessionHost host, Http2Config bounds, Http2Counters counters) {
        return new Http2Session(client, new ServerCodec(bounds), host, bounds, counters);
    }

    /** The connection. */
    public Connection client() {
        return client;
    }

    ChannelHandlerContext ctx() {
        ChannelHandlerContext c = context;
        if (c == null) {
            throw new IllegalStateException("the session is in no pipeline");
        }
        return c;
    }

    // ---- operations of streams

    /** Whether more of a stream's answer may be written. */
    public boolean writable(Http2Stream stream) {
        return encoder().flowController().isWritable(stream);
    }

    /** Writes the head of an answer, or trailers. */
    public ChannelFuture headers(Http2Stream stream, Http2Headers headers, boolean end) {
        return encoder().writeHeaders(ctx(), stream.id(), headers, 0, end, ctx().newPromise());
    }

    /** Writes a piece of an answer's body, as far as the client's windows allow, the rest later; takes ownership. */
    public ChannelFuture data(Http2Stream stream, ByteBuf data, boolean end) {
        return encoder().writeData(ctx(), stream.id(), data, 0, end, ctx().newPromise());
    }

    /** Ends a stream immediately; the unsent part of its answer is discarded. */
    public void reset(Http2Stream stream, Http2Error error) {
        if (stream.state() != Http2Stream.State.CLOSED && !stream.isResetSent()) {
            counters.resets(error).inc();
            resets.add(stream.id());
            writePending();
            var _ = resetStream(ctx(), stream.id(), error.code(), ctx().newPromise());
            stream.close();
            flush();
        }
    }

    /** The given bytes of a request's body were passed on or discarded: the client may send as much again. */
    public void consumed(Http2Stream stream, int bytes) {
        try {
            decoder().flowController().consumeBytes(stream, bytes);
        } catch (Http2Exception e) {
            onError(ctx(), true, e);
        }
    }

    /**
     * Flushes: at the end of the input being read, otherwise when the muxer has handled all ready sockets. Answers from
     * several origin connections in one iteration share a TLS record and a system call.
     */
    public void flush() {
        if (!reading && !flushDue && context != null) {
            flushDue = true;
            ctx().executor().execute(flushing);
        }
    }

    /**
     * Writes what windows allow of all answers, before a RST_STREAM: it is the last frame of its stream (RFC 9113 section
     * 5.4.2), and the client gets what arrived before the failure. The stream is closed at once, which drops the rest.
     */
    private void writePending() {
        try {
            encoder().flowController().writePendingBytes();
        } catch (Http2Exception e) {
            onError(ctx(), true, e);
        }
    }

    private void flushNow() {
        if (flushDue) {
            flushDue = false;
            flush(ctx());
        }
    }

    /** Whether input is being read, after which {@link StreamEnd#readComplete} is called of each stream that got some. */
    public boolean reads() {
        return batch;
    }

    /** Ends the connection gracefully: requests in flight are answered. */
    public void leave() {
        shutdown.begin(ctx(), client.draining() ? Goaway.DRAIN : Goaway.IDLE);
    }

    /** The server is stopping: requests are completed, and tunnels, which would not end, are closed. */
    public void drain() {
        leave();
        OpenStreams.each(this, (_, end) -> end.drain());
        flush();
    }

    // ---- life cycle of the connection

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        client.share();
        counters.connections(client.listener().name()).inc();
        counters.open.incrementAndGet();
        super.handlerAdded(ctx);
        int more = (int) bounds.connectionWindow().bytes() - 65_535;
        if (more > 0) {
            decoder().flowController().incrementWindowSize(connection().connectionStream(), more);
            ctx.flush();
        }
        if (client.draining()) {
            leave();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) throws Exception {
        if (cut || !(msg instanceof ByteBuf in)) {
            ReferenceCountUtil.release(msg);
            return;
        }
        reading = true;
        batch = true;
        Flood flood = scanner.scan(in);
        if (flood != null) {
            in.release();
            cut(flood);
            return;
        }
        super.channelRead(ctx, in);
        heads.check();
    }

    /** The remaining input of a client that is cut off is ignored. */
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (cut) {
            in.skipBytes(in.readableBytes());
        } else {
            super.decode(ctx, in, out);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        batch = false;
        frames.readComplete();
        reading = false;
        flushDue = false;
        super.channelReadComplete(ctx);
    }

    /** Ends the connection because of the cost that its client causes. */
    void cut(Flood flood) {
        if (cut) {
            return;
        }
        cut = true;
        shutdown.finalSent(Goaway.FLOOD);
        counters.floods(flood).inc();
        host.cut(this, flood);
        reading = false;
        ctx().channel().config().setAutoRead(false);
        client.muxer().deadlines().arm(lingering, LINGER_NANOS);
        onError(ctx(), true, new Http2Exception(ENHANCE_YOUR_CALM, flood.label()));
    }

    /**
     * Closes so that the client reads the last GOAWAY: it may be sending a request, and unread input would reset the
     * connection, after which it cannot know that the request was not processed. Input is discarded until the client
     * closes, for a second at most.
     */
    void closeOurSide() {
        if (closing || !ctx().channel().isActive()) {
            return;
        }
        closing = true;
        cut = true;
        client.muxer().deadlines().arm(goodbye, LINGER_NANOS);
        SslHandler tls = client.secure() ? ctx().pipeline().get(SslHandler.class) : null;
        ChannelFuture last = tls == null ? ctx().newSucceededFuture() : tls.closeOutbound();
        last.addListener((ChannelFutureListener) sent -> {
            if (sent.isSuccess() && ctx().channel() instanceof DuplexChannel duplex) {
                var _ = duplex.shutdownOutput();
            } else {
                closeNow();
            }
        });
    }

    private void closeNow() {
        var _ = ctx().channel().close();
    }

    private void resetNow() {
        client.reset();
    }

    /** Closes immediately, with a GOAWAY if the socket accepts it. */
    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        // answers of this iteration, or waiting for the end of the input, are still in the codec's flow control
        flushDue = false;
        flush(ctx);
        shutdown.sendFinal(ctx, Goaway.CLOSE);
        ctx.flush();
        var _ = ctx.close(promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        heads.end();
        stalls.end();
        client.muxer().deadlines().disarm(lingering);
        client.muxer().deadlines().disarm(goodbye);
        shutdown.over();
        super.channelInactive(ctx);
        counters.open.decrementAndGet();
    }

    @Override
    protected void onStreamError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception.StreamException e) {
        if (outbound && e.error() == STREAM_CLOSED) {
            // data that waited for a window of a closed stream
            return;
        }
        if (!outbound && e.error() == STREAM_CLOSED && connection().stream(e.streamId()) == null) {
            afterTheEnd(ctx, e);
            return;
        }
        Http2Exception.StreamException error = CodecErrors.named(connection(), e);
        counters.resets(error.error()).inc();
        resets.add(e.streamId());
        Flood flood = outbound ? null : scanner.fault();
        if (flood == null) {
            writePending();
            Http2Stream stream = connection().stream(e.streamId());
            super.onStreamError(ctx, outbound, cause, error);
            if (stream != null) {
                stream.close();
            }
        } else {
            cut(flood);
        }
    }

    /**
     * A frame for a closed stream. If Weir reset it the client may not have known, otherwise the client had ended it
     * (RFC 9113 section 5.1).
     */
    private void afterTheEnd(ChannelHandlerContext ctx, Http2Exception.StreamException e) {
        if (!resets.contains(e.streamId())) {
            onError(ctx, false, new Http2Exception(STREAM_CLOSED, e.getMessage()));
        }
    }

    @Override
    protected void onConnectionError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, @Nullable Http2Exception e) {
        if (e == null && cause instanceof IOException) {
            host.broken();
        } else if (e == null) {
            host.unexpected(cause);
        } else {
            counters.errors(e.error()).inc();
        }
        cut = true;
        shutdown.finalSent(Goaway.ERROR);
        client.muxer().deadlines().arm(lingering, LINGER_NANOS);
        super.onConnectionError(ctx, outbound, cause, e);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
        if (cause instanceof IOException) {
            host.broken();
            var _ = ctx.close();
        } else {
            super.exceptionCaught(ctx, cause);
        }
    }

    // ---- answers that are not read

    private void sent(int streamId, int bytes) {
        stalls.sent(bytes);
        scanner.sent(bytes);
        Http2Stream stream = connection().stream(streamId);
        StreamEnd end = stream == null ? null : endOf(stream);
        if (end != null) {
            end.sent += bytes;
        }
    }

    private void writabilityChanged(Http2Stream stream) {
        StreamEnd end = endOf(stream);
        if (end != null && writable(stream)) {
            end.resumeWriting();
        }
    }

    /** The client has acknowledged a PING. */
    void acknowledged(long payload) {
        shutdown.acknowledged(payload);
    }

    /** Whether its input is ignored from now on. */
    boolean ignoresInput() {
        return cut;
    }

    // used by StallWatch and RequestFrames

    /** Number of open streams. */
    int streams() {
        return active;
    }

    boolean inUse() {
        return active > 0 && !cut;
    }

    SessionHost host() {
        return host;
    }

    Http2Counters counters() {
        return counters;
    }

    @Nullable
    StreamEnd endOf(Http2Stream stream) {
        return frames.endOf(stream);
    }

    // used by RequestFrames

    void opened() {
        counters.streams.inc();
        counters.streamsOpen.incrementAndGet();
        if (active++ == 0) {
            client.busy();
            stalls.begin();
        }
    }

    void closed() {
        counters.streamsOpen.decrementAndGet();
        if (--active > 0 || cut || !ctx().channel().isActive()) {
            return;
        }
        stalls.end();
        if (shutdown.closing()) {
            shutdown.streamsDone();
        } else if (!client.idle()) {
            leave();
        }
    }

    /** Counts a malformed message: the length of its body contradicts its head (RFC 9113 section 8.1.1). */
    public void contradicted() {
        counters.malformed(Malformed.CONTENT_LENGTH).inc();
    }
}
