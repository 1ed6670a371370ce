package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.lab.load.LoadOrigin;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two worker processes under a supervisor, which all tests but one share. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessesTest {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int CLIENTS = 24;

    @TempDir
    static Path folder = Path.of("");

    private static LoadOrigin origin;
    private static ProcessLauncher.Running weir;

    @BeforeAll
    static void start() throws Exception {
        origin = new LoadOrigin();
        weir = start(folder);
    }

    private static ProcessLauncher.Running start(Path in) throws Exception {
        return Servers.launcher()
                .start(Servers.reverse(in, origin.port(), "server: {processes: 2}\n"), in.resolve("data"), List.of());
    }

    /** The last test of all: a stop ends the supervisor and every worker. */
    @AfterAll
    static void stopEndsAllProcesses() throws Exception {
        try (LoadOrigin _ = origin) {
            List<ProcessHandle> workers = List.of(worker(folder, 1), worker(folder, 2));
            weir.stop();
            assertThat(weir.exit()).isZero();
            assertThat(workers).noneMatch(ProcessHandle::isAlive);
        } finally {
            weir.close();
        }
    }

    private static ProcessHandle worker(Path in, int number) throws IOException {
        for (String line : Files.readAllLines(in.resolve("data/weir.pid"))) {
            if (line.startsWith("worker." + number + "=")) {
                return ProcessHandle.of(Long.parseLong(line.substring(line.indexOf('=') + 1)))
                        .orElseThrow();
            }
        }
        throw new IOException("no worker " + number);
    }

    private static boolean replaced(Path in, int number, ProcessHandle old) throws IOException {
        return Files.readAllLines(in.resolve("data/weir.pid")).stream()
                .anyMatch(l -> l.startsWith("worker." + number + "=") && !l.endsWith("=" + old.pid()));
    }

    private static Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port("http"));
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /** Asks on a kept connection; the answer's head, or nothing when the connection is gone. */
    private static String ask(Socket socket) {
        try {
            socket.getOutputStream()
                    .write("GET /bytes/10 HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int c = in.read();
                if (c < 0) {
                    return "";
                }
                head.append((char) c);
            }
            in.readNBytes(10);
            return head.toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static List<Socket> clients() throws IOException {
        List<Socket> all = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            all.add(connect());
        }
        return all;
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (Socket s : sockets) {
            s.close();
        }
    }

    private static double figure(String name, int process) throws IOException {
        String text = new Counters(weir.port("admin"), SystemClock.INSTANCE).fetch("/metrics?process=" + process);
        return text.lines()
                .filter(l -> l.startsWith(name + " "))
                .mapToDouble(l -> Double.parseDouble(l.substring(name.length() + 1)))
                .sum();
    }

    private static double sum(String name, String labels) {
        return new Counters(weir.port("admin"), SystemClock.INSTANCE).read().sum(name, labels);
    }

    private static String fetch(String path) throws IOException {
        return new Counters(weir.port("admin"), SystemClock.INSTANCE).fetch(path);
    }

    @Test
    void viewsAreOfAllProcesses() throws Exception {
        assertThat(Servers.within(PATIENCE_MILLIS, () -> fetch("/.perf").contains("Process 2  ready")))
                .isTrue();
        assertThat(fetch("/stats-xml").split("<process ", -1)).hasSize(3);
        assertThat(fetch("/health")).startsWith("{\"status\":\"up\"");
    }

    @Test
    void killedWorkerCostsOnlyItsOwnConnectionsAndIsReplaced() throws Exception {
        List<Socket> before = clients();
        assertThat(before).allSatisfy(s -> assertThat(ask(s)).startsWith("HTTP/1.1 200"));
        double ofFirst = figure("weir_connections_open", 1);
        double ofSecond = figure("weir_connections_open", 2);
        assertThat(ofFirst + ofSecond).isEqualTo(CLIENTS);
        assertThat(ofFirst).as("both take part").isBetween(1.0, CLIENTS - 1.0);
        double accepted = sum("weir_listener_accepted_total", "listener=\"http\"");
        ProcessHandle second = worker(folder, 2);
        second.destroyForcibly();
        second.onExit().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        // those of the dead one wait in its socket's queue until another takes them
        List<Socket> after = clients();
        assertThat(after).allSatisfy(s -> assertThat(ask(s)).startsWith("HTTP/1.1 200"));
        assertThat(before.stream().filter(s -> !ask(s).isEmpty()).count()).isEqualTo((long) ofFirst);
        assertThat(Servers.within(PATIENCE_MILLIS, () -> replaced(folder, 2, second)))
                .isTrue();
        assertThat(sum("weir_listener_accepted_total", "listener=\"http\""))
                .as("what the dead one counted stays")
                .isGreaterThanOrEqualTo(accepted + CLIENTS);
        assertThat(sum("weir_process_restarts_total", "process=\"2\"")).isEqualTo(1);
        close(before);
        close(after);
    }

    @Test
    @Tag("nightly")
    void workersEndWhenTheirSupervisorIsKilled() throws Exception {
        Path own = Files.createDirectories(folder.resolve("orphans"));
        try (ProcessLauncher.Running other = start(own)) {
            List<ProcessHandle> workers = List.of(worker(own, 1), worker(own, 2));
            other.kill();
            for (ProcessHandle w : workers) {
                w.onExit().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }
}
