package io.weir.proxy.http2;

import io.netty.handler.codec.http2.Http2Stream;

/** What a session needs of the engine. Shared by the sessions of a muxer. */
public interface SessionHost {
    /** A client opened a stream. */
    StreamEnd open(Http2Session session, Http2Stream stream);

    /** A connection is about to be cut off. */
    void cut(Http2Session session, Flood why);

    /** An error of Weir's own; the connection ends. */
    void unexpected(Throwable cause);

    /** A connection broke. */
    void broken();

    /** A request's head did not come in time; the connection is cut off. */
    void lateHead();

    /** How long a head may take, nanoseconds. */
    long headNanos();

    /** How long a client may take nothing of an answer, nanoseconds. */
    long writeNanos();

    /** Least bytes a second at which a client must take an answer that waits for it, 0 for no bound. */
    long writeRate();
}
