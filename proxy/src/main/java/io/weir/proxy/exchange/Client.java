package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.weir.http.RequestHead;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.SessionState;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.tunnel.TunnelEnd;

/**
 * Who asked, as an {@link Exchange} sees it: an HTTP/1 connection, or one stream of an HTTP/2 connection. Confined to
 * the connection's muxer; lives as long as that connection or stream.
 */
public interface Client {
    /** The connection that the request came on; several streams share one. */
    Connection connection();

    /** What monitoring shows of the present request. */
    SessionState state();

    LoopContext loop();

    /** Where the answer is written. */
    ClientResponse response();

    ByteBufAllocator alloc();

    /** Whether the client's channel is writable; {@link Exchange#clientWritable} is called when it becomes so again. */
    boolean writable();

    /** Bytes of the present request's head as received. */
    long headBytes();

    /**
     * Whether the connection may be kept after the present answer; asked when the answer's head is about to be written.
     */
    boolean mayKeepAlive(RequestHead head);

    /** The present answer is complete. */
    void answered();

    /** Goes on with what was received: called when an exchange can take more of its request's body. */
    void process();

    /** Ends the answer at once; the client sees that it is cut. */
    void close();

    /** As {@link #close}, where an orderly end would look like a complete answer. */
    void reset();

    /**
     * Whether it is an extended CONNECT: to the client every 2xx says that the protocol is changed (RFC 8441 section
     * 4).
     */
    default boolean extendedConnect() {
        return false;
    }

    /**
     * Passes bytes between the client and an origin from now on.
     *
     * @param origin its handlers have been removed
     * @param early what was read of the origin before; taken over
     */
    void tunnel(Channel origin, ByteBuf early, TunnelEnd end);

    /** An error of Weir's own ended the exchange: nothing of its answer can be trusted. */
    void crash();
}
