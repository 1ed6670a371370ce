package io.weir.kernel.mux;

import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.nio.channels.ServerSocketChannel;

/** A listening NIO socket that several acceptors can select on. */
public final class SharedNioSocket extends NioServerSocketChannel {
    SharedNioSocket() {}

    private SharedNioSocket(ServerSocketChannel socket) {
        super(socket);
    }

    /** The same socket for another acceptor. */
    public SharedNioSocket duplicate() {
        return new SharedNioSocket(javaChannel());
    }
}
