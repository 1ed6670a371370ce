package io.weir.cluster.kit;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.login.Authenticator;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.server.WireConfig;
import io.weir.wire.server.WireServer;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A weir listener on a loopback port of its own. */
public final class TestWire implements AutoCloseable {
    private final WireServer server;
    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel socket;
    private final String address;

    public TestWire(Authenticator authenticator, Function<WireConnection, FrameHandler> service) {
        server = new WireServer(
                new Live<>(new ConfigBinder()
                        .bind(ConfigNode.Mapping.empty(ConfigNode.Place.of("test")), WireConfig.class)),
                new WireServer.Parts(
                        authenticator, NamingDirectory.empty(), service, new Stats(), Log.NONE, SystemClock.INSTANCE));
        socket = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        server.install(channel.pipeline());
                    }
                })
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
        address = "127.0.0.1:" + ((InetSocketAddress) socket.localAddress()).getPort();
    }

    /** host:port. */
    public String address() {
        return address;
    }

    @Override
    public void close() {
        socket.close().syncUninterruptibly();
        server.close().orTimeout(10, TimeUnit.SECONDS).join();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
