package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.ResponseHead;

/**
 * Callbacks of an origin connection to the fetch that uses it. All are called on the connection's muxer; none after
 * {@link #end} or {@link #broken}.
 */
public interface OriginEvents {
    /** A new connection is needed: the look-up of the name has begun, or its addresses are known. */
    default void lookingUp(boolean begins) {}

    /** A 1xx answer other than 101, to be relayed. The head is valid during the call only. */
    void informational(ResponseHead head);

    /** The final head (or 101). Valid until the next event. */
    void head(ResponseHead head);

    /** A piece of the body; the receiver owns the buffer. */
    void data(ByteBuf data);

    /** The answer is complete; trailers are valid during the call only. */
    void end(Fields trailers);

    /** The connection failed before the answer was complete. */
    void broken(OriginFault fault, String detail);

    /** Whether the fetch waits for a connection, because all of its origin's connections are in use. */
    default void queued(boolean on) {}

    /** Whether the request is completely written but its origin has not read all of it yet. */
    default void backlogged(boolean on) {}

    /**
     * The connection can take more of the request body. The receiver sends what there is and then calls
     * {@link Fetch#flushBody}, also if there is nothing: the request's head may wait for it.
     */
    void writable();

    /** A batch of events is over: flush what was written. */
    void flush();
}
