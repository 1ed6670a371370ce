package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SystemClock;
import io.weir.kernel.connection.SessionStatus;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import io.weir.server.users.AdminToken;
import io.weir.server.users.FileRealm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The assembled server in this process, over real sockets. */
@Tag("slow")
final class ServerTest {
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final List<Server> started = new ArrayList<>();

    @TempDir
    private Path dir = Path.of("");

    private Server start(String... sets) throws StartFailure {
        List<String> all = new ArrayList<>(List.of(
                "listeners.http.port=0",
                "listeners.messaging.port=0",
                "admin.port=0",
                "server.data-dir=" + dir,
                "kernel.drain-time-out=5s"));
        all.addAll(List.of(sets));
        LoadedConfig loaded = new ConfigLoader(null, all, null).load();
        assertThat(loaded.problems()).isEmpty();
        Server server = Server.start(new ServerParts(
                loaded,
                dir.toAbsolutePath(),
                SystemClock.INSTANCE,
                new PrintStream(stdout, true, StandardCharsets.UTF_8),
                "test"));
        started.add(server);
        return server;
    }

    @AfterEach
    void stop() {
        started.forEach(Server::stop);
    }

    private static InetSocketAddress admin(Server server) {
        String authority = Objects.requireNonNull(server.adminAuthority());
        int port = Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static String ask(InetSocketAddress at, String method, String path, String body, String... fields)
            throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(at, 10_000);
            socket.setSoTimeout(120_000);
            StringBuilder head = new StringBuilder(
                    method + " " + path + " HTTP/1.1\r\nHost: localhost:" + at.getPort() + "\r\nConnection: close\r\n");
            if (!body.isEmpty()) {
                head.append("Content-Length: ").append(body.length()).append("\r\n");
            }
            for (String field : fields) {
                head.append(field).append("\r\n");
            }
            socket.getOutputStream().write((head + "\r\n" + body).getBytes(StandardCharsets.UTF_8));
            try (InputStream in = socket.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    private String bearer() throws IOException {
        return "Authorization: Bearer " + AdminToken.read(dir).text();
    }

    @Test
    void demoOriginIsServedThroughTheCache() throws Exception {
        Server server = start();
        InetSocketAddress http = server.listeners().getFirst().address();
        assertThat(ask(http, "GET", "/", ""))
                .startsWith("HTTP/1.1 200 ")
                .containsPattern("Cache-Status: weir-[0-9a-f]{8}; fwd=uri-miss");
        assertThat(ask(http, "GET", "/", ""))
                .startsWith("HTTP/1.1 200 ")
                .containsPattern("Cache-Status: weir-[0-9a-f]{8}; hit");
        assertThat(stdout.toString(StandardCharsets.UTF_8)).contains("Channel \"http\" is now listening on 127.0.0.1:");
    }

    @Test
    void changesNeedTheToken() throws Exception {
        InetSocketAddress at = admin(start());
        String change = "{\"kernel.keep-alive.timeout\": \"9s\"}";
        assertThat(ask(at, "PATCH", "/knobs", change)).startsWith("HTTP/1.1 401 ");
        assertThat(ask(at, "PATCH", "/knobs", change, "Authorization: Bearer wrong"))
                .startsWith("HTTP/1.1 401 ");
        assertThat(ask(at, "GET", "/.perf", "")).contains("KeepAliveTimeout      30 seconds");
        assertThat(ask(at, "PATCH", "/knobs", change, bearer()))
                .startsWith("HTTP/1.1 200 ")
                .contains("\"configuration\":2");
        assertThat(ask(at, "GET", "/.perf", "")).contains("KeepAliveTimeout      9 seconds");
        assertThat(dir.resolve("overrides.yaml")).doesNotExist();
    }

    @Test
    void administratorsPasswordWorksAndOtherUsersDoNot() throws Exception {
        InetSocketAddress at = admin(start());
        FileRealm realm = new FileRealm(dir);
        realm.set("anna", "secret".toCharArray(), List.of("admin"));
        realm.set("bert", "secret".toCharArray(), List.of("users"));
        String change = "{\"server.history-limit\": 50}";
        assertThat(ask(at, "PATCH", "/knobs", change, basic("anna:secret"))).startsWith("HTTP/1.1 200 ");
        assertThat(ask(at, "PATCH", "/knobs", change, basic("bert:secret"))).startsWith("HTTP/1.1 401 ");
        assertThat(ask(at, "PATCH", "/knobs", change, basic("anna:wrong"))).startsWith("HTTP/1.1 401 ");
        assertThat(ask(at, "GET", "/config/history", "")).contains("\"author\":\"anna\"");
    }

    private static String basic(String pair) {
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void refusedChangesAreProblemDocuments() throws Exception {
        InetSocketAddress at = admin(start());
        String two = "{\"server.name\": \"x\", \"kernel.keep-alive.timeout\": \"soon\"}";
        assertThat(ask(at, "PATCH", "/knobs", two, bearer()))
                .startsWith("HTTP/1.1 422 ")
                .contains("application/problem+json")
                .contains("server.name: takes effect only at start");
        assertThat(ask(at, "PATCH", "/knobs", "[1]", bearer())).startsWith("HTTP/1.1 400 ");
        assertThat(ask(at, "PATCH", "/knobs", "{", bearer())).startsWith("HTTP/1.1 400 ");
        assertThat(ask(at, "PATCH", "/knobs?persist=maybe", "{}", bearer())).startsWith("HTTP/1.1 400 ");
        assertThat(ask(at, "POST", "/config/rollback", "", bearer()))
                .startsWith("HTTP/1.1 400 ")
                .contains("n is missing");
        for (String n : List.of("-1", "x", "1e3", "99999999999")) {
            assertThat(ask(at, "POST", "/config/rollback?n=" + n, "", bearer()))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("not " + n);
        }
        assertThat(ask(at, "POST", "/config/rollback?n=7", "", bearer())).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void persistedChangeAndRollbackSurviveTheRestart() throws Exception {
        Server first = start();
        String change = "{\"kernel.keep-alive.timeout\": \"9s\"}";
        assertThat(ask(admin(first), "PATCH", "/knobs?persist=true", change, bearer()))
                .startsWith("HTTP/1.1 200 ");
        first.stop();
        Server second = start();
        assertThat(ask(admin(second), "GET", "/knobs?prefix=kernel.keep-alive.timeout", ""))
                .contains("\"value\":\"9s\"")
                .contains("overrides.yaml");
        assertThat(ask(admin(second), "POST", "/config/rollback?n=1", "", bearer()))
                .startsWith("HTTP/1.1 200 ");
        second.stop();
        assertThat(ask(admin(start()), "GET", "/knobs?prefix=kernel.keep-alive.timeout", ""))
                .contains("\"value\":\"30s\"");
    }

    @Test
    void persistedChangeIsDroppedByItsKey() throws Exception {
        InetSocketAddress at = admin(start());
        String change = "{\"kernel.keep-alive.timeout\": \"9s\"}";
        assertThat(ask(at, "PATCH", "/knobs?persist=true", change, bearer())).startsWith("HTTP/1.1 200 ");
        assertThat(ask(at, "DELETE", "/knobs/kernel.keep-alive.timeout", "")).startsWith("HTTP/1.1 401 ");
        assertThat(ask(at, "DELETE", "/knobs/kernel.mode", "", bearer()))
                .startsWith("HTTP/1.1 404 ")
                .contains("no change of \\\"kernel.mode\\\" is persisted");
        assertThat(ask(at, "DELETE", "/knobs/kernel.keep-alive.timeout", "", bearer()))
                .startsWith("HTTP/1.1 200 ")
                .contains("\"changed\":[\"kernel.keep-alive.timeout\"]");
        assertThat(ask(at, "GET", "/knobs?prefix=kernel.keep-alive.timeout", ""))
                .contains("\"value\":\"30s\"");
    }

    @Test
    void statisticsOffStopsCollectionAndPerfdumpSaysSo() throws Exception {
        InetSocketAddress at = admin(start("server.statistics=off"));
        assertThat(ask(at, "GET", "/.perf", "")).contains("Statistics disabled");
        ask(at, "PATCH", "/knobs", "{\"server.statistics\": \"on\"}", bearer());
        assertThat(ask(at, "GET", "/.perf", "")).doesNotContain("Statistics disabled");
    }

    @Test
    void logLevelsChangeLive() throws Exception {
        Server server = start();
        ask(admin(server), "PATCH", "/knobs", "{\"server.log.level\": \"error\"}", bearer());
        ask(admin(server), "PATCH", "/knobs", "{\"server.history-limit\": 7}", bearer());
        server.flushLog();
        assertThat(Files.readString(dir.resolve("logs/server.log")))
                .contains("<The server started in RUNNING mode")
                .doesNotContain("applied by token: server.history-limit");
    }

    @Test
    void failedStartLeavesNothingOpen() throws Exception {
        Server first = start();
        int port = first.listeners().getFirst().address().getPort();
        assertThatThrownBy(() -> start()).isInstanceOf(StartFailure.class).hasMessageContaining("is in use by process");
        first.stop();
        Server second = start("listeners.http.port=" + port);
        assertThat(second.listeners().getFirst().address().getPort()).isEqualTo(port);
    }

    @Test
    void stoppedServerAnswersNothing() throws Exception {
        Server server = start("admin.enabled=off");
        assertThat(server.adminAuthority()).isNull();
        InetSocketAddress http = server.listeners().getFirst().address();
        assertThat(server.stop()).isTrue();
        assertThatThrownBy(() -> ask(http, "GET", "/", "")).isInstanceOf(IOException.class);
        assertThat(dir.resolve("weir.pid")).doesNotExist();
    }

    @Test
    void requestInFlightIsFinishedByTheDrain() throws Exception {
        Server server = start();
        InetSocketAddress http = server.listeners().getFirst().address();
        try (Socket socket = new Socket()) {
            socket.connect(http, 10_000);
            socket.setSoTimeout(120_000);
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: local".getBytes(StandardCharsets.US_ASCII));
            await(() -> server.kernel().sessions().active().stream()
                    .anyMatch(session -> session.status() == SessionStatus.REQUEST));
            Thread stopper = Thread.ofPlatform().start(server::stop);
            await(() -> refused(http));
            socket.getOutputStream().write("host\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 200 ").containsIgnoringCase("connection: close");
            assertThat(stopper.join(Duration.ofSeconds(20))).isTrue();
        }
    }

    /** Until it is so: an idle connection would be closed by the drain, and before the drain nothing says close. */
    private static void await(BooleanSupplier condition) {
        for (int i = 0; !condition.getAsBoolean(); i++) {
            assertThat(i).as("milliseconds of waiting").isLessThan(20_000);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static boolean refused(InetSocketAddress at) {
        try (Socket socket = new Socket()) {
            socket.connect(at, 10_000);
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
