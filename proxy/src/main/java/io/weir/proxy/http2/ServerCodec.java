package io.weir.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder.SensitivityDetector;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.util.AsciiString;

/**
 * The parts of Netty's codec for the server's side of one connection, assembled so that Weir sees what it checks and
 * counts itself: fields in their order, DATA as it is sent. Priorities are read and ignored (RFC 9113 section 5.3).
 * Owned by one session.
 */
final class ServerCodec {
    private static final AsciiString SET_COOKIE = AsciiString.cached("set-cookie");
    /** A cookie in the peer's table could be guessed from the sizes of later messages (RFC 7541 section 7.1.3). */
    private static final SensitivityDetector SECRETS = (name, _) -> SET_COOKIE.contentEquals(name);

    /** Notified of outgoing DATA frames. */
    interface Meter {
        void sent(int streamId, int bytes);
    }

    final Http2Connection connection = new DefaultHttp2Connection(true);
    final Http2ConnectionDecoder decoder;
    final Http2ConnectionEncoder encoder;
    final Http2Settings settings;
    private Meter meter = (_, _) -> {};

    ServerCodec(Http2Config config) {
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
        encoder = new DefaultHttp2ConnectionEncoder(connection, new MeteredWriter());
        // the scanner has counted the CONTINUATION frames
        DefaultHttp2FrameReader reader =
                new DefaultHttp2FrameReader(new Blocks(config.headerList().bytes()), Integer.MAX_VALUE);
        decoder = new DefaultHttp2ConnectionDecoder(
                connection, encoder, reader, Http2PromisedRequestVerifier.ALWAYS_VERIFY, true, true, false);
        settings = new Http2Settings()
                .connectProtocolEnabled(true)
                .maxConcurrentStreams(config.concurrentStreams())
                .initialWindowSize(config.streamWindow().asInt())
                .headerTableSize(config.headerTable().bytes())
                .maxHeaderListSize(config.headerList().bytes())
                .maxFrameSize(config.frame().asInt());
    }

    void meter(Meter of) {
        meter = of;
    }

    /** Header blocks, not validated: {@link RequestText} validates them. */
    private static final class Blocks extends DefaultHttp2HeadersDecoder {
        Blocks(long most) {
            super(false, most);
        }

        @Override
        protected Http2Headers newHeaders() {
            return new RequestFields();
        }
    }

    private final class MeteredWriter extends DecoratingHttp2FrameWriter {
        MeteredWriter() {
            super(new DefaultHttp2FrameWriter(new BlockEncoder(SECRETS)));
        }

        @Override
        public ChannelFuture writeData(
                ChannelHandlerContext ctx,
                int streamId,
                ByteBuf data,
                int padding,
                boolean endStream,
                ChannelPromise promise) {
            meter.sent(streamId, data.readableBytes());
            return super.writeData(ctx, streamId, data, padding, endStream, promise);
        }
    }
}
