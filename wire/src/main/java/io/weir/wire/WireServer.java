package io.weir.wire;

import io.netty.channel.ChannelPipeline;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The server's end of the protocol: makes a {@link WireConnection} of each channel that it is installed on. Shared by all
 * listeners that speak it; lives as long as the server.
 */
public final class WireServer {
    /** What a server is made of besides its configuration; {@link Parts#directory} may be {@link NamingDirectory#empty}. */
    public record Parts(
            Authenticator authenticator,
            NamingDirectory directory,
            Function<WireConnection, FrameHandler> service,
            Stats stats,
            Log log,
            Clock clock) {}

    public WireServer(Live<WireConfig> config, Parts parts) {
        throw new UnsupportedOperationException();
    }

    /** Adds the protocol's handler to a new connection's pipeline, on its loop, behind TLS where there is one. */
    public void install(ChannelPipeline pipeline) {
        throw new UnsupportedOperationException();
    }

    /** Connections open now, those in their handshake included. */
    public int connections() {
        throw new UnsupportedOperationException();
    }

    /** Says to every client that the server stops, and closes; completes when all are closed. New ones are refused. */
    public CompletableFuture<Void> close() {
        throw new UnsupportedOperationException();
    }
}
