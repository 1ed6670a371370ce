package io.weir.cluster.naming;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.lease.LeaderSettings;
import io.weir.cluster.lease.LeaseSafety;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.members.MemberLogins;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.node.NodeParts;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceThreads;
import io.weir.cluster.singleton.SingletonTimes;
import io.weir.wire.FrameRoutes;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireUrl;
import io.weir.wire.invoke.caller.Invoker;
import io.weir.wire.invoke.caller.ProxyOptions;
import io.weir.wire.invoke.dispatch.Access;
import io.weir.wire.invoke.dispatch.Dispatcher;
import io.weir.wire.login.Authenticator;
import io.weir.wire.login.Principal;
import io.weir.wire.server.WireConfig;
import io.weir.wire.server.WireServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A member on threads and a port of its own, over a log that it shares with others of the test. */
final class NamingMember implements AutoCloseable {
    private static final LeaseTimes TIMES = LeaseTimes.of(Duration.ofSeconds(60));
    private static final Authenticator USERS = (user, _, _) -> CompletableFuture.<@Nullable Principal>completedFuture(
            new Principal(user == null ? "guest" : user, List.of("staff")));

    final String name;
    final Stats stats = new Stats();
    final RecordingLog log = new RecordingLog();
    final ClusterNode node;
    final ClusterNaming naming;
    final Dispatcher dispatcher;
    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.unseeded());
    private final Channel socket;
    private final ConsensusLog consensus;
    private final ServiceThreads services;
    private volatile @Nullable WireServer wire;

    NamingMember(String name, int members, SharedLog shared) {
        this.name = name;
        this.socket = listen();
        SingletonTimes times = new SingletonTimes(Duration.ofSeconds(30), Duration.ofSeconds(10), 4, false);
        LeaderSettings leader = new LeaderSettings(TIMES, Duration.ofSeconds(90), Duration.ZERO, members, false);
        NodeSettings settings =
                new NodeSettings("test", name, "storage-" + name, address().toString(), false, TIMES, times, leader);
        this.node = new ClusterNode(settings, name.hashCode(), loop, LeaseSafety.SAFE, stats, log);
        this.naming = new ClusterNaming(new ClusterNaming.Parts(
                node,
                () -> MemberLogins.credentials(name, null),
                ClientOptions.DEFAULT,
                ProxyOptions.DEFAULT,
                Invoker.Limits.DEFAULT,
                path -> path.equals("other/name") ? "of somebody else" : null,
                SystemClock.INSTANCE));
        this.dispatcher = new Dispatcher(
                Dispatcher.Limits.DEFAULT,
                new Dispatcher.Parts(naming, Access.named("guest"), SystemClock.INSTANCE, stats, log));
        this.wire = new WireServer(
                new Live<>(ConfigBinder.defaults(WireConfig.class)),
                new WireServer.Parts(
                        new MemberLogins(USERS, null),
                        naming,
                        new FrameRoutes(List.of(dispatcher.route())),
                        stats,
                        log,
                        SystemClock.INSTANCE));
        this.services = new ServiceThreads(
                loop,
                new Exposing(
                        spec -> ServiceObject.create(
                                spec.className(), spec.properties(), NamingMember.class.getClassLoader()),
                        naming),
                node.services(),
                8,
                log);
        this.consensus = shared.open(name, node.holder());
        naming.install();
        node.start(new NodeParts(consensus, null, services, () -> {}));
        node.joined().orTimeout(10, TimeUnit.SECONDS).join();
    }

    private Channel listen() {
        return new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        WireServer w = wire;
                        if (w == null) {
                            throw new IllegalStateException("not started yet");
                        }
                        w.install(channel.pipeline());
                    }
                })
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
    }

    WireUrl.Address address() {
        return new WireUrl.Address("127.0.0.1", ((InetSocketAddress) socket.localAddress()).getPort());
    }

    /** Leaves in order: what was active here becomes active elsewhere. */
    void leave() {
        node.leave(Duration.ofSeconds(10)).orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        naming.close();
        dispatcher.close();
        WireServer w = wire;
        if (w != null) {
            w.close().orTimeout(10, TimeUnit.SECONDS).join();
        }
        node.close();
        services.close();
        loop.close();
        socket.close().syncUninterruptibly();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
