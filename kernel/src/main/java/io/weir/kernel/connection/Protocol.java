package io.weir.kernel.connection;

import io.netty.channel.ChannelPipeline;

/** The protocol of a listener's connections. Shared by all connections of the listener. */
public interface Protocol {
    /**
     * Adds the protocol's handlers to a new connection's pipeline. Called on the connection's muxer, once limits and
     * the TLS handler are in place. The protocol reports its state by {@link Connection#busy()} and
     * {@link Connection#idle()}.
     */
    void install(Connection connection, ChannelPipeline pipeline);

    /** The protocol's name in the message that a listener is open, {@code http}; over TLS an s is appended. */
    default String name() {
        return "http";
    }
}
