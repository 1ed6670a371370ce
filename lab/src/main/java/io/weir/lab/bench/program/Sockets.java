package io.weir.lab.bench.program;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;

/** One event loop with its sockets, epoll where it loads, as in Weir. Lives until closed. */
final class Sockets implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final boolean EPOLL = Epoll.isAvailable();
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());

    /**
     * Listens on loopback.
     *
     * @param pipeline prepares each accepted connection
     */
    Channel listen(int port, Consumer<Channel> pipeline) throws InterruptedException {
        return new ServerBootstrap()
                .group(loop)
                .channel(EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(initializer(pipeline))
                .bind(InetAddress.getLoopbackAddress(), port)
                .sync()
                .channel();
    }

    /** Prepares connections to others. */
    Bootstrap client(Consumer<Channel> pipeline) {
        return client(loop.next(), pipeline);
    }

    /** Prepares connections to others, on the loop of an accepted one. */
    static Bootstrap client(EventLoop on, Consumer<Channel> pipeline) {
        return new Bootstrap()
                .group(on)
                .channel(EPOLL ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(initializer(pipeline));
    }

    private static ChannelInitializer<Channel> initializer(Consumer<Channel> pipeline) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                pipeline.accept(channel);
            }
        };
    }

    /**
     * TLS with a folder's {@code cert.pem} and {@code key.pem}.
     *
     * @param http2 whether HTTP/2 is agreed on
     */
    static SslContext tls(Path folder, boolean http2) throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forServer(
                        folder.resolve("cert.pem").toFile(),
                        folder.resolve("key.pem").toFile())
                .sslProvider(provider());
        if (http2) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    List.of(ApplicationProtocolNames.HTTP_2)));
        }
        return builder.build();
    }

    static SslProvider provider() {
        return OpenSsl.isAvailable() ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK;
    }

    @Override
    public void close() {
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
