package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.functions.FunctionJar;
import io.weir.lab.scenario.ProcessLauncher;
import io.weir.lab.work.HeldOrigin;
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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server process under more than it can take: its mode changes, then all its execute threads hang, then it fails. */
@Tag("slow")
@Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HangingThreadsTest {
    private static final int THREADS = 3;
    private static final int QUEUED = 2;
    private static final int PATIENCE_MILLIS = 120_000;

    @TempDir
    Path folder = Path.of("");

    private ProcessLauncher.Running start(HeldOrigin origin) throws Exception {
        Path jar = FunctionJar.write(folder.resolve("functions.jar"));
        Path config =
                Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  http: {address: 127.0.0.1, port: 0}
                admin: {port: 0}
                kernel: {drain-time-out: 100ms, stuck-threads: {timer-interval: 1s}}
                work-managers:
                  default: {min-threads: 1, max-threads: %d, queue-capacity: 100}
                proxy:
                  function-jars: ["%s"]
                  time-outs: {function: 1h}
                  routes:
                    - path: /hang
                      respond: {status: 200, body: released}
                      functions: [{name: hang, parameters: {until: "%s"}}]
                    - path: /held
                      origins: ["%s"]
                    - path: /
                      demo: on
                """.formatted(THREADS, jar, release(), origin.url()));
        return Servers.launcher().start(config, folder.resolve("data"), List.of());
    }

    private Path release() {
        return folder.resolve("release");
    }

    /** A connection that has asked for something and closes after the answer. */
    private static Socket ask(int port, String path) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static String rest(Socket socket) throws IOException {
        try (socket) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static String get(int port, String path) throws IOException {
        return rest(ask(port, path));
    }

    private static List<Socket> ask(int port, String path, int times) throws IOException {
        List<Socket> asked = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            asked.add(ask(port, path + i));
        }
        return asked;
    }

    private static void until(int admin, String sample) throws Exception {
        assertThat(Servers.within(PATIENCE_MILLIS, () -> get(admin, "/metrics").contains("\n" + sample + "\n")))
                .as(sample)
                .isTrue();
    }

    /** One life of one process, because each costs a start. */
    @Test
    void aLoadChangesTheModeTwiceThenAllThreadsHangAndEverythingElseAnswersUntilTheServerFails() throws Exception {
        try (HeldOrigin origin = new HeldOrigin();
                ProcessLauncher.Running weir = start(origin)) {
            int http = weir.port("http");
            int admin = weir.port("admin");
            assertThat(Servers.within(PATIENCE_MILLIS, () -> get(http, "/").contains("; hit")))
                    .as("the page is stored")
                    .isTrue();
            // as many active requests as threads, more queued than sessions idle: both thresholds
            List<Socket> held = ask(http, "/held/", THREADS + QUEUED);
            until(admin, "weir_mode_high_concurrency 1.0");
            origin.release();
            for (Socket socket : held) {
                assertThat(rest(socket)).startsWith("HTTP/1.1 204");
            }
            List<Socket> hanging = hang(http, admin);
            everythingElseAnswers(weir);
            until(admin, "weir_mode_high_concurrency 0.0");
            until(admin, "weir_mode_changes_total 2.0");
            assertThat(Servers.within(
                            PATIENCE_MILLIS, () -> changes(weir).equals(List.of("<WEIR-000882>", "<WEIR-000881>"))))
                    .as("changes in the log")
                    .isTrue();
            Files.createFile(release());
            for (Socket socket : hanging) {
                assertThat(rest(socket)).startsWith("HTTP/1.1 200").endsWith("released");
            }
            Files.delete(release());
            hang(http, admin);
            trigger(admin, Files.readString(weir.data().resolve("admin.token")).strip());
            assertThat(weir.exit()).isEqualTo(70);
            assertThat(Files.readString(log(weir))).contains("<WEIR-002984>");
        }
    }

    private static Path log(ProcessLauncher.Running weir) {
        return weir.data().resolve("logs/server.log");
    }

    /** The changes of the mode, as the log tells them. */
    private static List<String> changes(ProcessLauncher.Running weir) throws IOException {
        return Pattern.compile("<WEIR-00088[12]>")
                .matcher(Files.readString(log(weir)))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    private static List<Socket> hang(int http, int admin) throws Exception {
        List<Socket> hanging = ask(http, "/hang/", THREADS + QUEUED);
        until(admin, "weir_work_queue_length{work_manager=\"default\"} " + QUEUED + ".0");
        return hanging;
    }

    private static void trigger(int admin, String token) throws IOException {
        String trigger = """
                {"kernel.overload-protection.failure-action": "force-shutdown",
                 "kernel.overload-protection.server-failure-trigger.max-stuck-thread-time": "1ms",
                 "kernel.overload-protection.server-failure-trigger.stuck-thread-count": %d}
                """.formatted(THREADS);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), admin)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream()
                    .write(("PATCH /knobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                                    + token + "\r\nContent-Length: " + trigger.length() + "\r\n\r\n" + trigger)
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(rest(socket)).startsWith("HTTP/1.1 200");
        }
    }

    private static void everythingElseAnswers(ProcessLauncher.Running weir) throws Exception {
        int http = weir.port("http");
        int admin = weir.port("admin");
        for (String view : List.of("/.perf", "/stats-xml", "/metrics", "/health")) {
            assertThat(get(admin, view)).as(view).startsWith("HTTP/1.1 200");
        }
        assertThat(get(http, "/")).startsWith("HTTP/1.1 200").contains("; hit");
        String threads = stacks(weir.pid());
        for (int i = 0; i < THREADS; i++) {
            assertThat(stack(threads, "ExecuteThread: '" + i + "' for queue: 'weir.work.default'"))
                    .contains("io.weir.lab.functions.Hang");
        }
    }

    private static String stacks(long pid) throws IOException, InterruptedException {
        Path jstack = Path.of(System.getProperty("java.home"), "bin", "jstack");
        Process process = new ProcessBuilder(jstack.toString(), String.valueOf(pid))
                .redirectErrorStream(true)
                .start();
        try (InputStream out = process.getInputStream()) {
            String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            return text;
        }
    }

    /** The part of a thread dump that belongs to a thread. */
    private static String stack(String threads, String name) {
        int from = threads.indexOf("\"" + name + "\"");
        assertThat(from).as(name).isNotNegative();
        int to = threads.indexOf("\n\n", from);
        return threads.substring(from, to < 0 ? threads.length() : to);
    }
}
