package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.weir.http.Encoder;
import io.weir.http.Fields;
import org.jspecify.annotations.Nullable;

/** Writes bodies in chunks (RFC 9112 section 7.1) to channels of one muxer. Stateless. */
final class Chunks {
    private static final int HEADER_BYTES = 18;
    private static final ByteBuf CRLF = Unpooled.unreleasableBuffer(
            Unpooled.directBuffer(2).writeByte('\r').writeByte('\n').asReadOnly());

    /** Writes one chunk; takes ownership of the data. An empty buffer writes nothing. */
    void write(Channel channel, ByteBuf data) {
        if (!data.isReadable()) {
            data.release();
            return;
        }
        ByteBuf size = channel.alloc().directBuffer(HEADER_BYTES);
        Encoder.chunkHeader(size, data.readableBytes());
        var _ = channel.write(size, channel.voidPromise());
        var _ = channel.write(data, channel.voidPromise());
        var _ = channel.write(CRLF.duplicate(), channel.voidPromise());
    }

    /** Writes the last chunk and the trailers. */
    void last(Channel channel, @Nullable Fields trailers) {
        ByteBuf end = channel.alloc().directBuffer(5);
        Encoder.lastChunk(end, trailers);
        var _ = channel.write(end, channel.voidPromise());
    }
}
