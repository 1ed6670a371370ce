package io.weir.server.processes;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A worker's end of the socket to its supervisor: first it receives the listening sockets as descriptors, then orders
 * as lines. It is closed when the supervisor ends. Shared; lives as long as the process.
 */
public final class WorkerLink implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 120;
    private static final int HEARD_SECONDS = 5;

    private final IoEventLoopGroup loops;
    private final Channel channel;
    private final List<Integer> sockets;

    private WorkerLink(IoEventLoopGroup loops, Channel channel, List<Integer> sockets) {
        this.loops = loops;
        this.channel = channel;
        this.sockets = sockets;
    }

    /**
     * Connects, and waits for the sockets.
     *
     * @param at the supervisor's socket
     * @param sockets the number of listening sockets to receive
     * @param order receives each order, on the link's thread
     * @param orphaned runs when the supervisor is gone, on the link's thread
     * @throws IOException if there is no supervisor, or it sends nothing
     */
    public static WorkerLink open(Path at, int sockets, Consumer<String> order, Runnable orphaned)
            throws IOException, InterruptedException {
        IoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("weir.Worker link", true), EpollIoHandler.newFactory());
        Reader reader = new Reader(sockets, order, orphaned);
        try {
            Channel channel = new Bootstrap()
                    .group(loops)
                    .channel(EpollDomainSocketChannel.class)
                    .option(EpollChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.FILE_DESCRIPTORS)
                    .handler(reader)
                    .connect(new DomainSocketAddress(at.toFile()))
                    .syncUninterruptibly()
                    .channel();
            return new WorkerLink(loops, channel, reader.complete.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            var _ = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException("the supervisor at " + at + " sent no sockets: " + e.getMessage(), e);
        }
    }

    /** Descriptors of the listening sockets, in the order in which they were requested from the supervisor. */
    public List<Integer> sockets() {
        return sockets;
    }

    /** Sends a line to the supervisor. */
    public void say(String line) {
        var _ = channel.writeAndFlush(
                channel.alloc().buffer().writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Sends the final statistics of this process to the supervisor, and waits until they are sent; a supervisor that
     * has ended does not get them.
     */
    public void counted(String figures) {
        ByteBuf all = channel.alloc().buffer(figures.length());
        figures.lines().forEach(l -> all.writeCharSequence(Orders.COUNTED + " " + l + "\n", StandardCharsets.UTF_8));
        channel.writeAndFlush(all).awaitUninterruptibly(HEARD_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    /** Reads the expected descriptors, then lines. Confined to the link's loop. */
    private static final class Reader extends LineDecoder {
        private final int wanted;
        private final Consumer<String> order;
        private final Runnable orphaned;
        private final List<Integer> found = new ArrayList<>();
        private final CompletableFuture<List<Integer>> complete = new CompletableFuture<>();

        Reader(int wanted, Consumer<String> order, Runnable orphaned) {
            this.wanted = wanted;
            this.order = order;
            this.orphaned = orphaned;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            if (wanted == 0) {
                lines(ctx);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof FileDescriptor socket) {
                found.add(socket.intValue());
                if (found.size() == wanted) {
                    lines(ctx);
                }
            } else {
                super.channelRead(ctx, message);
            }
        }

        /**
         * The supervisor sends no text before it is told that all descriptors have arrived, because text would be taken
         * for one.
         */
        private void lines(ChannelHandlerContext ctx) {
            ctx.channel().config().setOption(EpollChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.BYTES);
            say(ctx, Orders.RECEIVED);
            complete.complete(List.copyOf(found));
        }

        @Override
        void line(ChannelHandlerContext ctx, String line) {
            order.accept(line);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            complete.completeExceptionally(new IOException("the supervisor is gone"));
            orphaned.run();
        }
    }
}
