package io.weir.proxy.tunnel;

/** Called once, when a tunnel is closed. On the tunnel's muxer. */
@FunctionalInterface
public interface TunnelEnd {
    /** The tunnel closed after passing these numbers of bytes. */
    void closed(long fromClient, long fromOrigin);
}
