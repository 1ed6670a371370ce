package io.weir.server.processes;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where workers connect: a socket in the data directory, at which the system says which process is at the other end.
 * Confined to the supervisor's loop.
 */
final class LinkServer {
    /** What the system takes for the name of a socket, less the byte that ends it. */
    private static final int MOST_NAME = 107;

    private final Channel channel;

    private LinkServer(Channel channel) {
        this.channel = channel;
    }

    /**
     * Opens it.
     *
     * @param worker the worker of a process id, once it connected; null for a stranger
     * @throws IOException when the name is too long, or the folder cannot be written
     */
    static LinkServer open(Path at, IoEventLoopGroup loops, LongFunction<@Nullable Linked> worker) throws IOException {
        if (at.toString().getBytes(StandardCharsets.UTF_8).length > MOST_NAME) {
            throw new IOException("the name " + at + " is too long for a socket: set a shorter server.data-dir");
        }
        Files.deleteIfExists(at);
        return new LinkServer(new ServerBootstrap()
                .group(loops)
                .channel(EpollServerDomainSocketChannel.class)
                .childHandler(new ChannelInitializer<EpollDomainSocketChannel>() {
                    @Override
                    protected void initChannel(EpollDomainSocketChannel child) throws IOException {
                        Linked linked = worker.apply(child.peerCredentials().pid());
                        if (linked == null) {
                            var _ = child.close();
                        } else {
                            child.pipeline().addLast(new Ear(linked));
                        }
                    }
                })
                .bind(new DomainSocketAddress(at.toFile()))
                .syncUninterruptibly()
                .channel());
    }

    /** Who hears a worker, on the loop. */
    interface Linked {
        void connected(Channel channel);

        void said(String line);
    }

    void close() {
        var _ = channel.close().awaitUninterruptibly();
    }

    /** The supervisor's end of one link. */
    private static final class Ear extends LineDecoder {
        private final Linked linked;

        Ear(Linked linked) {
            this.linked = linked;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            linked.connected(ctx.channel());
        }

        @Override
        void line(ChannelHandlerContext ctx, String line) {
            linked.said(line);
        }
    }
}
