package io.weir.wire;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.wire.client.WireUrl;
import io.weir.wire.login.Authenticator;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.server.WireConfig;
import io.weir.wire.server.WireServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server on a loopback port of its own. */
public final class TestServer implements AutoCloseable {
    /** Lets anna in with "secret", and anybody without a name. */
    public static final Authenticator ANNA = (user, password, _) -> CompletableFuture.completedFuture(
            user == null
                    ? new Principal("guest", List.of())
                    : user.equals("anna") && "secret".equals(password == null ? null : new String(password))
                            ? new Principal("anna", List.of("staff"))
                            : null);

    public final Stats stats = new Stats();
    public final RecordingLog log = new RecordingLog();
    public final WireServer server;
    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel socket;

    public TestServer(Function<WireConnection, FrameHandler> service) {
        this(Configs.config(), ANNA, NamingDirectory.empty(), service, null);
    }

    public TestServer(
            WireConfig config,
            Authenticator authenticator,
            NamingDirectory directory,
            Function<WireConnection, FrameHandler> service,
            @Nullable SslContext tls) {
        server = new WireServer(
                new Live<>(config),
                new WireServer.Parts(authenticator, directory, service, stats, log, SystemClock.INSTANCE));
        socket = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (tls != null) {
                            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                        }
                        server.install(channel.pipeline(), tls != null);
                    }
                })
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.localAddress();
    }

    public List<WireUrl.Address> addresses() {
        return List.of(new WireUrl.Address("127.0.0.1", address().getPort()));
    }

    public long faults(WireFault.Reason reason) {
        return stats.value(WireStats.FAULTS, reason.label());
    }

    /** Refuses connections; open ones go on. A closed channel still listens until its selector's next round. */
    public void stopListening() {
        socket.close().syncUninterruptibly();
        for (int i = 0; i < 1000 && listens(); i++) {
            Thread.onSpinWait();
        }
    }

    private boolean listens() {
        try (Socket probe = new Socket()) {
            probe.connect(address());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        socket.close().syncUninterruptibly();
        server.close().orTimeout(10, TimeUnit.SECONDS).join();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
