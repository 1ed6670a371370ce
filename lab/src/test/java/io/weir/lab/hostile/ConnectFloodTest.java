package io.weir.lab.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Clock;
import io.weir.base.ConfigBinder;
import io.weir.base.SystemClock;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.lab.process.Await;
import io.weir.lab.process.Servers;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connections that come and go as fast as loopback carries them, from many addresses: whoever is connected goes on being
 * answered, so is the operator, and nothing is left behind.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class ConnectFloodTest {
    private static final int LEAST_ATTEMPTS = 20_000;
    private static final int LEAST_ANSWERS = 50;

    @TempDir
    static Path folder = Path.of("");

    private final Clock clock = SystemClock.INSTANCE;

    /** A backlog that overflows, and not many descriptors. */
    @Test
    void othersAreAnsweredAndNothingIsLeftBehind() throws Exception {
        flood(2, 0, 2048, 64);
    }

    /** The default backlog; the rate, which is printed, is what the machine gives. */
    @Test
    @Tag("nightly")
    void forHalfAMinute() throws Exception {
        flood(4, 30_000, 20_000, ConfigBinder.defaults(ListenerConfig.class).backlog());
    }

    private void flood(int threads, long millis, int descriptors, int backlog) throws Exception {
        Path config = Files.writeString(folder.resolve("weir-" + millis + ".yaml"), """
                listeners:
                  http: {address: 0.0.0.0, port: 0, backlog: %d}
                admin: {port: 0}
                # a reset may be lost in a flood
                kernel: {accept-time-out: 2s}
                proxy: {routes: [{path: /, respond: {status: 200, body: ok}}]}
                """.formatted(backlog));
        // what is not bounded ends this server
        try (ProcessLauncher.Running weir = Servers.launcher()
                        .withDescriptors(descriptors)
                        .withJvmOptions("-Xmx128m", "-XX:MaxDirectMemorySize=64m", "-XX:+ExitOnOutOfMemoryError")
                        .start(config, folder.resolve("data-" + millis), List.of());
                Client kept = new Client(weir.port("http"))) {
            Counters counters = new Counters(weir.port("admin"), clock);
            ok(kept);
            counters.read();
            long open = sockets(weir.pid());
            Sums before = Sums.of(counters);
            long begun = clock.millis();
            ConnectFlood flood = new ConnectFlood(weir.port("http"), threads);
            int answered = 0;
            try (flood) {
                while (answered < LEAST_ANSWERS
                        || flood.attempts() < LEAST_ATTEMPTS
                        || clock.millis() - begun < millis) {
                    ok(kept);
                    if (answered++ % 25 == 0) {
                        assertThat(counters.read().sum("weir_connections_open", ""))
                                .isLessThanOrEqualTo(counters.read().sum("weir_connections_limit", ""));
                    }
                }
            }
            long took = clock.millis() - begun;
            Sums flooded = Sums.of(counters);
            System.out.printf(
                    "%d attempts to connect in %d ms, %d connected; %s; %d requests answered meanwhile%n",
                    flood.attempts(), took, flood.connected.sum(), flooded.since(before), answered);
            assertThat(flood.failed.sum()).isZero();
            assertThat(flooded.accepted - before.accepted).isBetween(1.0, (double) flood.connected.sum());
            if (flood.unanswered.sum() > 0) {
                assertThat(flooded.dropped).isGreaterThan(before.dropped);
            }
            Await.until("every socket is given back", () -> open + " were open before", () -> {
                ok(kept);
                return sockets(weir.pid()) <= open;
            });
            for (int i = 0; i < 20; i++) {
                try (Client next = new Client(weir.port("http"))) {
                    ok(next);
                }
            }
            assertThat(Sums.of(counters).dropped).isGreaterThanOrEqualTo(flooded.dropped);
        }
    }

    /** Of its descriptors those that are sockets; its files come and go. */
    private static long sockets(long pid) throws IOException {
        long sockets = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc", String.valueOf(pid), "fd"))) {
            for (Path one : all) {
                sockets += isSocket(one) ? 1 : 0;
            }
        }
        return sockets;
    }

    private static boolean isSocket(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (NoSuchFileException e) {
            // closed meanwhile
            return false;
        }
    }

    /** What the server counts of connects. */
    private record Sums(double accepted, double dropped, double overflowed, double pauses) {
        static Sums of(Counters counters) throws IOException {
            Counters.Reading all = counters.read();
            return new Sums(
                    all.sum("weir_listener_accepted_total", "listener=\"http\""),
                    all.sum("weir_listener_backlog_drops_total", "listener=\"http\""),
                    all.sum("weir_connections_overflowed_total", ""),
                    all.sum("weir_listener_accept_pauses_total", ""));
        }

        String since(Sums before) {
            return "accepted %.0f, dropped for a full backlog %.0f, closed over max-connections %.0f, acceptor pauses %.0f"
                    .formatted(
                            accepted - before.accepted,
                            dropped - before.dropped,
                            overflowed - before.overflowed,
                            pauses - before.pauses);
        }
    }

    private static void ok(Client client) throws IOException {
        List<Client.Answer> answers = new ArrayList<>();
        client.send(Client.get("/", ""));
        client.answer(answers, false);
        assertThat(answers).containsExactly(new Client.Answer("200", "", "ok"));
    }
}
