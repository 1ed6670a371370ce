package io.weir.kernel.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.UnixChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A port that several processes serve: one listening socket for each of them (SO_REUSEPORT), among which the system
 * distributes new connections. The holder of this object keeps the sockets with their queues open when a process dies,
 * and accepts nothing itself. Shared; lives as long as the processes' supervisor.
 */
public final class SharedPort implements AutoCloseable {
    /** No descriptor: a listener opens its socket itself. */
    public static final int NONE = -1;

    private final List<EpollServerSocketChannel> sockets = new ArrayList<>();

    private SharedPort() {}

    /**
     * Opens the sockets.
     *
     * @param loops of epoll
     * @param processes how many sockets
     * @throws BindFailure if the address cannot be bound, or another process already shares it
     */
    public static SharedPort open(String name, ListenerConfig config, int processes, IoEventLoopGroup loops)
            throws BindFailure {
        SharedPort port = new SharedPort();
        try {
            InetSocketAddress at = free(config);
            for (int i = 0; i < processes; i++) {
                EpollServerSocketChannel socket = new EpollServerSocketChannel();
                port.sockets.add(socket);
                socket.config().setAutoRead(false);
                socket.config().setOption(ChannelOption.SO_REUSEADDR, true);
                socket.config().setOption(UnixChannelOption.SO_REUSEPORT, true);
                socket.config().setOption(ChannelOption.SO_BACKLOG, config.backlog());
                if (config.receiveBuffer().bytes() > 0) {
                    socket.config()
                            .setOption(
                                    ChannelOption.SO_RCVBUF,
                                    config.receiveBuffer().asInt());
                }
                EventLoop loop = loops.next();
                loop.register(socket).syncUninterruptibly();
                socket.bind(at).syncUninterruptibly();
            }
            return port;
        } catch (Exception e) {
            port.close();
            throw ListeningSockets.failure(name, config, e);
        }
    }

    /** Sharing hides a double start, so the port is first bound exclusively; port 0 gets its number here. */
    private static InetSocketAddress free(ListenerConfig config) throws IOException {
        InetAddress address = InetAddress.getByName(config.address());
        try (ServerSocket alone = new ServerSocket()) {
            alone.setReuseAddress(true);
            alone.bind(new InetSocketAddress(address, config.port()));
            return new InetSocketAddress(address, alone.getLocalPort());
        }
    }

    /** The processes' common address, with the real port. */
    public InetSocketAddress address() {
        return sockets.getFirst().localAddress();
    }

    /** The descriptor of a process's socket: to be passed on, not to be closed. */
    public int descriptor(int process) {
        return sockets.get(process).fd().intValue();
    }

    /**
     * Closes a descriptor that was passed to this process and that no listener has taken over. A listening socket
     * accepts connections into its queue as long as any process has a descriptor of it.
     */
    public static void release(int descriptor) {
        try {
            new FileDescriptor(descriptor).close();
        } catch (IOException _) {
            // close(2) frees the descriptor also when it fails
        }
    }

    /** Processes that hold the sockets keep them open. */
    @Override
    public void close() {
        for (Channel socket : sockets) {
            socket.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
    }
}
