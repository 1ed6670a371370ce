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
 * Accepts the links of workers: a socket in the data directory, at which the system identifies the process at the other
 * end. Confined to the supervisor's loop.
 */
final class LinkServer {
    /** Maximum length of a socket's name in bytes, without the terminating one. */
    private static final int MAX_NAME_LENGTH = 107;

    private final Channel channel;

    private LinkServer(Channel channel) {
        this.channel = channel;
    }

    /**
     * Opens it.
     *
     * @param worker the worker with a process id, when it connects; null for an unknown process
     * @throws IOException if the name is too long, or the folder cannot be written
     */
    static LinkServer open(Path at, IoEventLoopGroup loops, LongFunction<@Nullable Linked> worker) throws IOException {
        if (at.toString().getBytes(StandardCharsets.UTF_8).length > MAX_NAME_LENGTH) {
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
                            child.pipeline().addLast(new LinkDecoder(linked));
                        }
                    }
                })
                .bind(new DomainSocketAddress(at.toFile()))
                .syncUninterruptibly()
                .channel());
    }

    /** Receives the lines of a worker, on the loop. */
    interface Linked {
        void connected(Channel channel);

        void said(String line);
    }

    void close() {
        var _ = channel.close().awaitUninterruptibly();
    }

    /** The supervisor's end of one link. */
    private static final class LinkDecoder extends LineDecoder {
        private final Linked linked;

        LinkDecoder(Linked linked) {
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
