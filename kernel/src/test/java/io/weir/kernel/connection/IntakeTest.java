package io.weir.kernel.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.weir.base.SteppedClock;
import io.weir.kernel.Await;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntakeTest {
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io_uring", "nio"})
    void overTheLimitTheOldestIdleConnectionIsFlushed(String muxer) throws Exception {
        try (TestKernel k = new TestKernel("muxer=" + muxer, "max-connections=2", "socket-readers=2");
                LineClient a = k.client();
                LineClient b = k.client()) {
            a.ask("a");
            Await.until("a parked", () -> k.echo.parked() == 1);
            b.ask("b");
            Await.until("b parked", () -> k.echo.parked() == 2);
            try (LineClient c = k.client()) {
                assertThat(c.ask("c")).isEqualTo("c");
                assertThat(a.end()).isEqualTo("closed");
                assertThat(k.kernel.keepAlive().flushes()).isOne();
                assertThat(k.stats.value(KernelStats.OVERFLOWED)).isZero();
                assertThat(b.ask("b stays")).isEqualTo("b stays");
                Await.until("two are open", () -> k.kernel.connections() == 2);
            }
        }
    }

    @Test
    void whereNoneIsIdleTheNewConnectionIsClosedAndCounted() throws Exception {
        try (TestKernel k = new TestKernel("max-connections=2");
                LineClient a = k.client();
                LineClient b = k.client()) {
            a.send("hold a");
            b.send("hold b");
            Await.until("both are handled", () -> k.echo.held() == 2);
            try (LineClient c = k.client()) {
                assertThat(c.end()).isIn("closed", "reset");
            }
            assertThat(k.stats.value(KernelStats.OVERFLOWED)).isOne();
            assertThat(k.log.count(KernelMessages.OVERFLOW)).isOne();
            assertThat(k.kernel.keepAlive().flushes()).isZero();
            k.echo.release();
            k.echo.release();
            assertThat(a.receive()).isEqualTo("hold a");
            assertThat(b.receive()).isEqualTo("hold b");
            a.leave();
            Await.until("a is gone", () -> k.kernel.connections() == 1);
            try (LineClient d = k.client()) {
                assertThat(d.ask("d")).isEqualTo("d");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io_uring", "nio"})
    void oneAddressHoldsItsShareOnly(String muxer) throws Exception {
        try (TestKernel k = new TestKernel("muxer=" + muxer, "max-connections-per-address=2");
                LineClient a = k.client();
                LineClient b = k.client()) {
            assertThat(a.ask("a")).isEqualTo("a");
            assertThat(b.ask("b")).isEqualTo("b");
            try (LineClient c = k.client()) {
                assertThat(c.end()).isIn("closed", "reset");
            }
            assertThat(k.stats.value(KernelStats.REFUSED_ADDRESS)).isOne();
            a.leave();
            Await.until("a is gone", () -> k.kernel.connections() == 1);
            try (LineClient d = k.client()) {
                assertThat(d.ask("d")).isEqualTo("d");
            }
            b.leave();
            Await.until(
                    "nothing is kept of the address",
                    () -> k.kernel.intake().addresses().size() == 0);
        }
    }

    @Test
    void ipv6ClientsAreCountedByTheirNetwork() throws Exception {
        Addresses addresses = new Addresses();
        assertThat(addresses.admit(InetAddress.getByName("2001:db8:1:2::1"), 1)).isTrue();
        assertThat(addresses.admit(InetAddress.getByName("2001:db8:1:2::ffff"), 1))
                .isFalse();
        assertThat(addresses.admit(InetAddress.getByName("2001:db8:1:3::1"), 1)).isTrue();
        assertThat(addresses.admit(InetAddress.getByName("192.0.2.1"), 1)).isTrue();
        assertThat(addresses.admit(InetAddress.getByName("192.0.2.2"), 1)).isTrue();
        assertThat(addresses.admit(InetAddress.getByName("192.0.2.1"), 1)).isFalse();
    }

    @Test
    void clientThatSendsNothingIsClosedAfterTheAcceptTimeOut() throws Exception {
        SteppedClock clock = new SteppedClock(0);
        try (TestKernel k = new TestKernel(clock, Map.of(), "accept-time-out=30s");
                LineClient silent = k.client();
                LineClient speaks = k.client()) {
            speaks.send("hold");
            Await.until("one is handled, one is waited for", () -> k.echo.held() == 1 && k.awaited() == 1);
            clock.step(Duration.ofSeconds(31));
            assertThat(silent.end()).isEqualTo("closed");
            assertThat(k.stats.value(KernelStats.ACCEPT_TIMEOUTS)).isOne();
            k.echo.release();
            assertThat(speaks.receive()).isEqualTo("hold");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io_uring", "nio"})
    void withoutDescriptorsTheAcceptorPausesAndGoesOn(String muxer) throws Exception {
        try (TestKernel k = new TestKernel("muxer=" + muxer)) {
            Channel socket = k.listener.sockets().getFirst();
            IOException none = new IOException("accept(..) failed with error(-24): Too many open files");
            socket.pipeline().fireExceptionCaught(none);
            socket.pipeline().fireExceptionCaught(none);
            Await.until("paused", () -> !socket.config().isAutoRead());
            assertThat(k.log.count(KernelMessages.NO_DESCRIPTORS)).isOne();
            assertThat(k.stats.value(KernelStats.ACCEPT_PAUSES, "echo")).isOne();
            // Connections made in the meantime wait in the backlog and are served after the pause.
            try (LineClient c = k.client()) {
                assertThat(c.ask("patient")).isEqualTo("patient");
            }
            Await.until("accepting again", () -> socket.config().isAutoRead());
            assertThat(k.stats.value(KernelStats.ACCEPT_PAUSES, "echo")).isOne();
        }
    }

    /** Else a flood of connections takes all that muxers have, and nobody who is connected is heard. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void acceptorsWaitForMuxersThatAreBehind(String muxer) throws Exception {
        try (TestKernel k = new TestKernel("muxer=" + muxer, "socket-readers=1");
                LineClient kept = k.client()) {
            assertThat(kept.ask("a")).isEqualTo("a");
            assertThat(k.stats.value(KernelStats.ACCEPT_WAITS, "echo")).isZero();
            CountDownLatch free = new CountDownLatch(1);
            k.kernel.muxers().get(0).eventLoop().execute(() -> {
                try {
                    free.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            List<LineClient> crowd = new ArrayList<>();
            try {
                for (int i = 0; i < 80; i++) {
                    crowd.add(k.client());
                }
                Await.until("the acceptor waits", () -> k.stats.value(KernelStats.ACCEPT_WAITS, "echo") > 0);
                assertThat(k.kernel.muxers().get(0).arriving()).isGreaterThanOrEqualTo(64);
                // a muxer that hangs does not end accepting
                Await.until("all are accepted nevertheless", () -> k.listener.accepted() == 81);
                free.countDown();
                Await.until("all are taken", () -> k.kernel.muxers().get(0).arriving() == 0);
                assertThat(kept.ask("b")).isEqualTo("b");
                assertThat(crowd.getLast().ask("c")).isEqualTo("c");
            } finally {
                free.countDown();
                for (LineClient c : crowd) {
                    c.close();
                }
            }
        }
    }
}
