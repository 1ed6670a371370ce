package io.weir.kernel.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Listening sockets of other processes, accepted from while their owners cannot accept. The owner keeps its descriptor
 * open, with the connections queued on it. Shared; lives as long as its listener.
 */
final class BorrowedSockets {
    private final IoEventLoopGroup acceptors;
    private final Function<Channel, ? extends ChannelHandler> acceptor;
    private final Map<Integer, Channel> open = new HashMap<>();
    private boolean closed;

    /** @param acceptor creates the handler of a socket's accepted connections */
    BorrowedSockets(IoEventLoopGroup acceptors, Function<Channel, ? extends ChannelHandler> acceptor) {
        this.acceptors = acceptors;
        this.acceptor = acceptor;
    }

    /**
     * Accepts from exactly these sockets; sockets passed earlier and not listed are closed.
     *
     * @param descriptors of listening sockets; they are not closed
     * @return the sockets that are accepted from now
     * @throws IOException if no descriptor is free; sockets duplicated before the failure are accepted from
     */
    synchronized List<Channel> set(Set<Integer> descriptors) throws IOException {
        Set<Integer> gone = new HashSet<>(open.keySet());
        gone.removeAll(descriptors);
        for (int descriptor : gone) {
            Channel left = open.remove(descriptor);
            if (left != null) {
                left.close().awaitUninterruptibly();
            }
        }
        for (int descriptor : descriptors) {
            if (!closed && !open.containsKey(descriptor)) {
                open.put(descriptor, accept(descriptor));
            }
        }
        return new ArrayList<>(open.values());
    }

    private Channel accept(int descriptor) throws IOException {
        Channel socket = new EpollServerSocketChannel(Descriptors.duplicate(descriptor));
        socket.config().setAutoRead(false);
        EventLoop loop = acceptors.next();
        loop.register(socket).syncUninterruptibly();
        socket.pipeline().addLast("acceptor", acceptor.apply(socket));
        socket.config().setAutoRead(true);
        return socket;
    }

    /** Stops accepting from all of them, permanently. */
    synchronized void close() {
        closed = true;
        open.values().forEach(c -> c.close().awaitUninterruptibly());
        open.clear();
    }
}
