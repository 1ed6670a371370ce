package io.weir.kernel.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.LogMessage;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.EchoProtocol;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.LineClient;
import io.weir.kernel.mux.Transport;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens on an acceptor's thread, accepting goes on. */
class AcceptorFaultsTest {
    private static Error unloadable() {
        return new NoClassDefFoundError("io/weir/Anything (Too many open files)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io_uring", "nio"})
    void anErrorWhileAcceptingIsPausedForEvenWhenItCannotBeLogged(String muxer) throws Exception {
        Log broken = new Log() {
            @Override
            public boolean wants(LogMessage message) {
                return true;
            }

            @Override
            public void log(LogMessage message, Object... arguments) {
                if (message == KernelMessages.NO_DESCRIPTORS) {
                    throw unloadable();
                }
            }
        };
        Stats stats = new Stats();
        try (Kernel kernel = new Kernel(new KernelParts(
                new Live<>(Configs.kernel("muxer=" + muxer)), Map.of(), SystemClock.INSTANCE, stats, broken))) {
            Listener listener = kernel.open("echo", Configs.listener(), new EchoProtocol(kernel));
            Channel socket = listener.sockets().getFirst();
            for (int i = 1; i <= 2; i++) {
                int n = i;
                socket.pipeline().fireExceptionCaught(unloadable());
                Await.until("paused", () -> stats.value(KernelStats.ACCEPT_PAUSES, "echo") == n);
                try (LineClient c = LineClient.to(listener)) {
                    assertThat(c.ask("patient")).isEqualTo("patient");
                }
                // io_uring may accept one more after the pause began; a fault within a pause is not counted
                Await.until("accepting again", socket.config()::isAutoRead);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void anErrorInPollingDoesNotEndTheThread(Transport transport) throws Exception {
        Stats stats = new Stats();
        RecordingLog log = new RecordingLog();
        AcceptorFaults faults = new AcceptorFaults("echo", log, stats.counter(KernelStats.ACCEPT_PAUSES, "echo"));
        AtomicInteger errors = new AtomicInteger();
        IoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(
                1, new AcceptorThreads("echo"), SteadyPolling.of(failing(transport.polling(), errors), faults));
        CountDownLatch accepted = new CountDownLatch(4);
        try {
            Channel socket = new ListeningSockets(transport, "echo", Configs.listener(), log)
                    .bind(loops, 1)
                    .getFirst();
            faults.watch(List.of(socket));
            socket.pipeline().addLast(new Dropping(accepted));
            socket.config().setAutoRead(true);
            for (int i = 0; i < 4; i++) {
                errors.set(2);
                LineClient.to((InetSocketAddress) socket.localAddress()).leave();
                Await.until("the errors are over", () -> errors.get() <= 0);
            }
            assertThat(accepted.await(3, TimeUnit.MINUTES)).isTrue();
            assertThat(loops.isShuttingDown()).isFalse();
            assertThat(stats.value(KernelStats.ACCEPT_PAUSES, "echo")).isEqualTo(8);
            assertThat(log.count(KernelMessages.NO_DESCRIPTORS)).isEqualTo(8);
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
        }
    }

    /** Takes what is accepted and closes it. */
    private static final class Dropping extends ChannelInboundHandlerAdapter {
        private final CountDownLatch accepted;

        Dropping(CountDownLatch accepted) {
            this.accepted = accepted;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((Channel) message).unsafe().closeForcibly();
            accepted.countDown();
        }
    }

    /** Polling that fails after its work while there are errors left: what it had ready was handled or is lost. */
    private static IoHandlerFactory failing(IoHandlerFactory factory, AtomicInteger errors) {
        return executor -> {
            IoHandler real = factory.newHandler(executor);
            return new IoHandler() {
                @Override
                public int run(IoHandlerContext context) {
                    if (errors.get() > 0) {
                        errors.decrementAndGet();
                        throw unloadable();
                    }
                    return real.run(context);
                }

                @Override
                public void initialize() {
                    real.initialize();
                }

                @Override
                public IoRegistration register(IoHandle handle) throws Exception {
                    return real.register(handle);
                }

                @Override
                public boolean isCompatible(Class<? extends IoHandle> type) {
                    return real.isCompatible(type);
                }

                @Override
                public void wakeup() {
                    real.wakeup();
                }

                @Override
                public void prepareToDestroy() {
                    real.prepareToDestroy();
                }

                @Override
                public void destroy() {
                    real.destroy();
                }
            };
        };
    }
}
