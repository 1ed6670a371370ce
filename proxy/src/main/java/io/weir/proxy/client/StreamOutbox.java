package io.weir.proxy.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.weir.http.Fields;
import io.weir.proxy.exchange.AnswerSink;
import io.weir.proxy.http2.AnswerHead;
import io.weir.proxy.http2.Http2Session;
import org.jspecify.annotations.Nullable;

/**
 * Writes an answer as the frames of one stream. The last piece is held back until it is known whether another follows,
 * so that the end of the stream needs no separate frame. Bodies are not copied. Owned by a {@link ClientStream},
 * confined to its muxer.
 */
final class StreamOutbox implements AnswerSink {
    private final Http2Session session;
    private final Http2Stream stream;
    private @Nullable Http2Headers head;
    private @Nullable ByteBuf last;
    private @Nullable Http2Headers trailers;
    private boolean over;

    StreamOutbox(Http2Session session, Http2Stream stream) {
        this.session = session;
        this.stream = stream;
    }

    @Override
    public void hold(ByteBuf out) {
        if (over) {
            out.release();
            return;
        }
        AnswerHead read = AnswerHead.read(out);
        if (read.status() < 200) {
            out.release();
            var _ = session.headers(stream, read.headers(), false);
            return;
        }
        head = read.headers();
        if (out.isReadable()) {
            last = out;
        } else {
            out.release();
        }
    }

    @Override
    public void add(ByteBuf data) {
        if (over || !data.isReadable()) {
            data.release();
            return;
        }
        push();
        last = data;
    }

    @Override
    public void chunk(ByteBuf data) {
        add(data);
    }

    @Override
    public void lastChunk(@Nullable Fields fields) {
        trailers = fields == null || fields.size() == 0 ? null : AnswerHead.trailers(fields);
    }

    @Override
    public boolean retract() {
        if (over || head == null) {
            return false;
        }
        head = null;
        trailers = null;
        ByteBuf data = last;
        last = null;
        if (data != null) {
            data.release();
        }
        return true;
    }

    /** Writes the held piece to the codec: more follows. */
    private void push() {
        Http2Headers h = head;
        ByteBuf data = last;
        head = null;
        last = null;
        if (h != null) {
            var _ = session.headers(stream, h, false);
        }
        if (data != null) {
            var _ = session.data(stream, data, false);
        }
    }

    /** Ends the answer and the stream's side; completes when the client's windows have let all of it pass. */
    ChannelFuture finish() {
        Http2Headers h = head;
        ByteBuf data = last;
        Http2Headers end = trailers;
        head = null;
        last = null;
        over = true;
        if (h != null) {
            ChannelFuture written = session.headers(stream, h, data == null && end == null);
            if (data == null && end == null) {
                return written;
            }
        }
        if (end != null) {
            if (data != null) {
                var _ = session.data(stream, data, false);
            }
            return session.headers(stream, end, true);
        }
        return session.data(stream, data == null ? Unpooled.EMPTY_BUFFER : data, true);
    }

    @Override
    public void flush() {
        if (!over) {
            push();
        }
        session.flush();
    }

    @Override
    public void release() {
        over = true;
        head = null;
        ByteBuf data = last;
        last = null;
        if (data != null) {
            data.release();
        }
    }
}
