package io.weir.kernel;

import io.netty.channel.ChannelPipeline;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts TLS before a listener's protocol. Shared by the listener's connections. */
interface ListenerTls {
    /** Adds the TLS handler; runs the action on the muxer when the handshake is done. */
    void install(Connection connection, ChannelPipeline pipeline, Runnable ready);

    /**
     * Loads certificates and keys anew for the handshakes that follow; what cannot be loaded leaves the old ones. May
     * block.
     *
     * @return null, or why the old ones stay
     */
    @Nullable
    String reload();

    /** Does what is due: changed files, ticket keys, OCSP answers, warnings. Called each second; may block. */
    void look();

    List<CertificateReport> certificates();

    /** Frees what the provider holds outside the heap; after the last connection. */
    void close();
}
