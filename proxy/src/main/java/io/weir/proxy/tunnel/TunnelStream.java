package io.weir.proxy.tunnel;

import io.netty.buffer.ByteBuf;

/** The client's end of a tunnel that is one stream of an HTTP/2 connection. Confined to the connection's muxer. */
public interface TunnelStream {
    /** Whether the client's windows take more. */
    boolean writable();

    /** Passes on what was received from the client, as far as the origin takes it. */
    void process();

    /** A piece for the client; taken over. */
    void add(ByteBuf data);

    /** Writes out what was added. */
    void flush();

    /** The origin has ended its side: the stream ends on this one. */
    void originEnded();

    /** The tunnel is closed: a side that has not ended is cut. */
    void tunnelClosed();
}
