package io.weir.proxy;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** TLS towards origins: certificate and name are checked. Shared; the context is made at the first use. */
final class OriginTls implements OriginConnector.Tls {
    private volatile @Nullable SslContext context;

    @Override
    public SslHandler handler(Channel channel, String host, int port) {
        return context().newHandler(channel.alloc(), host, port);
    }

    private SslContext context() {
        SslContext made = context;
        if (made == null) {
            try {
                made = SslContextBuilder.forClient().build();
            } catch (SSLException e) {
                throw new IllegalStateException("no TLS towards origins", e);
            }
            context = made;
        }
        return made;
    }
}
