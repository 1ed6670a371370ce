package io.weir.kernel.mux;

import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.weir.kernel.settings.MuxerKind;
import java.net.Inet4Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The channels and polling of one kind of muxer. Stateless. */
public enum Transport {
    EPOLL(MuxerKind.EPOLL),
    IO_URING(MuxerKind.IO_URING),
    NIO(MuxerKind.NIO);

    /**
     * Limit of unsent bytes that the socket buffers (TCP_NOTSENT_LOWAT): with megabytes buffered, a slow origin is not
     * detected. NIO has no such option.
     */
    private static final int NOT_SENT = 256 * 1024;

    private final MuxerKind kind;

    Transport(MuxerKind kind) {
        this.kind = kind;
    }

    public MuxerKind kind() {
        return kind;
    }

    public IoHandlerFactory polling() {
        return switch (this) {
            case EPOLL -> EpollPolling.factory();
            case IO_URING -> IoUringIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
        };
    }

    /** Listening TCP sockets. */
    public ChannelFactory<? extends ServerChannel> server() {
        return switch (this) {
            case EPOLL -> EpollServerSocketChannel::new;
            case IO_URING -> IoUringServerSocketChannel::new;
            case NIO -> SharedNioSocket::new;
        };
    }

    /** TCP sockets to origins: register them with the loop of the muxer that serves the client. */
    public ChannelFactory<? extends SocketChannel> client() {
        return switch (this) {
            case EPOLL -> () -> limited(new EpollSocketChannel());
            case IO_URING ->
                () -> {
                    IoUringSocketChannel channel = new IoUringSocketChannel();
                    channel.config().setOption(IoUringChannelOption.TCP_NOTSENT_LOWAT, (long) NOT_SENT);
                    return channel;
                };
            case NIO -> NioSocketChannel::new;
        };
    }

    /** As {@link #client()}, of the address's family: an IPv6 socket to an IPv4 address takes a system call more. */
    public ChannelFactory<? extends SocketChannel> client(InetAddress to) {
        return this == EPOLL && to instanceof Inet4Address
                ? () -> limited(new EpollSocketChannel(SocketProtocolFamily.INET))
                : client();
    }

    private static EpollSocketChannel limited(EpollSocketChannel channel) {
        channel.config().setTcpNotSentLowAt(NOT_SENT);
        return channel;
    }

    /** UDP sockets, for DNS. */
    public ChannelFactory<? extends DatagramChannel> datagram() {
        return switch (this) {
            case EPOLL -> EpollDatagramChannel::new;
            case IO_URING -> IoUringDatagramChannel::new;
            case NIO -> NioDatagramChannel::new;
        };
    }

    /** Why it is not available on this machine, or null if it is. */
    @Nullable
    Throwable unavailable() {
        return switch (this) {
            case EPOLL -> Epoll.isAvailable() ? null : Epoll.unavailabilityCause();
            case IO_URING -> IoUring.isAvailable() ? null : IoUring.unavailabilityCause();
            case NIO -> null;
        };
    }
}
