package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.lab.load.BigBodies;
import io.weir.lab.load.LoadOrigin;
import io.weir.lab.load.ProcessFacts;
import io.weir.lab.scenario.Certificates;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies far larger than memory pass in both directions, plain and over TLS: the resident set grows by 64 MiB at most. */
@Tag("slow")
@Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamingTest {
    private static final long MIB = 1 << 20;
    private static final long GROWTH = 64 * MIB;
    private static final long MEGABYTE_A_SECOND = 1_000_000;

    @TempDir
    Path folder = Path.of("");

    private LoadOrigin origin = start();
    private ProcessLauncher.Running weir = none();
    private Certificates certificates =
            Certificates.in(Path.of(System.getProperty("java.io.tmpdir"), "weir-streaming"));
    private long before;

    private static LoadOrigin start() {
        try {
            return new LoadOrigin();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @org.jspecify.annotations.NullUnmarked
    private static ProcessLauncher.Running none() {
        return null;
    }

    @BeforeEach
    void startServer() throws Exception {
        Map<String, String> tls = certificates.variables();
        String https = """
                listeners:
                  http: {address: 127.0.0.1, port: 0}
                  https: {address: 127.0.0.1, port: 0, tls: {certificates: [{chain-file: "%s", key-file: "%s"}]}}
                """.formatted(tls.get("certificate"), tls.get("key"));
        Path config = Servers.reverse(folder, origin.port(), "");
        java.nio.file.Files.writeString(
                config,
                https
                        + java.nio.file.Files.readString(config)
                                .lines()
                                .skip(2)
                                .collect(java.util.stream.Collectors.joining("\n")));
        weir = Servers.launcher()
                .withJvmOptions("-Xms256m", "-XX:+AlwaysPreTouch", "-Dio.netty.leakDetection.samplingInterval=128")
                .start(config, folder.resolve("data"), List.of());
        // enough for buffers and code that stay; over TLS each MiB costs this process dearly
        warmUp("http", 32 * MIB);
        warmUp("https", 8 * MIB);
        before = ProcessFacts.residentBytes(weir.pid());
    }

    private void warmUp(String listener, long bytes) throws IOException {
        try (Socket socket = connect(listener)) {
            BigBodies.download(socket, bytes, 0, 0, SystemClock.INSTANCE);
            BigBodies.upload(socket, bytes);
        }
    }

    @AfterEach
    void stopServer(TestInfo test) throws Exception {
        long after = ProcessFacts.residentBytes(weir.pid());
        long grown = after - before;
        System.out.printf(
                "%s: resident set %d MiB before, %d MiB after%n", test.getDisplayName(), before / MIB, after / MIB);
        assertThat(weir.log()).noneMatch(l -> l.contains("LEAK"));
        weir.close();
        origin.close();
        assertThat(grown).as("growth of the resident set").isLessThan(GROWTH);
    }

    private Socket connect(String listener) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port(listener));
        socket.setSoTimeout(120_000);
        return listener.equals("https") ? certificates.connect(socket) : socket;
    }

    private void both(String listener, long bytes) throws IOException {
        try (Socket socket = connect(listener)) {
            assertThat(BigBodies.download(socket, bytes, 0, 0, SystemClock.INSTANCE))
                    .isEqualTo(bytes);
            long received = origin.received();
            BigBodies.upload(socket, bytes);
            assertThat(origin.received() - received).isEqualTo(bytes);
        }
    }

    private void slowly(String listener, long millis) throws Exception {
        try (Socket socket = connect(listener)) {
            long got = BigBodies.download(socket, 10_000 * MIB, MEGABYTE_A_SECOND, millis, SystemClock.INSTANCE);
            assertThat(got).isPositive();
            assertThat(ProcessFacts.residentBytes(weir.pid()) - before)
                    .as("growth under a slow reader")
                    .isLessThan(GROWTH);
        }
    }

    @Test
    void manyTimesWhatMayStayPassesPlainBothWays() throws Exception {
        both("http", 256 * MIB);
    }

    @Test
    void twiceWhatMayStayPassesOverTlsBothWays() throws Exception {
        both("https", 128 * MIB);
    }

    @Test
    void readerAtAMegabyteASecondHoldsTheOriginBack() throws Exception {
        slowly("http", 2500);
        slowly("https", 2500);
    }

    @Test
    @Tag("nightly")
    @Timeout(value = 2400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void tenGigabytesPassBothWays() throws Exception {
        both("http", 10_240 * MIB);
        both("https", 10_240 * MIB);
        slowly("http", 60_000);
        slowly("https", 60_000);
    }
}
