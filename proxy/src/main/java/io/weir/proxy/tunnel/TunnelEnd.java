package io.weir.proxy.tunnel;

/** Is called once, when a tunnel is closed. On the tunnel's muxer. */
@FunctionalInterface
public interface TunnelEnd {
    /** So many bytes passed each way. */
    void closed(long fromClient, long fromOrigin);
}
