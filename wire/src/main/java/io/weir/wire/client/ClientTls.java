package io.weir.wire.client;

import io.netty.channel.Channel;
import java.io.IOException;

/** TLS at the client. It needs netty-handler, which only users of {@code weirs://} have on their class path. */
interface ClientTls {
    /** No TLS. */
    ClientTls NONE = (unusedPipeline, unusedServer) -> {};

    /** Adds the TLS handler to a new channel; the server's name is verified against its certificate. */
    void install(Channel channel, WireUrl.Address server);

    /** Loads the trusted authorities. Blocks. */
    static ClientTls prepare(ClientOptions options) throws IOException {
        if (!options.secure()) {
            return NONE;
        }
        try {
            Class.forName("io.netty.handler.ssl.SslContextBuilder", false, ClientTls.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IOException("weirs:// needs the library io.netty:netty-handler on the class path", e);
        }
        return NettyTls.prepare(options);
    }
}
