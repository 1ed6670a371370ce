package io.weir.proxy.client;

import io.netty.handler.codec.http2.Http2Stream;
import io.weir.proxy.context.EngineMessages;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.exchange.Exchanges;
import io.weir.proxy.http2.Flood;
import io.weir.proxy.http2.Http2Session;
import io.weir.proxy.http2.SessionHost;
import io.weir.proxy.http2.StreamEnd;

/** The engine's callbacks for the HTTP/2 sessions of one muxer. Confined to the muxer; lives as long as the proxy. */
final class StreamHost implements SessionHost {
    private final Exchanges exchanges;
    private final LoopContext loop;

    StreamHost(Exchanges exchanges) {
        this.exchanges = exchanges;
        this.loop = exchanges.loop();
    }

    @Override
    public StreamEnd open(Http2Session session, Http2Stream stream) {
        return new ClientStream(exchanges, session, stream);
    }

    @Override
    public void cut(Http2Session session, Flood why) {
        loop.proxy()
                .log()
                .log(
                        EngineMessages.HTTP2_CUT,
                        session.client().remote().getAddress().getHostAddress(),
                        why.label());
    }

    @Override
    public void unexpected(Throwable cause) {
        loop.proxy().unexpected(cause);
    }

    @Override
    public void broken() {
        loop.counters().clientErrors.inc();
    }

    @Override
    public void headTimedOut() {
        loop.counters().headerTimeOuts.inc();
    }

    @Override
    public long headNanos() {
        return loop.settings().headerNanos();
    }

    @Override
    public long writeNanos() {
        return loop.settings().writeNanos();
    }

    @Override
    public long writeRate() {
        return loop.settings().writeRate();
    }
}
