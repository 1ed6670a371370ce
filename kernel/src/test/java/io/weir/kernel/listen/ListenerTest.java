package io.weir.kernel.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.RecordingLog;
import io.weir.base.SteppedClock;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.connection.Session;
import io.weir.kernel.connection.SessionStatus;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.settings.MuxerKind;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenerTest {
    @Test
    void saysWhereItListensInTheSeedsWords() throws Exception {
        try (TestKernel k = new TestKernel()) {
            RecordingLog.Entry said = k.log.entries().stream()
                    .filter(e -> e.message() == KernelMessages.LISTENING)
                    .findFirst()
                    .orElseThrow();
            assertThat(said.message().id()).isEqualTo(2613);
            assertThat(said.message().text()).isEqualTo("Channel \"{}\" is now listening on {}:{} for protocols {}.");
            assertThat(said.arguments())
                    .isEqualTo(List.of("echo", "127.0.0.1", k.listener.address().getPort(), "echo"));
        }
    }

    @Test
    void takenPortIsSaidWithPlaceAndRemedy() throws Exception {
        try (TestKernel k = new TestKernel()) {
            int taken = k.listener.address().getPort();
            assertThatThrownBy(
                            () -> k.kernel.open("second", Configs.bind(ListenerConfig.class, "port=" + taken), k.echo))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("channel \"second\" on 127.0.0.1:" + taken)
                    .hasMessageContaining("already in use")
                    .hasMessageContaining("listeners.second.port");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io_uring", "nio"})
    void takenPortIsFoundEvenWithSeveralAcceptors(String muxer) throws Exception {
        try (TestKernel k = new TestKernel("muxer=" + muxer)) {
            int taken = k.listener.address().getPort();
            ListenerConfig c = Configs.bind(ListenerConfig.class, "port=" + taken, "acceptors=3");
            assertThatThrownBy(() -> k.kernel.open("second", c, k.echo)).isInstanceOf(BindFailure.class);
        }
    }

    @Test
    void addressOfAnotherMachineIsSaidWithRemedy() throws Exception {
        try (TestKernel k = new TestKernel()) {
            ListenerConfig c = Configs.listener("address=192.0.2.1");
            assertThatThrownBy(() -> k.kernel.open("far", c, k.echo))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("This machine has no such address");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void severalAcceptorsShareOneSocket(String muxer) throws Exception {
        try (TestKernel k = new TestKernel("muxer=" + muxer)) {
            Listener l = k.kernel.open("many", Configs.listener("acceptors=3"), k.echo);
            assertThat(l.acceptorThreads()).isEqualTo(3);
            assertThat(Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(false, false))
                            .map(t -> t.getThreadName()))
                    .contains(
                            "DynamicListenThread[many]",
                            "DynamicListenThread[many[1]]",
                            "DynamicListenThread[many[2]]");
            for (int i = 0; i < 20; i++) {
                try (LineClient c = LineClient.to(l)) {
                    assertThat(c.ask("x" + i)).isEqualTo("x" + i);
                }
            }
            assertThat(l.accepted()).isEqualTo(20);
            l.close();
            assertThatThrownBy(() -> LineClient.to(l)).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void ioUringSaysThatItHasOneAcceptor() throws Exception {
        try (TestKernel k = new TestKernel("muxer=io_uring")) {
            Listener l = k.kernel.open("one", Configs.listener("acceptors=2"), k.echo);
            boolean ring = k.kernel.choice().kind() == MuxerKind.IO_URING;
            assertThat(l.acceptorThreads()).isEqualTo(ring ? 1 : 2);
            assertThat(k.log.count(KernelMessages.SINGLE_ACCEPTOR)).isEqualTo(ring ? 1 : 0);
        }
    }

    @Test
    void closedListenerLeavesItsConnectionsOpen() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient c = k.client()) {
            assertThat(c.ask("before")).isEqualTo("before");
            k.listener.close();
            assertThatThrownBy(k::client).isInstanceOf(ConnectException.class);
            assertThat(c.ask("after")).isEqualTo("after");
        }
    }

    @Test
    void errorOfTheProtocolClosesItsConnectionOnlyAndIsCounted() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient bad = k.client();
                LineClient good = k.client()) {
            bad.send("throw");
            assertThat(bad.end()).isEqualTo("closed");
            assertThat(k.stats.value(KernelStats.CONNECTION_ERRORS, "protocol")).isOne();
            assertThat(k.log.count(KernelMessages.PROTOCOL_ERROR)).isOne();
            assertThat(good.ask("fine")).isEqualTo("fine");
        }
    }

    @Test
    void sessionsTableShowsWhatRunsAndNotWhatIdles() throws Exception {
        SteppedClock clock = new SteppedClock(0);
        try (TestKernel k = new TestKernel(clock, Map.of());
                LineClient first = k.client();
                LineClient second = k.client();
                LineClient idle = k.client()) {
            idle.ask("x");
            first.send("hold first");
            Await.until("first runs", () -> k.echo.held() == 1);
            clock.step(Duration.ofSeconds(3));
            second.send("hold second");
            Await.until("second runs", () -> k.echo.held() == 2);
            Await.until("one idles", () -> k.echo.parked() == 1);
            List<Session> rows = k.kernel.sessions().active();
            assertThat(rows).extracting(Session::uri).containsExactly("hold first", "hold second");
            assertThat(rows.getFirst())
                    .isEqualTo(new Session(
                            rows.getFirst().id(),
                            SessionStatus.PROCESSING,
                            "127.0.0.1",
                            Duration.ofSeconds(3),
                            "test",
                            "LINE",
                            "hold first",
                            ""));
            k.echo.release();
            k.echo.release();
            assertThat(first.receive()).isEqualTo("hold first");
            assertThat(second.receive()).isEqualTo("hold second");
            Await.until("all idle", () -> k.kernel.sessions().active().isEmpty());
            assertThat(k.kernel.sessions().size()).isEqualTo(3);
        }
    }
}
