package io.weir.wire.server;

import io.netty.channel.ChannelPipeline;
import io.weir.base.Clock;
import io.weir.base.HalfOpen;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireStats;
import io.weir.wire.channel.NamingFrames;
import io.weir.wire.channel.OutboundMarks;
import io.weir.wire.channel.WireChannel;
import io.weir.wire.channel.WireCounters;
import io.weir.wire.login.Authenticator;
import io.weir.wire.naming.NamingAnswers;
import io.weir.wire.naming.NamingDirectory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The server's end of the protocol: creates a {@link WireConnection} for each channel on which it is installed. Shared
 * by all listeners of the protocol; lives as long as the server.
 */
public final class WireServer {
    /**
     * A server's collaborators.
     *
     * @param authenticator decides which clients may connect
     * @param directory the names that naming answers from; {@link NamingDirectory#empty} for none
     * @param service creates the handler of a connection, on its loop, once it is logged in
     */
    public record Parts(
            Authenticator authenticator,
            NamingDirectory directory,
            Function<WireConnection, FrameHandler> service,
            Stats stats,
            Log log,
            Clock clock) {}

    /** Time to answer requests already read: several forced writes of a slow disk. */
    private static final long DRAIN_MILLIS = 300;

    private final Live<WireConfig> config;
    private final Parts parts;
    private final WireCounters stats;
    private final NamingFrames naming;
    private final ConnectionIds ids;
    private final Set<WireChannel> open = ConcurrentHashMap.newKeySet();
    private final HalfOpen handshakes;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean closing;

    /** Creates a server; configuration changes apply to later connections; its statistics go to those of the parts. */
    public WireServer(Live<WireConfig> config, Parts parts) {
        this.config = config;
        this.parts = parts;
        this.stats = new WireCounters(parts.stats());
        this.naming = new NamingAnswers(parts.directory());
        this.ids = new ConnectionIds(parts.clock());
        parts.stats().gauge(WireStats.CONNECTIONS, open::size);
        this.handshakes = new HalfOpen(
                () -> config.get().maxHandshakes(), parts.clock(), parts.stats().counter(WireStats.HANDSHAKES_EVICTED));
        parts.stats().gauge(WireStats.HANDSHAKES, handshakes::size);
    }

    /** Adds the protocol's handler to a new connection's pipeline without TLS, on its loop. */
    public WireConnection install(ChannelPipeline pipeline) {
        return install(pipeline, false);
    }

    /**
     * Adds the protocol's handler to a new connection's pipeline, on its loop.
     *
     * @param secure whether a TLS handler is in front
     */
    public WireConnection install(ChannelPipeline pipeline, boolean secure) {
        ServerHandshake handshake = new ServerHandshake(
                new ServerHandshake.Shared(config, parts.authenticator(), naming, parts.service(), ids, parts.log()));
        WireConfig.OutboundConfig out = config.get().outbound();
        OutboundMarks marks = new OutboundMarks(
                Math.min(out.low().bytes(), out.high().bytes()),
                out.high().bytes(),
                out.limit().bytes());
        WireChannel channel = new WireChannel(new WireChannel.Parts(marks, stats, parts.log(), secure), handshake);
        open.add(channel);
        pipeline.channel().closeFuture().addListener(unusedFuture -> forget(channel));
        InetAddress address = pipeline.channel().remoteAddress() instanceof InetSocketAddress a
                ? a.getAddress()
                : InetAddress.getLoopbackAddress();
        HalfOpen.Place place = handshakes.enter(address, handshake::silent, () -> channel.close(noLogin()));
        handshake.at(place);
        pipeline.addLast("wire", channel);
        if (closing) {
            channel.close(new WireFault(Reason.SHUTDOWN, "the server is stopping"));
        } else if (!handshakes.room(place)) {
            channel.close(new WireFault(Reason.BUSY, "too many connections that have not logged in: retry later"));
        }
        return channel;
    }

    private static WireFault noLogin() {
        return new WireFault(
                Reason.BUSY, "not logged in while others wait to log in: reconnect and log in" + " immediately");
    }

    private void forget(WireChannel channel) {
        open.remove(channel);
        if (closing && open.isEmpty()) {
            closed.complete(null);
        }
    }

    /** Number of open connections, including those in their handshake. */
    public int connections() {
        return open.size();
    }

    /**
     * Closes a connection because the server is stopping: nothing more is read from it, requests already read are
     * answered, and shortly afterwards the peer is notified and the connection closed. Call on its loop.
     */
    public void drain(WireConnection connection) {
        if (!connection.isOpen()) {
            connection.close(new WireFault(Reason.SHUTDOWN, "the server is stopping"));
            return;
        }
        connection.reading(false);
        var unused = connection
                .loop()
                .schedule(
                        () -> {
                            connection.reading(true);
                            connection.close(new WireFault(Reason.SHUTDOWN, "the server is stopping"));
                        },
                        DRAIN_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /**
     * Notifies all clients that the server is stopping, and closes; completes when all are closed. New connections are
     * refused.
     */
    public CompletableFuture<Void> close() {
        closing = true;
        for (WireChannel channel : open) {
            channel.close(new WireFault(Reason.SHUTDOWN, "the server is stopping"));
        }
        if (open.isEmpty()) {
            closed.complete(null);
        }
        return closed;
    }
}
