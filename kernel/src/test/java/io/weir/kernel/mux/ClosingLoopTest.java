package io.weir.kernel.mux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.IoEventLoopGroup;
import io.weir.kernel.work.ExecuteThreads;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosingLoopTest {
    /** Closes later, as HTTP/2 does, and knows whether it heard of the end. */
    private static final class Later extends ChannelDuplexHandler {
        private final CountDownLatch ended = new CountDownLatch(1);

        @Override
        public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
            Runnable late = () -> {
                var _ = ctx.close(promise);
            };
            var _ = ctx.executor().schedule(late, 1, TimeUnit.HOURS);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            ended.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void whatIsOpenIsClosedWhereTheEndIsToldWhileATaskRuns(Transport transport) throws Exception {
        assumeThat(transport.unavailable()).isNull();
        IoEventLoopGroup loops = ClosingLoop.group(1, new ExecuteThreads("closing", 0), transport.polling());
        Later handler = new Later();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel channel = new Bootstrap()
                    .group(loops)
                    .channelFactory(transport.client())
                    .handler(handler)
                    .connect(server.getLocalSocketAddress())
                    .sync()
                    .channel();
            CountDownLatch runs = new CountDownLatch(1);
            loops.next().execute(() -> {
                var _ = channel.close();
                runs.countDown();
                while (!loops.isShuttingDown()) {
                    Thread.onSpinWait();
                }
            });
            runs.await();
            assertThat(loops.shutdownGracefully(0, 60, TimeUnit.SECONDS).await(1, TimeUnit.MINUTES))
                    .isTrue();
            assertThat(channel.isOpen()).isFalse();
            assertThat(handler.ended.getCount()).isZero();
        }
    }
}
