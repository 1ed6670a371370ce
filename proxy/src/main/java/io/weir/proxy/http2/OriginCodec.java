package io.weir.proxy.http2;

import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * Netty's codec for the client's side of one connection to an origin. Its window of the connection is always open, that of
 * each stream only as its answer is taken: else a few slow clients would hold the answers of all others. Used once.
 */
public final class OriginCodec extends Http2FrameCodecBuilder {
    private OriginCodec() {
        // after the builder's own defaults: a connection that is to close closes
        gracefulShutdownTimeoutMillis(0);
    }

    /**
     * For a new connection.
     *
     * @param window bytes of one answer that may come before they are taken
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
        return super.build(decoder, encoder, settings);
    }
}
