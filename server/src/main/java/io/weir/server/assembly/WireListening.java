package io.weir.server.assembly;

import io.netty.channel.ChannelPipeline;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.connection.SessionStatus;
import io.weir.server.config.WeirConfig;
import io.weir.wire.FrameRoutes;
import io.weir.wire.WireConnection;
import io.weir.wire.login.Authenticator;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.server.WireConfig;
import io.weir.wire.server.WireServer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The protocol of listeners with protocol {@code weir}: services that share each connection, distinguished by the types
 * of their frames. Opened after the services and closed before them. Lives as long as the server.
 */
public final class WireListening implements Protocol, AutoCloseable {
    private static final long CLOSE_SECONDS = 5;

    /**
     * A service's frames and names on the wire.
     *
     * @param route its types of frames
     * @param directory its part of naming; earlier services' names hide those of later ones
     */
    public record Service(FrameRoutes.Route route, NamingDirectory directory) {}

    private final WireServer wire;

    /** @param logins who may log in, members of the cluster included */
    public WireListening(
            List<Service> services, Authenticator logins, Live<WeirConfig> live, Clock clock, Stats stats, Log log) {
        Live<WireConfig> config = live.part(c -> c.messaging().wire());
        this.wire = new WireServer(
                config,
                new WireServer.Parts(
                        logins,
                        NamingDirectory.of(
                                services.stream().map(Service::directory).toList()),
                        new FrameRoutes(services.stream().map(Service::route).toList()),
                        stats,
                        log,
                        clock));
    }

    @Override
    public void install(Connection connection, ChannelPipeline pipeline) {
        connection.busy();
        // not a request in perfdump's Sessions: messaging has its own tables
        connection.state().status(SessionStatus.IDLE);
        WireConnection installed = wire.install(pipeline, connection.secure());
        connection.onDrain(() -> wire.drain(installed));
    }

    @Override
    public String name() {
        return "weir";
    }

    /** Called after the drain: closes the remaining connections. */
    @Override
    public void close() {
        wire.close().completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS).join();
    }
}
