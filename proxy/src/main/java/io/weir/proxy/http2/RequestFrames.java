package io.weir.proxy.http2;

import static io.netty.handler.codec.http2.Http2Error.PROTOCOL_ERROR;
import static io.netty.handler.codec.http2.Http2Error.REFUSED_STREAM;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.weir.http.Fields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests on a client's connection: head, body and trailers from the codec's callbacks, translated and passed to
 * the {@link StreamEnd} of their stream. A malformed request resets its stream. Owned by a session, confined to its
 * muxer.
 */
final class RequestFrames extends Http2EventAdapter {
    private final Http2Session session;
    private final Http2Config bounds;
    private final FrameScanner scanner;
    private final RequestText translator;
    private final Http2Connection.PropertyKey key;
    /** Streams whose bodies came in the batch of input that is being read. */
    private final List<StreamEnd> touched = new ArrayList<>();

    private boolean boundsKnown;

    /** @param key of the codec, for the end of each stream */
    RequestFrames(Http2Session session, Http2Config bounds, FrameScanner scanner, Http2Connection.PropertyKey key) {
        this.session = session;
        this.bounds = bounds;
        this.scanner = scanner;
        this.translator = new RequestText(session.client().clientSecure());
        this.key = key;
    }

    /** Where a stream's request went; null if it went nowhere. */
    @Nullable
    StreamEnd endOf(Http2Stream stream) {
        return stream.getProperty(key);
    }

    /** A batch of input has been read. */
    void readComplete() {
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).readComplete();
        }
        touched.clear();
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext ctx,
            int streamId,
            Http2Headers headers,
            int streamDependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean endOfStream)
            throws Http2Exception {
        Http2Stream stream = session.connection().stream(streamId);
        StreamEnd known = stream.getProperty(key);
        if (session.ignoresInput()) {
            return;
        }
        if (known != null) {
            trailers(stream, known, (RequestFields) headers);
        } else if (session.streams() >= bounds.concurrentStreams()) {
            refuse(stream);
        } else {
            request(stream, (RequestFields) headers, endOfStream);
        }
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext ctx) {
        boundsKnown = true;
        // otherwise the codec would treat frames after a stream that it refused as frames of an unknown stream
        session.connection().remote().maxActiveStreams(Integer.MAX_VALUE);
    }

    @Override
    public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream)
            throws Http2Exception {
        Http2Stream stream = session.connection().stream(streamId);
        StreamEnd end = stream.getProperty(key);
        if (end == null) {
            return data.readableBytes() + padding;
        }
        touched.add(end);
        demand(end.data(data.retain(), endOfStream), stream);
        return padding;
    }

    @Override
    public void onPingAckRead(ChannelHandlerContext ctx, long data) {
        session.acknowledged(data);
    }

    @Override
    public void onGoAwayRead(ChannelHandlerContext ctx, int lastStreamId, long errorCode, ByteBuf debugData) {
        session.counters().goawaysReceived(errorCode).inc();
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
        session.counters().resetsReceived(errorCode).inc();
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        StreamEnd end = stream.removeProperty(key);
        if (end != null) {
            end.closed();
            session.closed();
        }
    }

    /** Handles a request's head: translates it, or resets its stream. */
    private void request(Http2Stream stream, RequestFields fields, boolean ended) throws Http2Exception {
        session.opened();
        StreamEnd end = session.host().open(session, stream);
        if (!ended) {
            touched.add(end);
        }
        end.since = session.client().muxer().deadlines().now();
        stream.setProperty(key, end);
        ByteBuf text = session.ctx().alloc().heapBuffer(1024);
        boolean taken;
        try {
            Malformed wrong = translator.write(fields, text);
            if (wrong != null) {
                session.counters().malformed(wrong).inc();
                end.malformed();
            }
            taken = wrong == null && end.head(text, ended);
        } finally {
            text.release();
        }
        demand(taken, stream);
    }

    /** Refuses a stream beyond the limit. Until the client has acknowledged the limit this is not its fault. */
    private void refuse(Http2Stream stream) {
        session.counters().refused.inc();
        Flood flood = boundsKnown ? scanner.fault() : null;
        if (flood == null) {
            session.reset(stream, REFUSED_STREAM);
        } else {
            session.cut(flood);
        }
    }

    private void trailers(Http2Stream stream, StreamEnd end, RequestFields fields) throws Http2Exception {
        Fields trailers = new Fields();
        Malformed wrong = RequestText.trailers(fields, trailers);
        if (wrong != null) {
            session.counters().malformed(wrong).inc();
        }
        demand(wrong == null && end.trailers(trailers), stream);
    }

    private static void demand(boolean right, Http2Stream stream) throws Http2Exception {
        if (!right) {
            throw Http2Exception.streamError(stream.id(), PROTOCOL_ERROR, "malformed request");
        }
    }
}
