package io.weir.kernel.connection;

import io.netty.channel.ChannelPipeline;

/** What is spoken on a listener. Shared by all connections of the listener. */
public interface Protocol {
    /**
     * Adds the protocol's handlers to a new connection's pipeline. Called on the connection's muxer, once limits and
     * the TLS handler are in place. The protocol reports its state by {@link Connection#busy()} and
     * {@link Connection#idle()}.
     */
    void install(Connection connection, ChannelPipeline pipeline);

    /** The word for the message that a listener listens, {@code http}; over TLS an s is added. */
    default String name() {
        return "http";
    }
}
