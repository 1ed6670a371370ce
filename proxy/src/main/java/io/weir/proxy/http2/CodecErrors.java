package io.weir.proxy.http2;

import static io.netty.handler.codec.http2.Http2Error.PROTOCOL_ERROR;
import static io.netty.handler.codec.http2.Http2Error.STREAM_CLOSED;

import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Exception.StreamException;
import io.netty.handler.codec.http2.Http2Stream;

/** Corrects error codes of the codec that differ from the specification. Stateless. */
final class CodecErrors {
    private CodecErrors() {}

    /** HEADERS on a stream that the client has ended are STREAM_CLOSED (RFC 9113 section 5.1). */
    static StreamException named(Http2Connection connection, StreamException e) {
        Http2Stream stream = connection.stream(e.streamId());
        boolean late = e.error() == PROTOCOL_ERROR
                && stream != null
                && stream.state() == Http2Stream.State.HALF_CLOSED_REMOTE
                && String.valueOf(e.getMessage()).contains("too many headers");
        return late
                ? (StreamException)
                        Http2Exception.streamError(e.streamId(), STREAM_CLOSED, "HEADERS after the end of the stream")
                : e;
    }
}
