package io.weir.server;

import io.netty.channel.ChannelPipeline;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.Connection;
import io.weir.kernel.Protocol;
import io.weir.kernel.SessionStatus;
import io.weir.server.config.WeirConfig;
import io.weir.server.users.FileRealm;
import io.weir.server.users.WireRealm;
import io.weir.wire.Authenticator;
import io.weir.wire.CheckedLogins;
import io.weir.wire.FrameRoutes;
import io.weir.wire.NamingDirectory;
import io.weir.wire.WireConfig;
import io.weir.wire.WireConnection;
import io.weir.wire.WireServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * What is spoken on listeners of the protocol {@code weir}: the check of logins, and the services that share each connection
 * by the types of their frames. Opened after the services and closed before them. Lives as long as the server.
 */
final class WireListening implements Protocol, AutoCloseable {
    private static final long CLOSE_SECONDS = 5;

    /**
     * What a service says and names on the wire.
     *
     * @param route its types of frames
     * @param directory its part of naming; earlier services' names hide those of later ones
     */
    record Service(FrameRoutes.Route route, NamingDirectory directory) {}

    private final CheckedLogins logins;
    private final WireServer wire;

    /** @param members who lets members of the cluster in, over the check of users' logins */
    WireListening(
            List<Service> services,
            UnaryOperator<Authenticator> members,
            Live<WeirConfig> live,
            Path dataDir,
            Clock clock,
            Stats stats,
            Log log) {
        Live<WireConfig> config = live.part(c -> c.messaging().wire());
        Live<WireConfig.LoginConfig> login = config.part(WireConfig::logins);
        this.logins = new CheckedLogins(new WireRealm(new FileRealm(dataDir), login, log), login, stats, log, clock);
        this.wire = new WireServer(
                config,
                new WireServer.Parts(
                        members.apply(logins),
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
        // no request for perfdump's Sessions: messaging has tables of its own
        connection.state().status(SessionStatus.IDLE);
        WireConnection installed = wire.install(pipeline, connection.secure());
        connection.onDrain(() -> wire.drain(installed));
    }

    @Override
    public String name() {
        return "weir";
    }

    /** After the drain: what is left of connections is cut off. */
    @Override
    public void close() {
        logins.close();
        wire.close().completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS).join();
    }
}
