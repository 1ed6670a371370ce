package io.weir.proxy.http2;

import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.function.BiConsumer;

/** Goes through the open streams of a session. Stateless. */
final class OpenStreams {
    private OpenStreams() {}

    static void each(Http2Session session, BiConsumer<Http2Stream, StreamEnd> what) {
        try {
            session.connection().forEachActiveStream(stream -> {
                StreamEnd end = session.endOf(stream);
                if (end != null) {
                    what.accept(stream, end);
                }
                return true;
            });
        } catch (Http2Exception e) {
            // only a visitor that throws one could be the cause
            throw new IllegalStateException(e);
        }
    }
}
