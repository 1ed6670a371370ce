package io.weir.server.assembly;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.Protocol;
import io.weir.server.siblings.CacheAccess;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * The protocol of listeners with protocol {@code cache}: requests of other members or processes, over TLS in which both
 * ends prove that they are such. Lives as long as the server.
 */
final class MemberProtocol implements Protocol {
    private final Protocol http;
    private final CacheAccess caches;

    MemberProtocol(Protocol http, CacheAccess caches) {
        this.http = http;
        this.caches = caches;
    }

    @Override
    public void install(Connection connection, ChannelPipeline pipeline) {
        if (!caches.open()) {
            connection.close();
            return;
        }
        SSLEngine engine = caches.server();
        if (engine != null) {
            SslHandler tls = new SslHandler(engine);
            tls.handshakeFuture().addListener(done -> {
                if (!done.isSuccess()) {
                    caches.refused(done.cause(), connection.remote());
                }
            });
            pipeline.addLast("tls", tls).addLast("strangers", new Strangers());
        }
        http.install(connection, pipeline);
    }

    /** What is no TLS of a member is counted by its handshake, and is no failure of a request. */
    private static final class Strangers extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (cause instanceof DecoderException || cause instanceof SSLException) {
                var _ = ctx.close();
            } else {
                ctx.fireExceptionCaught(cause);
            }
        }
    }

    @Override
    public String name() {
        return "cache";
    }
}
