package io.weir.proxy.tunnel;

import io.netty.buffer.ByteBuf;

/** The client's end of a tunnel that is one stream of an HTTP/2 connection. Confined to the connection's muxer. */
public interface TunnelStream {
    /** Whether the client's windows have room. */
    boolean writable();

    /** Passes on what was received from the client, as far as the origin is writable. */
    void process();

    /** A piece for the client; taken over. */
    void add(ByteBuf data);

    /** Flushes what was added. */
    void flush();

    /** The origin has half-closed: our side of the stream ends. */
    void originEnded();

    /** The tunnel is closed: a side that has not ended is reset. */
    void tunnelClosed();
}
