package io.weir.kernel.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SteppedClock;
import io.weir.base.SystemClock;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.tls.TestAuthority;
import io.weir.kernel.tls.TlsConfig;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listeners that come, go and change while others serve. */
@Tag("slow")
class ListenerChangeTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path folder = Path.of("");

    private static ListenerConfig at(int port, String... more) {
        String[] all = new String[more.length + 1];
        all[0] = "port=" + port;
        System.arraycopy(more, 0, all, 1, more.length);
        return Configs.bind(ListenerConfig.class, all);
    }

    private static ListenerChange prepare(TestKernel k, Map<String, ListenerConfig> next) throws BindFailure {
        return k.kernel.prepare(next, _ -> k.echo);
    }

    private static Map<String, ListenerConfig> with(TestKernel k, String name, ListenerConfig config) {
        Map<String, ListenerConfig> all = new LinkedHashMap<>();
        k.kernel.listeners().forEach(l -> all.put(l.name(), l.config()));
        all.put(name, config);
        return all;
    }

    private static Listener named(TestKernel k, String name) {
        return k.kernel.listeners().stream()
                .filter(l -> l.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> labels(TestKernel k) {
        return k.stats.samples().stream()
                .filter(s -> s.spec().labels().contains("listener"))
                .map(s -> s.labels().getFirst())
                .distinct()
                .toList();
    }

    @Test
    void newOneIsBoundWhenReadyAndAcceptsOnceItBegins() throws Exception {
        try (TestKernel k = new TestKernel()) {
            ListenerChange change = prepare(k, with(k, "more", Configs.listener()));
            assertThat(change.nothing()).isFalse();
            assertThat(k.kernel.listeners()).containsExactly(k.listener);
            change.begin(LONG);
            try (LineClient c = LineClient.to(named(k, "more"))) {
                assertThat(c.ask("x")).isEqualTo("x");
            }
            assertThat(k.stats.value(KernelStats.ACCEPTED, "more")).isOne();
            try (LineClient c = k.client()) {
                assertThat(c.ask("y")).isEqualTo("y");
            }
        }
    }

    @Test
    void oneThatCannotBeBoundLeavesAllAsItWas() throws Exception {
        try (TestKernel k = new TestKernel();
                TestKernel other = new TestKernel()) {
            Map<String, ListenerConfig> next = new LinkedHashMap<>();
            next.put("first", Configs.listener());
            next.put("second", at(other.listener.address().getPort()));
            assertThatThrownBy(() -> prepare(k, next))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("channel \"second\"")
                    .hasMessageContaining("already in use");
            assertThat(k.kernel.listeners()).containsExactly(k.listener);
            assertThat(labels(k)).containsExactly("echo");
            try (LineClient c = k.client()) {
                assertThat(c.ask("x")).isEqualTo("x");
            }
            ListenerChange change = prepare(k, Map.of("third", Configs.listener()));
            change.cancel();
            assertThat(labels(k)).containsExactly("echo");
            try (LineClient c = k.client()) {
                assertThat(c.ask("x")).isEqualTo("x");
            }
        }
    }

    @Test
    void oneThatGoesAcceptsNoMoreAndItsAnswersSayClose() throws Exception {
        SteppedClock clock = new SteppedClock(0);
        try (TestKernel k = new TestKernel(clock, Map.of(), "keep-alive.timeout=300s", "accept-time-out=1h")) {
            prepare(k, with(k, "more", Configs.listener())).begin(LONG);
            Listener more = named(k, "more");
            try (LineClient asks = LineClient.to(more);
                    LineClient idles = LineClient.to(more);
                    LineClient holds = LineClient.to(more);
                    LineClient stays = k.client()) {
                asks.ask("x");
                idles.ask("x");
                stays.ask("x");
                holds.send("hold on");
                Await.until("one holds", () -> k.echo.held() == 1 && k.echo.parked() == 3);
                prepare(k, Map.of("echo", k.listener.config())).begin(LONG);
                // armed after the step of the clock, its time-outs would wait for another one
                k.kernel.muxers().get(0).eventLoop().submit(() -> {}).sync();
                assertThatThrownBy(() -> LineClient.to(more)).isInstanceOf(ConnectException.class);
                assertThat(asks.ask("once more")).isEqualTo("once more close");
                assertThat(asks.end()).isEqualTo("closed");
                clock.step(Duration.ofSeconds(31));
                assertThat(idles.end()).as("after half of the time").isEqualTo("closed");
                assertThat(labels(k)).contains("more");
                clock.step(Duration.ofSeconds(31));
                assertThat(holds.end()).as("after the whole time").isEqualTo("reset");
                Await.until("drained", () -> k.log.count(KernelMessages.LISTENER_DRAINED) == 1);
                Await.until("forgotten", () -> labels(k).equals(List.of("echo")));
                assertThat(k.stats.value(KernelStats.DRAIN_RESET)).isOne();
                assertThat(stays.ask("still")).isEqualTo("still");
            }
        }
    }

    @Test
    void theTimeOfOneThatGoesRunsFromTheChangeHoweverBusyAMuxerIs() throws Exception {
        SteppedClock clock = new SteppedClock(0);
        CountDownLatch busy = new CountDownLatch(1);
        try (TestKernel k = new TestKernel(clock, Map.of(), "keep-alive.timeout=300s", "accept-time-out=1h")) {
            prepare(k, with(k, "more", Configs.listener())).begin(LONG);
            try (LineClient idles = LineClient.to(named(k, "more"))) {
                idles.ask("x");
                ListenerChange goes = prepare(k, Map.of("echo", k.listener.config()));
                var _ = k.kernel.muxers().get(0).eventLoop().submit(() -> {
                    busy.await();
                    return null;
                });
                goes.begin(LONG);
                clock.step(Duration.ofSeconds(31));
                busy.countDown();
                k.kernel.muxers().get(0).eventLoop().submit(() -> {}).sync();
                clock.step(Duration.ofSeconds(1));
                assertThat(idles.end()).as("after half of the time").isEqualTo("closed");
            } finally {
                busy.countDown();
            }
        }
    }

    @Test
    void changedOneTakesTheSocketOverAndTurnsNobodyAway() throws Exception {
        try (TestKernel k = new TestKernel()) {
            prepare(k, with(k, "more", Configs.listener())).begin(LONG);
            InetSocketAddress address = named(k, "more").address();
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger served = new AtomicInteger();
            Queue<String> failures = new ConcurrentLinkedQueue<>();
            Thread load = Thread.ofPlatform().start(() -> {
                while (!over.get()) {
                    try (LineClient c = LineClient.to(address)) {
                        String answer = c.ask("x");
                        served.incrementAndGet();
                        if (!answer.startsWith("x")) {
                            failures.add(answer);
                        }
                    } catch (IOException e) {
                        failures.add(e.toString());
                    }
                }
            });
            for (int i = 1; i <= 10; i++) {
                int before = served.get();
                Listener old = named(k, "more");
                prepare(k, with(k, "more", Configs.listener("backlog=" + (200 + i), "acceptors=" + (1 + i % 2))))
                        .begin(LONG);
                assertThat(named(k, "more")).isNotSameAs(old);
                assertThat(named(k, "more").address()).isEqualTo(address);
                Await.until("served by the new one", () -> served.get() > before + 5);
            }
            over.set(true);
            load.join();
            assertThat(failures).isEmpty();
            Listener same = named(k, "more");
            ListenerChange limits =
                    prepare(k, with(k, "more", Configs.listener("backlog=210", "acceptors=1", "limits.connections=5")));
            assertThat(limits.nothing()).as("limits make no new listener").isTrue();
            limits.begin(LONG);
            assertThat(named(k, "more")).isSameAs(same);
            assertThat(same.config().limits().connections()).isEqualTo(5);
        }
    }

    @Test
    void oneThatGoesWhileItsLastConnectionEndsIsOver() throws Exception {
        try (TestKernel k = new TestKernel()) {
            CyclicBarrier both = new CyclicBarrier(2);
            int rounds = 3000;
            Thread ends = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < rounds; i++) {
                        both.await();
                        k.listener.closedOne();
                        both.await();
                    }
                } catch (InterruptedException | BrokenBarrierException e) {
                    throw new IllegalStateException(e);
                }
            });
            int missed = 0;
            for (int i = 0; i < rounds; i++) {
                k.listener.opened();
                AtomicInteger over = new AtomicInteger();
                both.await();
                k.listener.whenEmpty(over::incrementAndGet);
                both.await();
                missed += over.get() > 0 ? 0 : 1;
            }
            ends.join();
            assertThat(missed).isZero();
        }
    }

    @Test
    void twoMaySwapTheirPorts() throws Exception {
        try (TestKernel free = new TestKernel();
                TestKernel k = new TestKernel()) {
            int a = free.listener.address().getPort();
            free.listener.close();
            prepare(k, with(k, "a", at(a))).begin(LONG);
            try (TestKernel second = new TestKernel()) {
                int b = second.listener.address().getPort();
                second.listener.close();
                prepare(k, with(k, "b", at(b))).begin(LONG);
                Map<String, ListenerConfig> swapped = with(k, "a", at(b));
                swapped.put("b", at(a));
                prepare(k, swapped).begin(LONG);
                k.echo.answerWith(c -> " at " + c.listener().name());
                try (LineClient c = LineClient.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), a))) {
                    assertThat(c.ask("x")).isEqualTo("x at b");
                }
                assertThat(named(k, "a").address().getPort()).isEqualTo(b);
                assertThatThrownBy(() -> prepare(k, with(k, "a", at(b, "address=0.0.0.0"))))
                        .as("the other address has the port while it is open")
                        .hasMessageContaining("take it away in a change of its own");
            }
        }
    }

    @Test
    void oneWithTlsGoesWithItsCertificates() throws Exception {
        TestAuthority authority = new TestAuthority(folder);
        SteppedClock clock = new SteppedClock(SystemClock.INSTANCE.millis());
        try (TestKernel k = new TestKernel(clock, Map.of())) {
            ListenerConfig secure =
                    TestAuthority.with(TlsConfig.Provider.BORINGSSL, List.of(), authority.pem("a.example"));
            ListenerChange not = prepare(k, with(k, "secure", secure));
            not.cancel();
            assertThat(labels(k)).containsExactly("echo");
            prepare(k, with(k, "secure", secure)).begin(LONG);
            try (SSLSocket s = TestAuthority.connect(
                            authority.context(), named(k, "secure").address(), "a.example");
                    LineClient c = new LineClient(s)) {
                assertThat(c.ask("x")).isEqualTo("x");
                prepare(k, Map.of("echo", k.listener.config())).begin(LONG);
                assertThat(c.ask("y")).isEqualTo("y close");
            }
            Await.until("forgotten", () -> labels(k).equals(List.of("echo")));
        }
    }
}
