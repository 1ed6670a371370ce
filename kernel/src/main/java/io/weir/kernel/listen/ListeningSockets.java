package io.weir.kernel.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.Socket;
import io.weir.base.Log;
import io.weir.kernel.mux.SharedNioSocket;
import io.weir.kernel.mux.Transport;
import io.weir.kernel.settings.KernelMessages;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Binds a listener's socket, and shares it among several acceptors. Used once for each listener. */
final class ListeningSockets {
    private final Transport transport;
    private final String name;
    private final ListenerConfig config;
    private final Log log;

    ListeningSockets(Transport transport, String name, ListenerConfig config, Log log) {
        this.transport = transport;
        this.name = name;
        this.config = config;
        this.log = log;
    }

    /** The number of acceptors that this muxer supports: io_uring shares no socket between rings. */
    int acceptors() {
        if (config.acceptors() > 1 && transport == Transport.IO_URING) {
            log.log(
                    KernelMessages.SINGLE_ACCEPTOR,
                    name,
                    config.acceptors(),
                    transport.kind().spelling());
            return 1;
        }
        return config.acceptors();
    }

    /** Binds; nothing is accepted until auto-read is switched on. */
    List<Channel> bind(IoEventLoopGroup loops, int acceptors) throws BindFailure {
        List<Channel> sockets = new ArrayList<>();
        try {
            Channel first = register(loops, transport.server().newChannel());
            sockets.add(first);
            first.bind(new InetSocketAddress(InetAddress.getByName(config.address()), config.port()))
                    .syncUninterruptibly();
            share(first, sockets, loops, acceptors);
            return sockets;
        } catch (Exception e) {
            sockets.forEach(s -> s.close().awaitUninterruptibly());
            throw failure(name, config, e);
        }
    }

    /** Takes over a socket that already listens; nothing is accepted until auto-read is switched on. */
    List<Channel> adopt(IoEventLoopGroup loops, int acceptors, int descriptor) throws BindFailure {
        List<Channel> sockets = new ArrayList<>();
        try {
            if (transport != Transport.EPOLL) {
                throw new IOException("only epoll takes over sockets of another process");
            }
            Channel first = register(loops, new EpollServerSocketChannel(descriptor));
            sockets.add(first);
            share(first, sockets, loops, acceptors);
            return sockets;
        } catch (Exception e) {
            sockets.forEach(s -> s.close().awaitUninterruptibly());
            throw failure(name, config, e);
        }
    }

    /**
     * Takes over the socket of a listener in this process, which stays usable until it is closed; nothing is accepted
     * until auto-read is switched on.
     */
    List<Channel> inherit(IoEventLoopGroup loops, int acceptors, List<Channel> from) throws BindFailure {
        List<Channel> sockets = new ArrayList<>();
        try {
            if (!(from.getFirst() instanceof EpollServerSocketChannel)) {
                throw new IOException("only epoll takes over a listener's socket while it is open. Take the listener"
                        + " away in a change of its own first, give it another port, or restart");
            }
            Channel first = register(loops, shared(from.getFirst()));
            sockets.add(first);
            if (first instanceof EpollServerSocketChannel epoll && epoll.fd() instanceof Socket socket) {
                // listen again, to apply the backlog
                socket.listen(config.backlog());
            }
            share(first, sockets, loops, acceptors);
            return sockets;
        } catch (Exception e) {
            sockets.forEach(s -> s.close().awaitUninterruptibly());
            throw failure(name, config, e);
        }
    }

    private void share(Channel first, List<Channel> sockets, IoEventLoopGroup loops, int acceptors) throws IOException {
        for (int i = 1; i < acceptors; i++) {
            sockets.add(register(loops, shared(first)));
        }
    }

    private Channel register(IoEventLoopGroup loops, Channel socket) {
        ChannelConfig options = socket.config();
        options.setAutoRead(false);
        options.setOption(ChannelOption.SO_REUSEADDR, true);
        options.setOption(ChannelOption.SO_BACKLOG, config.backlog());
        if (config.receiveBuffer().bytes() > 0) {
            options.setOption(ChannelOption.SO_RCVBUF, config.receiveBuffer().asInt());
        }
        EventLoop loop = loops.next();
        loop.register(socket).syncUninterruptibly();
        return socket;
    }

    /** The same socket for another acceptor; SO_REUSEPORT is not used because it would hide a double start. */
    private static ServerChannel shared(Channel first) throws IOException {
        return switch (first) {
            case EpollServerSocketChannel epoll ->
                new EpollServerSocketChannel(Descriptors.duplicate(epoll.fd().intValue()));
            case SharedNioSocket nio -> nio.duplicate();
            default -> throw new IllegalStateException("no second acceptor for " + first);
        };
    }

    static BindFailure failure(String name, ListenerConfig config, Exception e) {
        String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        String remedy;
        if (e instanceof UnknownHostException) {
            remedy = "The address is no name or number that resolves: correct listeners." + name + ".address.";
        } else if (text.contains("already in use")) {
            remedy = "Another process (or another listener) uses this port: stop it, or set listeners." + name
                    + ".port.";
        } else if (text.contains("cannot assign") || text.contains("can't assign")) {
            remedy = "This machine has no such address: correct listeners." + name + ".address.";
        } else if (text.contains("denied") || text.contains("not permitted")) {
            remedy = "Ports below 1024 need the privilege CAP_NET_BIND_SERVICE: grant it, or use a higher port.";
        } else {
            remedy = "See the reason given.";
        }
        String why = e instanceof BindException || e instanceof IOException ? e.getMessage() : e.toString();
        return new BindFailure(
                name,
                "Cannot listen for channel \"" + name + "\" on " + config.address() + ":" + config.port() + ": " + why
                        + ". " + remedy,
                e);
    }
}
