package io.weir.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.EmptyHttp2Headers;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;

/**
 * Writes heads that are blocks already, and has Netty's encoder write others. A block refers to no dynamic table, so the
 * two do not affect each other. Owned by one session.
 */
final class BlockEncoder implements Http2HeadersEncoder {
    private final Http2HeadersEncoder others;

    BlockEncoder(SensitivityDetector secrets) {
        others = new DefaultHttp2HeadersEncoder(secrets, true);
    }

    @Override
    public void encodeHeaders(int streamId, Http2Headers headers, ByteBuf buffer) throws Http2Exception {
        if (headers instanceof HeadBlock block) {
            // a change of the table's size comes first, in whatever block is next (RFC 7541 section 4.2)
            others.encodeHeaders(streamId, EmptyHttp2Headers.INSTANCE, buffer);
            block.write(buffer);
        } else {
            others.encodeHeaders(streamId, headers, buffer);
        }
    }

    @Override
    public Configuration configuration() {
        return others.configuration();
    }
}
