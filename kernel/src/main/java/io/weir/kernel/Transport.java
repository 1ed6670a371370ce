package io.weir.kernel;

import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The channels and polling of one kind of muxer. Stateless. */
public enum Transport {
    EPOLL(
            MuxerKind.EPOLL,
            EpollIoHandler::newFactory,
            EpollServerSocketChannel::new,
            EpollSocketChannel::new,
            EpollDatagramChannel::new),
    IO_URING(
            MuxerKind.IO_URING,
            IoUringIoHandler::newFactory,
            IoUringServerSocketChannel::new,
            IoUringSocketChannel::new,
            IoUringDatagramChannel::new),
    NIO(MuxerKind.NIO, NioIoHandler::newFactory, SharedNioSocket::new, NioSocketChannel::new, NioDatagramChannel::new);

    private final MuxerKind kind;
    private final Supplier<IoHandlerFactory> polling;
    private final ChannelFactory<? extends ServerChannel> server;
    private final ChannelFactory<? extends SocketChannel> client;
    private final ChannelFactory<? extends DatagramChannel> datagram;

    Transport(
            MuxerKind kind,
            Supplier<IoHandlerFactory> polling,
            ChannelFactory<? extends ServerChannel> server,
            ChannelFactory<? extends SocketChannel> client,
            ChannelFactory<? extends DatagramChannel> datagram) {
        this.kind = kind;
        this.polling = polling;
        this.server = server;
        this.client = client;
        this.datagram = datagram;
    }

    public MuxerKind kind() {
        return kind;
    }

    IoHandlerFactory polling() {
        return polling.get();
    }

    /** Listening TCP sockets. */
    public ChannelFactory<? extends ServerChannel> server() {
        return server;
    }

    /** TCP sockets to origins: register them with the loop of the muxer whose client asks. */
    public ChannelFactory<? extends SocketChannel> client() {
        return client;
    }

    /** UDP sockets, for DNS. */
    public ChannelFactory<? extends DatagramChannel> datagram() {
        return datagram;
    }

    /** Why it cannot be used on this machine, or null when it can. */
    @Nullable
    Throwable unavailable() {
        return switch (this) {
            case EPOLL -> Epoll.isAvailable() ? null : Epoll.unavailabilityCause();
            case IO_URING -> IoUring.isAvailable() ? null : IoUring.unavailabilityCause();
            case NIO -> null;
        };
    }
}
