package io.weir.proxy.http2;

import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.function.BiConsumer;

/** Iterates over the open streams of a session. Stateless. */
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
            // thrown only by visitors, and these do not
            throw new IllegalStateException(e);
        }
    }
}
