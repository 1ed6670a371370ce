package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.functions.FunctionJar;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server process all of whose execute threads hang in a function of a user. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HangingThreadsTest {
    private static final int THREADS = 3;
    private static final int QUEUED = 2;
    private static final int PATIENCE_MILLIS = 10_000;

    @TempDir
    Path folder = Path.of("");

    private ProcessLauncher.Running start() throws Exception {
        Path jar = FunctionJar.write(folder.resolve("functions.jar"));
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  http: {address: 127.0.0.1, port: 0}
                admin: {port: 0}
                work-managers:
                  default: {min-threads: 1, max-threads: %d, queue-capacity: 100}
                proxy:
                  function-jars: ["%s"]
                  time-outs: {function: 1h}
                  routes:
                    - path: /hang
                      respond: {status: 200, body: released}
                      functions: [{name: hang, parameters: {until: "%s"}}]
                    - path: /
                      demo: on
                """.formatted(THREADS, jar, release()));
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

    @Test
    void everythingElseAnswersWhileAllExecuteThreadsHang() throws Exception {
        try (ProcessLauncher.Running weir = start()) {
            int http = weir.port("http");
            int admin = weir.port("admin");
            assertThat(Servers.within(PATIENCE_MILLIS, () -> get(http, "/").contains("; hit")))
                    .as("the page is stored")
                    .isTrue();
            List<Socket> hanging = new ArrayList<>();
            for (int i = 0; i < THREADS + QUEUED; i++) {
                hanging.add(ask(http, "/hang/" + i));
            }
            assertThat(Servers.within(
                            PATIENCE_MILLIS,
                            () -> get(admin, "/metrics")
                                    .contains("weir_work_queue_length{work_manager=\"default\"} " + QUEUED + ".0")))
                    .as("all execute threads hang")
                    .isTrue();
            for (String view : List.of("/.perf", "/stats-xml", "/metrics", "/health")) {
                assertThat(get(admin, view)).as(view).startsWith("HTTP/1.1 200");
            }
            assertThat(get(http, "/")).startsWith("HTTP/1.1 200").contains("; hit");
            String threads = stacks(weir.pid());
            for (int i = 0; i < THREADS; i++) {
                assertThat(stack(threads, "ExecuteThread: '" + i + "' for queue: 'weir.work.default'"))
                        .contains("io.weir.lab.functions.Hang");
            }
            Files.createFile(release());
            for (Socket socket : hanging) {
                assertThat(rest(socket)).startsWith("HTTP/1.1 200").endsWith("released");
            }
            weir.stop();
            assertThat(weir.exit()).isZero();
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
