package io.weir.lab.bench.program;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.nio.ByteBuffer;

/**
 * Writes a fixed answer for each request of an HTTP/2 connection, by Netty's codec without channels for the streams.
 * Confined to its connection's loop.
 */
final class BareHttp2 extends Http2ConnectionHandler {
    private BareHttp2(Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
        super(decoder, encoder, settings);
    }

    /** A body of this size; it is never released. */
    static ByteBuf body(int bytes) {
        return Unpooled.unreleasableBuffer(
                Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(bytes)).asReadOnly());
    }

    /** Answers with this body. */
    static BareHttp2 with(ByteBuf body) {
        return new Builder(body).build();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // a client that ended its turn
        var _ = ctx.close();
    }

    private static final class Builder extends AbstractHttp2ConnectionHandlerBuilder<BareHttp2, Builder> {
        private final Answering listener;

        Builder(ByteBuf body) {
            this.listener = new Answering(body);
            frameListener(listener);
            server(true);
        }

        @Override
        protected BareHttp2 build() {
            return super.build();
        }

        @Override
        protected BareHttp2 build(
                Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
            listener.encoder = encoder;
            return new BareHttp2(decoder, encoder, settings);
        }
    }

    private static final class Answering extends Http2FrameAdapter {
        private final ByteBuf body;
        private final Http2Headers head;

        @SuppressWarnings("NullAway.Init") // set by the builder before the first frame
        private Http2ConnectionEncoder encoder;

        Answering(ByteBuf body) {
            this.body = body;
            this.head = new DefaultHttp2Headers()
                    .status("200")
                    .set("content-type", "application/octet-stream")
                    .setInt("content-length", body.readableBytes());
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx, int stream, Http2Headers headers, int padding, boolean end) {
            if (end) {
                answer(ctx, stream);
            }
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx,
                int stream,
                Http2Headers headers,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean end) {
            onHeadersRead(ctx, stream, headers, padding, end);
        }

        @Override
        public int onDataRead(ChannelHandlerContext ctx, int stream, ByteBuf data, int padding, boolean end) {
            if (end) {
                answer(ctx, stream);
            }
            return data.readableBytes() + padding;
        }

        private void answer(ChannelHandlerContext ctx, int stream) {
            var _ = encoder.writeHeaders(ctx, stream, head, 0, false, ctx.newPromise());
            var _ = encoder.writeData(ctx, stream, body.duplicate(), 0, true, ctx.newPromise());
        }
    }
}
