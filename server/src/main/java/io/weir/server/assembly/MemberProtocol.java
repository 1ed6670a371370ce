package io.weir.server.assembly;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.Protocol;
import io.weir.server.cluster.MemberCaches;
import javax.net.ssl.SSLEngine;

/**
 * The protocol of listeners with protocol {@code cache}: requests of other members, over TLS in which both ends prove
 * that they are members. Lives as long as the server.
 */
final class MemberProtocol implements Protocol {
    private final Protocol http;
    private final MemberCaches caches;

    MemberProtocol(Protocol http, MemberCaches caches) {
        this.http = http;
        this.caches = caches;
    }

    @Override
    public void install(Connection connection, ChannelPipeline pipeline) {
        SSLEngine engine = caches.server();
        if (engine != null) {
            SslHandler tls = new SslHandler(engine);
            tls.handshakeFuture().addListener(done -> {
                if (!done.isSuccess()) {
                    caches.refused(done.cause(), connection.remote());
                }
            });
            pipeline.addLast("tls", tls);
        }
        http.install(connection, pipeline);
    }

    @Override
    public String name() {
        return "cache";
    }
}
