package io.weir.proxy.http2;

import io.netty.handler.codec.http2.Http2Stream;

/** A session's callbacks to the engine. Shared by the sessions of a muxer. */
public interface SessionHost {
    /** A client opened a stream. */
    StreamEnd open(Http2Session session, Http2Stream stream);

    /** A connection is about to be cut off for its cost. */
    void cut(Http2Session session, Flood why);

    /** An internal error; the connection ends. */
    void unexpected(Throwable cause);

    /** A connection failed. */
    void broken();

    /** A request's head did not arrive in time; the connection is cut off. */
    void headTimedOut();

    /** Time-out for a head, nanoseconds. */
    long headNanos();

    /** How long a client may read nothing of an answer, nanoseconds. */
    long writeNanos();

    /** Minimum bytes a second at which a client must read an answer that waits for it, 0 for no bound. */
    long writeRate();
}
