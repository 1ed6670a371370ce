package io.weir.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;

/**
 * A session's callbacks for one stream: the incoming request, and whether the answer can be written. Confined to the
 * connection's muxer; lives as long as the stream.
 */
public abstract class StreamEnd {
    /** Bytes of the answer's body sent, and the values that the session's stall watch saw last. */
    long sent;

    long seenSent;
    long since;
    long spent;

    /**
     * The request's head, checked as far as HTTP/2 requires, in HTTP/1 syntax; not released.
     *
     * @param ended no body follows
     * @return false if it is malformed: the session resets the stream
     */
    protected abstract boolean head(ByteBuf text, boolean ended);

    /** The request's head is malformed, and its stream is about to be reset. */
    protected abstract void malformed();

    /**
     * A piece of the body; taken over. It counts against the client's windows until {@link Http2Session#consumed}.
     *
     * @return false if the body contradicts its head: the session resets the stream
     */
    protected abstract boolean data(ByteBuf data, boolean ended);

    /** The end of the body, with trailers; returns false as above. */
    protected abstract boolean trailers(Fields trailers);

    /** The end of a batch of reads, as Netty's channelReadComplete. */
    protected abstract void readComplete();

    /** The stream has become writable again. */
    protected abstract void resumeWriting();

    /** The server is stopping. */
    protected abstract void drain();

    /** Whether an answer waits for the client to read it. */
    protected abstract boolean waiting();

    /** The stream is closed, normally or not; no further callbacks. */
    protected abstract void closed();
}
