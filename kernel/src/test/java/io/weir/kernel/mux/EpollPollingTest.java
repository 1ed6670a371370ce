package io.weir.kernel.mux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What epoll says of a descriptor is for the socket that had it then. The taking back is tested with a proxy's clients. */
class EpollPollingTest {
    private static final int TRIES = 100;

    private EventLoopGroup loop;
    private ServerSocket server;

    @BeforeEach
    void open() throws Exception {
        assumeThat(Epoll.isAvailable()).isTrue();
        loop = new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.polling());
        server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws Exception {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        server.close();
    }

    private ChannelFuture connect(ChannelInboundHandlerAdapter handler) {
        return new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .handler(handler)
                .connect(server.getInetAddress(), server.getLocalPort());
    }

    /** One event closes the second socket and connects a third, which gets its number, before the second's own event. */
    private boolean aNumberIsReused() throws Exception {
        AtomicReference<UnixChannel> second = new AtomicReference<>();
        CompletableFuture<ChannelFuture> third = new CompletableFuture<>();
        CompletableFuture<Boolean> reused = new CompletableFuture<>();
        CompletableFuture<Throwable> fault = new CompletableFuture<>();
        UnixChannel first = (UnixChannel) connect(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object msg) {
                        ReferenceCountUtil.release(msg);
                        int number = second.get().fd().intValue();
                        var _ = second.get().close();
                        ChannelFuture connecting = connect(new ChannelInboundHandlerAdapter() {
                            @Override
                            public void exceptionCaught(ChannelHandlerContext c, Throwable cause) {
                                fault.complete(cause);
                            }
                        });
                        reused.complete(
                                ((UnixChannel) connecting.channel()).fd().intValue() == number);
                        third.complete(connecting);
                    }
                })
                .sync()
                .channel();
        try (Socket toFirst = server.accept()) {
            second.set((UnixChannel)
                    connect(new ChannelInboundHandlerAdapter()).sync().channel());
            Socket toSecond = server.accept();
            CountDownLatch sent = new CountDownLatch(1);
            CountDownLatch held = new CountDownLatch(1);
            loop.execute(() -> {
                held.countDown();
                try {
                    sent.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            held.await();
            toFirst.getOutputStream().write(1);
            toSecond.close();
            sent.countDown();
            ChannelFuture connecting = third.get(3, TimeUnit.MINUTES);
            assertThat(connecting.await(3, TimeUnit.MINUTES)).isTrue();
            assertThat(connecting.cause()).isNull();
            Socket toThird = server.accept();
            // the loop has handled the batch, and the connection works
            loop.submit(() -> {}).sync();
            assertThat(connecting.channel().isActive()).isTrue();
            assertThat(fault).isNotDone();
            toThird.close();
            assertThat(connecting.channel().closeFuture().await(3, TimeUnit.MINUTES))
                    .isTrue();
            return reused.get();
        } finally {
            first.close().sync();
        }
    }

    @Test
    void aNewSocketDoesNotHearOfTheOneThatHadItsNumberBefore() throws Exception {
        int reused = 0;
        for (int i = 0; i < TRIES && reused < 10; i++) {
            reused += aNumberIsReused() ? 1 : 0;
        }
        assertThat(reused).as("times that a number was reused").isPositive();
    }
}
