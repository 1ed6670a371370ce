package io.weir.proxy.upstream;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.weir.kernel.tls.TlsCause;
import io.weir.proxy.members.CacheOwners;
import java.time.Duration;
import javax.net.ssl.SSLEngine;

/** TLS of connections to the caches of other members: both ends prove that they are members. Shared. */
final class MemberSecurity implements OriginConnector.Tls {
    private final CacheOwners owners;

    MemberSecurity(CacheOwners owners) {
        this.owners = owners;
    }

    @Override
    public SslHandler handler(Channel channel, String host, int port, Duration timeOut, boolean mayBeHttp2) {
        SSLEngine engine = owners.engine(host, port);
        if (engine == null) {
            throw new IllegalArgumentException("this member has left its cluster");
        }
        SslHandler handler = new SslHandler(engine);
        handler.setHandshakeTimeoutMillis(timeOut.toMillis());
        return handler;
    }

    @Override
    public boolean upToDate(Channel channel) {
        return true;
    }

    @Override
    public void refused(TlsCause cause) {
        // the other member counts and logs it
    }
}
