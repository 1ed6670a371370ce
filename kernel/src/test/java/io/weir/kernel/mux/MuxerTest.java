package io.weir.kernel.mux;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelOption;
import io.weir.base.Stats;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.EchoProtocol;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.MuxerKind;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MuxerTest {
    private static List<String> threadDump() {
        return Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(false, false))
                .map(t -> t.getThreadName())
                .toList();
    }

    @Test
    void theNativeMuxerLoadsOnThisLinux() throws Exception {
        try (TestKernel k = new TestKernel()) {
            assertThat(k.kernel.choice().kind()).isEqualTo(MuxerKind.EPOLL);
            assertThat(k.kernel.choice().fellBack()).isFalse();
            assertThat(k.log.count(KernelMessages.MUXER_FALLBACK)).isZero();
            assertThat(k.log.count(KernelMessages.NATIVE_IO)).isOne();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io_uring", "nio"})
    void everyMuxerEchoes(String muxer) throws Exception {
        try (TestKernel k = new TestKernel("muxer=" + muxer);
                LineClient c = k.client()) {
            assertThat(k.kernel.choice().requested().spelling()).isEqualTo(muxer);
            assertThat(c.ask("hello")).isEqualTo("hello");
            assertThat(c.ask("again")).isEqualTo("again");
            assertThat(k.echo.connections().getFirst().channel().config().getOption(ChannelOption.TCP_NODELAY))
                    .as("without Nagle's delay")
                    .isTrue();
        }
    }

    @Test
    void threadDumpShowsTheNamesThatWebLogicPeopleLookFor() throws Exception {
        try (TestKernel k = new TestKernel("socket-readers=2")) {
            assertThat(threadDump())
                    .contains(
                            "ExecuteThread: '0' for queue: 'weir.socket.Muxer (epoll)'",
                            "ExecuteThread: '1' for queue: 'weir.socket.Muxer (epoll)'",
                            "ExecuteThread: '0' for queue: 'weir.work.default'",
                            "DynamicListenThread[echo]");
            assertThat(k.kernel.muxers().all()).hasSize(2);
        }
    }

    @Test
    void secondKernelHasItsOwnThreads() throws Exception {
        try (TestKernel k = new TestKernel("socket-readers=1");
                Kernel admin = new Kernel(
                        new KernelParts(k.config, Map.of(), k.kernel.clock(), new Stats(), k.log, "weir.admin"))) {
            Listener l = admin.open("admin", Configs.listener(), new EchoProtocol(admin));
            assertThat(threadDump())
                    .contains(
                            "ExecuteThread: '0' for queue: 'weir.admin.socket.Muxer (epoll)'",
                            "DynamicListenThread[admin]");
            // The first kernel's only muxer hangs; the second kernel answers all the same.
            CountDownLatch hang = new CountDownLatch(1);
            k.kernel.muxers().get(0).eventLoop().execute(() -> awaitQuietly(hang));
            try (LineClient c = LineClient.to(l)) {
                assertThat(c.ask("alive")).isEqualTo("alive");
            } finally {
                hang.countDown();
            }
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void connectionsGoToTheLeastLoadedMuxerAndStay() throws Exception {
        try (TestKernel k = new TestKernel("socket-readers=3")) {
            List<LineClient> clients = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                LineClient c = k.client();
                clients.add(c);
                c.ask("x");
            }
            assertThat(k.kernel.muxers().all()).extracting(Muxer::connections).containsExactly(3, 3, 3);
            // Free two places on one muxer only: round robin would not fill exactly these.
            List<Connection> onFirst = k.echo.connections().stream()
                    .filter(c -> c.muxer().index() == 0)
                    .toList();
            onFirst.get(0).close();
            onFirst.get(1).close();
            Await.until("two closed", () -> k.kernel.connections() == 7);
            clients.add(k.client());
            clients.getLast().ask("x");
            clients.add(k.client());
            clients.getLast().ask("x");
            assertThat(k.kernel.muxers().all()).extracting(Muxer::connections).containsExactly(3, 3, 3);
            assertThat(k.echo.connections().getLast().channel().eventLoop())
                    .isSameAs(k.kernel.muxers().get(0).eventLoop());
            for (LineClient c : clients) {
                c.close();
            }
        }
    }
}
