package io.weir.proxy.client;

import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.listen.PlainHttp2;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.exchange.Exchanges;
import io.weir.proxy.http2.Http2Config;
import io.weir.proxy.http2.Http2Session;
import java.util.function.Supplier;

/**
 * Installs HTTP/1 or HTTP/2 in the pipelines of new client connections of one muxer: HTTP/2 if it was negotiated by
 * ALPN, is configured for the listener, or is detected from the first bytes. Confined to the muxer; lives as long as
 * the proxy.
 */
public final class ClientPipelines {
    private final LoopContext loop;
    private final Exchanges exchanges;
    private final StreamHost streams;
    private final Supplier<Http2Config> http2;

    public ClientPipelines(Exchanges exchanges, Supplier<Http2Config> http2) {
        this.loop = exchanges.loop();
        this.exchanges = exchanges;
        this.streams = new StreamHost(exchanges);
        this.http2 = http2;
    }

    /** Installs the protocol of a new connection. */
    public void install(Connection connection, ChannelPipeline pipeline) {
        PlainHttp2 plain = connection.secure()
                ? PlainHttp2.REFUSED
                : connection.listener().config().http2();
        if (plain == PlainHttp2.ONLY || (connection.secure() && "h2".equals(connection.alpn()))) {
            pipeline.addLast("http2", http2(connection));
            return;
        }
        if (!connection.secure()) {
            // a client that has sent its request may half-close and still read the answer
            connection.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        }
        Http1Connection client = new Http1Connection(exchanges, connection);
        connection.onDrain(client::drain);
        if (plain == PlainHttp2.ALLOWED) {
            pipeline.addLast("first-bytes", new FirstBytes(connection, this::http2));
        }
        pipeline.addLast("http", client);
    }

    private Http2Session http2(Connection connection) {
        Http2Session session = Http2Session.of(connection, streams, http2.get(), loop.counters().http2);
        connection.onDrain(session::drain);
        connection.onLeave(session::leave);
        return session;
    }
}
