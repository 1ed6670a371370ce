package io.weir.proxy;

import io.netty.buffer.ByteBufAllocator;
import io.weir.http.RequestHead;
import io.weir.kernel.Connection;
import io.weir.kernel.SessionState;

/**
 * Who asked, as an {@link Exchange} sees it: an HTTP/1 connection, or one stream of an HTTP/2 connection. Confined to the
 * connection's muxer; lives as long as that connection or stream.
 */
sealed interface Client permits ClientConnection, ClientStream {
    /** The connection that the request came on; several streams share one. */
    Connection connection();

    /** What monitoring shows of the present request. */
    SessionState state();

    LoopContext loop();

    /** Where the answer is written. */
    ClientResponse response();

    ByteBufAllocator alloc();

    /** Whether the client takes more of its answer now; {@link Exchange#clientWritable} tells when it does again. */
    boolean writable();

    /** Bytes of the present request's head as received. */
    long headBytes();

    /** Whether the connection may be kept after the present answer; asked when the answer's head is about to be written. */
    boolean mayKeepAlive(RequestHead head);

    /** The present answer is complete. */
    void answered();

    /** Goes on with what was received: called when an exchange can take more of its request's body. */
    void process();

    /** Ends the answer at once; the client sees that it is cut. */
    void close();

    /** As {@link #close}, where an orderly end would look like a complete answer. */
    void reset();

    /** An error of Weir's own ended the exchange: nothing of its answer can be trusted. */
    void crash();
}
