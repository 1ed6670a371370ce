package io.weir.kernel;

import io.netty.channel.ChannelPipeline;

/** Puts TLS before a listener's protocol. Shared by the listener's connections. */
interface ListenerTls extends CertificateOwner {
    /** Its listener is about to accept: declares its statistics. */
    void serve();

    /** Adds the TLS handler; runs the action on the muxer when the handshake is done. */
    void install(Connection connection, ChannelPipeline pipeline, Runnable ready);

    /** Frees what the provider holds outside the heap; after the last connection. */
    void close();
}
