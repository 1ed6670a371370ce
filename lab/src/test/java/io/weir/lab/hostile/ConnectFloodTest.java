package io.weir.lab.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Clock;
import io.weir.base.SystemClock;
import io.weir.lab.load.ProcessFacts;
import io.weir.lab.process.Await;
import io.weir.lab.process.Servers;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connections that come and go as fast as loopback carries them, from many addresses: whoever is connected goes on being
 * answered, so is the operator, and nothing is left behind.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectFloodTest {
    private static final int ADDRESSES = 64;

    @TempDir
    static Path folder = Path.of("");

    private final Clock clock = SystemClock.INSTANCE;

    @Test
    void othersAreAnsweredAndNothingIsLeftBehind() throws Exception {
        flood(1, 1500, 512);
    }

    /** Full rate: the machine's, which is printed; 100,000 a second want more processors than two. */
    @Test
    @Tag("nightly")
    void forHalfAMinute() throws Exception {
        flood(4, 30_000, 65_536);
    }

    private void flood(int threads, long millis, int descriptors) throws Exception {
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  http: {address: 0.0.0.0, port: 0, backlog: 65535}
                admin: {port: 0}
                proxy: {routes: [{path: /, respond: {status: 200, body: ok}}]}
                """);
        try (ProcessLauncher.Running weir = Servers.launcher()
                .withDescriptors(descriptors)
                .start(config, folder.resolve("data-" + millis), List.of())) {
            Counters counters = new Counters(weir.port("admin"), clock);
            try (Client kept = new Client(weir.port("http"))) {
                ok(kept);
                double before = counters.read().sum("weir_listener_accepted_total", "");
                long open = ProcessFacts.descriptors(weir.pid());
                AtomicLong connects = new AtomicLong();
                CountDownLatch end = new CountDownLatch(1);
                List<Thread> attackers = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    attackers.add(Thread.ofPlatform().start(() -> connect(weir.port("http"), connects, end)));
                }
                int answered = 0;
                int told = 0;
                for (long begun = clock.millis(); clock.millis() - begun < millis; answered++) {
                    ok(kept);
                    if (answered % 100 == 0) {
                        assertThat(counters.read().knows("weir_listener_accept_pauses_total"))
                                .isTrue();
                        told++;
                    }
                }
                end.countDown();
                for (Thread attacker : attackers) {
                    attacker.join();
                }
                System.out.printf(
                        "%d connects, %d answers and %d readings of the counters meanwhile in %d ms%n",
                        connects.get(), answered, told, millis);
                assertThat(connects.get()).isGreaterThan(1000);
                assertThat(answered).isGreaterThan(100);
                Await.until(
                        "every descriptor is given back",
                        () -> open + " were open before",
                        () -> ProcessFacts.descriptors(weir.pid()) <= open);
                assertThat(counters.read().sum("weir_listener_accepted_total", "") - before)
                        .isPositive();
                ok(kept);
            }
        }
    }

    private static void ok(Client client) throws IOException {
        List<Client.Answer> answers = new ArrayList<>();
        client.send(Client.get("/", ""));
        client.answer(answers, false);
        assertThat(answers).containsExactly(new Client.Answer("200", "", "ok"));
    }

    private static void connect(int port, AtomicLong connects, CountDownLatch end) {
        for (int i = 0; end.getCount() > 0; i++) {
            try (SocketChannel channel = SocketChannel.open()) {
                // a reset leaves no port in TIME_WAIT; a quarter of them ends in order
                channel.setOption(StandardSocketOptions.SO_LINGER, i % 4 == 0 ? -1 : 0);
                InetAddress from = InetAddress.getByAddress(new byte[] {127, 1, 0, (byte) (1 + i % ADDRESSES)});
                channel.bind(new InetSocketAddress(from, 0));
                channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                connects.incrementAndGet();
            } catch (IOException e) {
                // no port or no descriptor is free at the moment: the flood goes on
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }
}
