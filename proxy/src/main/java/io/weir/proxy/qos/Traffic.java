package io.weir.proxy.qos;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.weir.kernel.connection.Connection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection's state for the limits: the scopes where it is counted, and its pacer, which counts what it sends.
 * Confined to the connection's muxer; lives from the first request that found limits to the end of the connection.
 */
public final class Traffic {
    /** The decision on a request. */
    public enum Verdict {
        PASSES,
        /** 503: too many connections; this one is closed. */
        CONNECTIONS,
        /** 429: too many requests. */
        REQUESTS
    }

    private static final String PACER = "pacer";

    private final Qos qos;
    private final Connection connection;
    private final Pacing pacing;
    private final Scope listener;
    private final ClientUsage client;
    private @Nullable Scope server;
    private @Nullable Pacer pacer;
    private boolean counted;
    private boolean closed;
    private long waitNanos;

    Traffic(Qos qos, Connection connection, Pacing pacing, Scope listener, ClientUsage client) {
        this.qos = qos;
        this.connection = connection;
        this.pacing = pacing;
        this.listener = listener;
        this.client = client;
    }

    /** Counts a request for a virtual server; if it passes, its answer is paced. */
    public Verdict admit(String virtualServer) {
        Pacer p = pacer();
        if (!counted && !listener.admit()) {
            return Verdict.CONNECTIONS;
        }
        counted = true;
        Scope wanted = qos.server(virtualServer);
        if (wanted != server) {
            if (!wanted.admit()) {
                // this connection will close: its places are free from now on
                release();
                return Verdict.CONNECTIONS;
            }
            leaveServer();
            server = wanted;
        }
        long now = qos.clock().nanos();
        // a client over its own rate must not use up the shared one
        waitNanos = qos.take(client, now);
        waitNanos = waitNanos > 0 ? waitNanos : wanted.take(now);
        waitNanos = waitNanos > 0 ? waitNanos : listener.take(now);
        if (waitNanos > 0) {
            return Verdict.REQUESTS;
        }
        client.usage().requested(now);
        wanted.usage().requested(now);
        listener.usage().requested(now);
        pace(p, wanted);
        return Verdict.PASSES;
    }

    /** How long until a request like the one refused would pass, nanoseconds. */
    public long waitNanos() {
        return waitNanos;
    }

    /** Counts what is sent from now on, before encryption. */
    private Pacer pacer() {
        Pacer p = pacer;
        if (p == null) {
            p = new Pacer(connection.channel(), pacing, this);
            pacer = p;
            ChannelPipeline pipeline = connection.channel().pipeline();
            ChannelHandlerContext tls = pipeline.context(SslHandler.class);
            pipeline.addAfter(tls == null ? "guard" : tls.name(), PACER, p);
        }
        return p;
    }

    /** Whether what is written to a channel is counted, and may have to wait; on its muxer. */
    public static boolean paces(Channel channel) {
        return channel.pipeline().context(PACER) != null;
    }

    private void pace(Pacer p, Scope wanted) {
        List<Bandwidth> by = new ArrayList<>(3);
        by.add(client.bandwidth());
        by.add(wanted.bandwidth());
        by.add(listener.bandwidth());
        by.removeIf(b -> !b.bounded());
        p.by(by);
    }

    /** The given number of bytes is sent to the client. */
    void sent(long bytes) {
        long now = qos.clock().nanos();
        client.usage().sent(bytes, now);
        listener.usage().sent(bytes, now);
        Scope s = server;
        if (s != null) {
            s.usage().sent(bytes, now);
        }
    }

    private void leaveServer() {
        Scope before = server;
        server = null;
        if (before != null) {
            before.usage().released();
        }
    }

    /** Releases everything; the channel is closed. */
    void closed() {
        if (closed) {
            return;
        }
        closed = true;
        release();
        client.closed();
    }

    private void release() {
        leaveServer();
        if (counted) {
            counted = false;
            listener.usage().released();
        }
    }
}
