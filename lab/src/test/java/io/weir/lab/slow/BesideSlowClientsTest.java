package io.weir.lab.slow;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Clock;
import io.weir.base.SystemClock;
import io.weir.lab.load.LoadOrigin;
import io.weir.lab.load.ProcessFacts;
import io.weir.lab.process.Await;
import io.weir.lab.process.Servers;
import io.weir.lab.scenario.Certificates;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.InProcess;
import io.weir.lab.scenario.ProcessLauncher;
import io.weir.lab.scenario.Weir;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Slow clients of all kinds, at all ports, hold nothing that quick ones need. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class BesideSlowClientsTest {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int THROTTLE = 8;

    private final Clock clock = SystemClock.INSTANCE;

    @TempDir
    Path folder = Path.of("");

    private Path config(int originPort) throws IOException {
        Map<String, String> keys = Certificates.in(folder.resolve("keys")).variables();
        return Files.writeString(
                folder.resolve("weir.yaml"), """
                listeners:
                  http: {address: 127.0.0.1, port: 0}
                  https:
                    address: 127.0.0.1
                    port: 0
                    tls: {certificates: [{chain-file: %s, key-file: %s}]}
                  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                admin: {port: 0}
                proxy: {routes: [{origins: ["http://127.0.0.1:%d"]}]}
                """.formatted(keys.get("certificate"), keys.get("key"), originPort));
    }

    private static SlowPorts ports(Weir weir) {
        int http = weir.port("http");
        return new SlowPorts(http, http, weir.port("https"), weir.port("admin"), weir.port("messaging"));
    }

    /** More of each kind than there are slots, and than there are places at the other ports. */
    @Test
    void quickOnesAreAnsweredBesideMoreSlowOnesThanThereAreSlots() throws Exception {
        Map<SlowKind, Integer> few = new EnumMap<>(SlowKind.each(THROTTLE + 2));
        few.put(SlowKind.STREAM_BODIES, 1);
        few.put(SlowKind.STREAM_READERS, 1);
        List<String> narrow = List.of(
                "kernel.request-throttle=" + THROTTLE,
                "admin.max-connections=" + THROTTLE,
                "messaging.wire.max-handshakes=" + THROTTLE);
        try (LoadOrigin origin = new LoadOrigin();
                Weir weir = new InProcess().start(config(origin.port()), folder.resolve("data"), narrow);
                SlowClients slow = SlowClients.start(ports(weir), few, clock)) {
            assertThat(slow.awaitAll(PATIENCE_MILLIS)).as("who never came").isZero();
            int there = 4 * (THROTTLE + 2) + 2 * SlowStreams.STREAMS;
            Await.until(
                    "all are at the origin", () -> slow.counts().read().toString(), () -> origin.requests() >= there);
            all(misses(weir, 5, 200, 400), 400);
            mostly(health(weir, 40));
            Await.until("messaging lets in", () -> "", () -> welcome(weir.port("messaging")));
            Counters.Reading counted = new Counters(weir.port("admin"), clock).read();
            assertThat(counted.sum("weir_connection_queue_time_outs_total", "")).isZero();
            assertThat(counted.sum("weir_connection_queue_overflows_total", "")).isZero();
        }
    }

    /** The full load; what the quick ones waited is told, not judged. */
    @Tag("nightly")
    @Test
    void quickOnesAreAnsweredBesideTwoThousand(TestReporter reporter) throws Exception {
        try (LoadOrigin origin = new LoadOrigin();
                ProcessLauncher.Running weir = Servers.launcher()
                        .withJvmOptions("-Xmx512m", "-XX:MaxDirectMemorySize=4g")
                        .start(config(origin.port()), folder.resolve("data"), List.of())) {
            misses(weir, SlowCommand.QUICK, 2000, 20_000);
            QuickClients.Found alone = misses(weir, SlowCommand.QUICK, 500, 10_000);
            long before = ProcessFacts.residentBytes(weir.pid());
            try (SlowClients slow = SlowClients.start(ports(weir), SlowKind.full(), clock)) {
                assertThat(slow.awaitAll(PATIENCE_MILLIS)).as("who never came").isZero();
                QuickClients.Found beside = misses(weir, SlowCommand.QUICK, 500, 20_000);
                QuickClients.Found health = health(weir, 100);
                reporter.publishEntry(
                        "p99 alone and beside, ratio, resident MiB before and during",
                        String.format(
                                Locale.ROOT,
                                "%.0f us, %.0f us, %.2f, %d, %d; %s",
                                alone.micros(99),
                                beside.micros(99),
                                beside.micros(99) / alone.micros(99),
                                before >> 20,
                                ProcessFacts.residentBytes(weir.pid()) >> 20,
                                slow.counts().read()));
                all(alone, 10_000);
                all(beside, 20_000);
                mostly(health);
                Await.until("messaging lets in", () -> "", () -> welcome(weir.port("messaging")));
            }
        }
    }

    private QuickClients.Found misses(Weir weir, int clients, double perSecond, long requests)
            throws InterruptedException {
        return QuickClients.run(
                new QuickClients.Plan(
                        weir.port("http"), SlowCommand.PATH, clients, perSecond, requests, 10, PATIENCE_MILLIS),
                clock);
    }

    /** Each on a connection of its own: one that is kept may be closed for who comes. */
    private QuickClients.Found health(Weir weir, long requests) throws InterruptedException {
        return QuickClients.run(
                new QuickClients.Plan(weir.port("admin"), "/health?", 1, 20, requests, 1, PATIENCE_MILLIS), clock);
    }

    private static void all(QuickClients.Found found, long asked) {
        assertThat(found.errors()).as(found.first()).isZero();
        assertThat(found.answers()).isEqualTo(asked);
    }

    /** Who was held up himself between connecting and asking may have lost his place to those who come: he asks again. */
    private static void mostly(QuickClients.Found found) {
        assertThat(found.errors()).as(found.first()).isLessThanOrEqualTo(found.answers());
    }

    /** docs/wire.md: a HELLO is answered by WELCOME, type 2; an ERROR, type 5, says that there is no place now. */
    private static boolean welcome(int port) throws IOException {
        byte[] hello = {
            0, 0, 0, 25, 1, 0, 0, 0, 0, 'W', 'E', 'I', 'R', 1, 2, 0, 16, 0, 0, 0, 0, 0, 0, 5, 's', 'l', 'o', 'w', 's'
        };
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(hello);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readInt();
            return in.readByte() == 2;
        }
    }
}
