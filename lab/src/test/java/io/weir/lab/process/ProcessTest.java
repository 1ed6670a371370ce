package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SystemClock;
import io.weir.lab.load.LoadOrigin;
import io.weir.lab.load.ProcessFacts;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import io.weir.lab.scenario.Weir;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What only a process shows: sudden death, locks, signals, starvation, its threads' names. */
@Tag("slow")
@Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessTest {
    private static final int PATIENCE_MILLIS = 120_000;

    @TempDir
    Path folder = Path.of("");

    private ProcessLauncher.Running start(ProcessLauncher launcher, int originPort, String more) throws Exception {
        return launcher.start(Servers.reverse(folder, originPort, more), folder.resolve("data"), List.of());
    }

    private static String get(int port, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            request(socket, path);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static void request(Socket socket, String path) throws IOException {
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void killedServerStartsAgainOnTheSameDataDirectory() throws Exception {
        try (LoadOrigin origin = new LoadOrigin()) {
            try (ProcessLauncher.Running first = start(Servers.launcher(), origin.port(), "")) {
                assertThat(get(first.port("http"), "/bytes/10")).startsWith("HTTP/1.1 200");
                first.kill();
                assertThat(first.exit()).isEqualTo(137);
            }
            try (ProcessLauncher.Running second = start(Servers.launcher(), origin.port(), "")) {
                assertThat(get(second.port("http"), "/bytes/10")).startsWith("HTTP/1.1 200");
                second.stop();
                assertThat(second.exit()).isZero();
            }
        }
    }

    @Test
    void twoServersAsTheyComeMayForwardToEachOther() throws Exception {
        try (LoadOrigin origin = new LoadOrigin();
                ProcessLauncher.Running back = start(Servers.launcher(), origin.port(), "");
                ProcessLauncher.Running front = Servers.launcher()
                        .start(
                                Servers.reverse(folder, back.port("http"), ""),
                                folder.resolve("data-of-the-front"),
                                List.of())) {
            assertThat(get(front.port("http"), "/bytes/10"))
                    .startsWith("HTTP/1.1 200")
                    .containsPattern("Via: 1\\.1 weir-[0-9a-f]{8}, 1\\.1 weir-[0-9a-f]{8}\r\n");
        }
    }

    @Test
    void secondServerOnOneDataDirectoryIsRefused() throws Exception {
        try (LoadOrigin origin = new LoadOrigin();
                ProcessLauncher.Running first = start(Servers.launcher(), origin.port(), "")) {
            assertThatThrownBy(() -> start(Servers.launcher(), origin.port(), ""))
                    .isInstanceOfSatisfying(
                            Weir.StartRefused.class, e -> assertThat(e.exit()).isEqualTo(1))
                    .hasMessageContaining(String.valueOf(first.pid()));
            assertThat(get(first.port("http"), "/bytes/10")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void drainUnderLoadFinishesWhatIsInFlight() throws Exception {
        int inFlight = 100;
        try (ServerSocket slow = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
                ProcessLauncher.Running weir = start(Servers.launcher(), slow.getLocalPort(), "");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < inFlight; i++) {
                String path = "/" + i;
                answers.add(CompletableFuture.supplyAsync(() -> quietGet(weir.port("http"), path), threads));
            }
            List<Socket> waiting = acceptRequests(slow, inFlight);
            weir.stop();
            assertThat(Servers.within(PATIENCE_MILLIS, () -> refuses(weir.port("http"))))
                    .as("a draining server takes no new connections")
                    .isTrue();
            for (Socket socket : waiting) {
                socket.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.ISO_8859_1));
            }
            for (CompletableFuture<String> answer : answers) {
                assertThat(answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                        .startsWith("HTTP/1.1 200")
                        .endsWith("ok");
            }
            assertThat(weir.exit()).isZero();
        }
    }

    private static String quietGet(int port, String path) {
        try {
            return get(port, path);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static List<Socket> acceptRequests(ServerSocket origin, int count) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        origin.setSoTimeout(PATIENCE_MILLIS);
        while (sockets.size() < count) {
            Socket socket = origin.accept();
            socket.setSoTimeout(PATIENCE_MILLIS);
            InputStream in = socket.getInputStream();
            assertThat(in.read()).isEqualTo('G');
            sockets.add(socket);
        }
        return sockets;
    }

    private static boolean refuses(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void exhaustedDescriptorsAreSurvived() throws Exception {
        try (LoadOrigin origin = new LoadOrigin();
                ProcessLauncher.Running weir = start(Servers.launcher().withDescriptors(200), origin.port(), "")) {
            Counters counters = new Counters(weir.port("admin"), SystemClock.INSTANCE);
            assertThat(counters.read().samples()).isNotEmpty();
            List<Socket> hoard = new ArrayList<>();
            try {
                for (int i = 0; i < 400; i++) {
                    Socket socket = new Socket();
                    hoard.add(socket);
                    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), weir.port("http")), 500);
                    socket.getOutputStream().write("GET /bytes/10 HT".getBytes(StandardCharsets.ISO_8859_1));
                }
            } catch (IOException e) {
                assertThat(hoard)
                        .as("connections before the first refusal: " + e)
                        .hasSizeGreaterThan(50);
            } finally {
                for (Socket socket : hoard) {
                    socket.close();
                }
            }
            assertThat(Servers.within(
                            PATIENCE_MILLIS,
                            () -> quietGet(weir.port("http"), "/bytes/10").startsWith("HTTP/1.1 200")))
                    .as("served again after the clients left: %s", weir.log())
                    .isTrue();
            assertThat(weir.alive()).isTrue();
            assertThat(counters.read().samples()).isNotEmpty();
        }
    }

    @Test
    void threadDumpShowsTheThreadsThatOperatorsLookFor() throws Exception {
        try (LoadOrigin origin = new LoadOrigin();
                ProcessLauncher.Running weir =
                        start(Servers.launcher(), origin.port(), "kernel: {mode: high-concurrency}\n")) {
            assertThat(get(weir.port("http"), "/bytes/10")).startsWith("HTTP/1.1 200");
            String dump = ProcessFacts.jcmd(weir.pid(), "Thread.print");
            assertThat(dump)
                    .containsPattern(
                            "\"ExecuteThread: '0' for queue: 'weir\\.socket\\.Muxer \\((epoll|nio|io_uring)\\)'\"")
                    .contains("\"DynamicListenThread[http]")
                    .containsPattern("\"ExecuteThread: '\\d+' for queue: 'weir\\.work\\.default'\"");
        }
    }

    @Test
    void embeddedDefaultServesItsDemoOrigin() throws Exception {
        ProcessLauncher launcher = Servers.launcher();
        try (ProcessLauncher.Running weir = launcher.start(
                null,
                folder.resolve("data"),
                List.of("listeners.http.port=0", "listeners.messaging.port=0", "admin.port=0"))) {
            assertThat(get(weir.port("http"), "/")).startsWith("HTTP/1.1 200");
            assertThat(weir.log()).anyMatch(l -> l.matches("(?i).*(epoll|nio|io_uring).*"));
        }
    }
}
