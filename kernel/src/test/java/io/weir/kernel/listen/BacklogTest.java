package io.weir.kernel.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.channel.Channel;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.TestKernel;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.settings.MuxerKind;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {
    @Test
    void whatFindsNoPlaceIsCountedAndWhatWaitsIsServed() throws Exception {
        try (TestKernel k = new TestKernel("muxer=auto")) {
            assumeThat(k.kernel.choice().kind()).isEqualTo(MuxerKind.EPOLL);
            Listener listener = k.kernel.open("short", Configs.listener("backlog=4"), k.echo);
            assertThat(k.stats.value(KernelStats.BACKLOG_LIMIT, "short")).isEqualTo(4);
            Channel socket = listener.sockets().getFirst();
            socket.eventLoop().submit(() -> socket.config().setAutoRead(false)).sync();
            List<SocketChannel> clients = new ArrayList<>();
            try {
                // Linux queues one more than configured
                for (int i = 0; i < 5; i++) {
                    clients.add(SocketChannel.open(listener.address()));
                }
                assertThat(k.stats.value(KernelStats.BACKLOG_LENGTH, "short")).isEqualTo(5);
                assertThat(k.stats.value(KernelStats.BACKLOG_DROPS, "short")).isZero();
                clients.add(hopeless(listener.address()));
                Await.until("it is turned away", () -> k.stats.value(KernelStats.BACKLOG_DROPS, "short") > 0);
                socket.config().setAutoRead(true);
                Await.until("all are accepted", () -> listener.accepted() >= 5);
                assertThat(k.stats.value(KernelStats.BACKLOG_LENGTH, "short")).isZero();
            } finally {
                for (SocketChannel client : clients) {
                    client.close();
                }
            }
            long drops = k.stats.value(KernelStats.BACKLOG_DROPS, "short");
            listener.close();
            assertThat(k.stats.value(KernelStats.BACKLOG_DROPS, "short")).isEqualTo(drops);
            assertThat(k.stats.value(KernelStats.BACKLOG_LENGTH, "short")).isZero();
        }
    }

    private static SocketChannel hopeless(SocketAddress to) throws Exception {
        SocketChannel client = SocketChannel.open();
        client.configureBlocking(false);
        assertThat(client.connect(to)).isFalse();
        return client;
    }

    /** Of 128 places, which was the default, a burst of a hundredth of a second takes all. */
    @Test
    void theDefaultHoldsWhatTheSystemAllows() throws Exception {
        try (TestKernel k = new TestKernel("muxer=auto")) {
            assumeThat(k.kernel.choice().kind()).isEqualTo(MuxerKind.EPOLL);
            // such files give all in one reading, or nothing more
            long allowed = Long.parseLong(
                    Files.readAllLines(Path.of("/proc/sys/net/core/somaxconn")).getFirst());
            assertThat(k.stats.value(KernelStats.BACKLOG_LIMIT, "echo")).isEqualTo(Math.min(4096, allowed));
        }
    }
}
