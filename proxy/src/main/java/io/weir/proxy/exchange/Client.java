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
 * The client of an {@link Exchange}: an HTTP/1 connection, or one stream of an HTTP/2 connection. Confined to the
 * connection's muxer; lives as long as that connection or stream.
 */
public interface Client {
    /** The connection that the request arrived on; several streams share one. */
    Connection connection();

    /** The current request as monitoring shows it. */
    SessionState state();

    LoopContext loop();

    /** Where the answer is written. */
    ClientResponse response();

    ByteBufAllocator alloc();

    /**
     * Whether the client's channel is writable; {@link Exchange#clientWritable} is called when it becomes writable
     * again.
     */
    boolean writable();

    /**
     * The descriptor of the client's socket, if the bytes of a body are sent to it as they are, at any pace: parts of files
     * can be sent to it. Less than 0: they cannot.
     */
    default int socket() {
        return -1;
    }

    /** Bytes of the current request's head as received. */
    long headBytes();

    /** Whether the connection may be kept after the current answer; called before the answer's head is written. */
    boolean mayKeepAlive(RequestHead head);

    /** The current answer is complete. */
    void answered();

    /**
     * Continues to process received data: called when an exchange can accept more of its request's body. Afterwards, or
     * when the input that is being read has been processed, calls {@link Upload#batchEnd}.
     */
    void process();

    /**
     * Ends the answer before its end, behind what has been written: the log counts that as sent. The client can detect
     * that it is truncated.
     */
    void cut();

    /** As {@link #cut}, but at once: for the case that an orderly close would look like a complete answer. */
    void reset();

    /**
     * Whether it is an extended CONNECT: for the client every 2xx means that the protocol was changed (RFC 8441 section
     * 4).
     */
    default boolean extendedConnect() {
        return false;
    }

    /**
     * Passes bytes between the client and an origin from now on.
     *
     * @param origin its handlers have been removed
     * @param early bytes already read from the origin; taken over
     */
    void tunnel(Channel origin, ByteBuf early, TunnelEnd end);

    /** An internal error ended the exchange: nothing of its answer can be trusted. */
    void crash();
}
