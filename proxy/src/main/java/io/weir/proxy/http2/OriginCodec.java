package io.weir.proxy.http2;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * Netty's codec for the client's side of one connection to an origin. The connection's window is replenished at once,
 * that of each stream only as its answer is read: otherwise a few slow clients would block the answers of all others.
 * Used once.
 */
public final class OriginCodec extends Http2FrameCodecBuilder {
    private OriginCodec() {
        // after the builder's own defaults: close connections without a grace period
        gracefulShutdownTimeoutMillis(0);
    }

    /**
     * For a new connection.
     *
     * @param window bytes of one answer that may arrive before they are read
     * @param fields bytes of the fields of an answer
     */
    public static Http2FrameCodec of(int window, long fields) {
        return new OriginCodec()
                .server(false)
                .initialSettings(new Http2Settings()
                        .pushEnabled(false)
                        .initialWindowSize(window)
                        .maxHeaderListSize(fields))
                .validateHeaders(false)
                .build();
    }

    @Override
    protected Http2FrameCodec build(
            Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
        var refilled = new DefaultHttp2LocalFlowController(
                decoder.connection(), DefaultHttp2LocalFlowController.DEFAULT_WINDOW_UPDATE_RATIO, true);
        decoder.connection().local().flowController(refilled.frameWriter(encoder.frameWriter()));
        return super.build(decoder, new Resetting(encoder), settings);
    }

    /** Closes a stream as soon as it is reset: data of it that still waited would go out after the RST_STREAM. */
    private static final class Resetting extends DecoratingHttp2ConnectionEncoder {
        Resetting(Http2ConnectionEncoder encoder) {
            super(encoder);
        }

        @Override
        public ChannelFuture writeRstStream(
                ChannelHandlerContext ctx, int streamId, long errorCode, ChannelPromise promise) {
            ChannelFuture written = super.writeRstStream(ctx, streamId, errorCode, promise);
            Http2Stream stream = connection().stream(streamId);
            if (stream != null) {
                stream.close();
            }
            return written;
        }
    }
}
