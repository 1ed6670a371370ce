package io.weir.wire.client;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The code that uses netty-handler's classes: loaded only if TLS is used. Shared. */
final class NettyTls implements ClientTls {
    private final SslContext context;
    private final long handshakeMillis;

    private NettyTls(SslContext context, long handshakeMillis) {
        this.context = context;
        this.handshakeMillis = handshakeMillis;
    }

    static ClientTls prepare(ClientOptions options) throws IOException {
        SslContextBuilder builder =
                SslContextBuilder.forClient().sslProvider(SslProvider.JDK).endpointIdentificationAlgorithm("HTTPS");
        Path trust = options.trust();
        if (trust != null) {
            if (!Files.isReadable(trust)) {
                throw new IOException("the trusted authorities cannot be read: " + trust);
            }
            builder.trustManager(trust.toFile());
        }
        return new NettyTls(builder.build(), options.handshakeTimeOut().toMillis());
    }

    @Override
    public void install(Channel channel, WireUrl.Address server) {
        SslHandler handler = context.newHandler(channel.alloc(), server.host(), server.port());
        handler.setHandshakeTimeoutMillis(handshakeMillis);
        channel.pipeline().addFirst("tls", handler);
    }
}
