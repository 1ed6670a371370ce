package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.kernel.listen.Listener;
import io.weir.server.admin.Await;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.users.AdminToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes, goes and changes while the assembled server runs, as its administrators see it. */
final class LiveServerTest {
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();

    @TempDir
    private Path home = Path.of("");

    private Path data = Path.of("");
    private @Nullable Server running;

    @BeforeEach
    void start() throws Exception {
        data = home.resolve("data");
        file("http: {port: 0}", "");
        LoadedConfig loaded = new ConfigLoader(home.resolve("weir.yaml"), List.of(), home).load();
        assertThat(loaded.problems()).isEmpty();
        running = Server.start(new ServerParts(
                loaded, data, SystemClock.INSTANCE, new PrintStream(stdout, true, StandardCharsets.UTF_8), "test"));
    }

    @AfterEach
    void stop() {
        server().stop();
    }

    private Server server() {
        return Objects.requireNonNull(running);
    }

    private void file(String listeners, String more) throws IOException {
        Files.writeString(home.resolve("weir.yaml"), """
                admin: {port: 0}
                kernel: {drain-time-out: 5s}
                listeners:
                  %s
                  messaging: {port: 0, protocol: weir}
                proxy:
                  routes:
                  - {path: /, respond: {status: 200, body: hello}}
                %s""".formatted(listeners, more));
    }

    private Listener listener(String name) {
        return server().listeners().stream()
                .filter(l -> l.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private String reload() throws IOException {
        return admin("POST", "/config/reload", "");
    }

    private String admin(String method, String path, String body, String... fields) throws IOException {
        String authority = Objects.requireNonNull(server().adminAuthority());
        int port = Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
        List<String> all = new ArrayList<>(List.of(fields));
        all.add("Authorization: Bearer " + AdminToken.read(data).text());
        return ask(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                method,
                path,
                body,
                all.toArray(String[]::new));
    }

    private static String ask(InetSocketAddress at, String method, String path, String body, String... fields)
            throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(at, 10_000);
            socket.setSoTimeout(120_000);
            StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost:" + at.getPort()
                    + "\r\nConnection: close\r\nContent-Length: " + body.length() + "\r\n");
            for (String field : fields) {
                head.append(field).append("\r\n");
            }
            socket.getOutputStream().write((head + "\r\n" + body).getBytes(StandardCharsets.UTF_8));
            try (InputStream in = socket.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    @Test
    void listenersOfTheFileComeAndGo() throws Exception {
        file("http: {port: 0}\n  more: {port: 0, virtual-server: shop}", "virtual-servers: {shop: {}}\n");
        assertThat(reload()).contains("listeners.more.port", "\"atRestart\":[]");
        InetSocketAddress more = listener("more").address();
        assertThat(ask(more, "GET", "/", "")).startsWith("HTTP/1.1 200 ").endsWith("hello");
        assertThat(admin("GET", "/metrics", "")).contains("weir_listener_accepted_total{listener=\"more\"} 1");
        assertThat(admin("GET", "/.perf", "")).contains(":" + more.getPort());
        assertThat(admin("GET", "/stats-xml", "")).contains("countTotalConnections=\"1\"");
        assertThat(Files.readString(data.resolve("weir.pid"))).contains("listener.more");

        file("http: {port: 0}", "");
        assertThat(reload()).contains("\"atRestart\":[]");
        assertThat(server().listeners()).extracting(Listener::name).containsExactly("http", "messaging");
        assertThat(Files.readString(data.resolve("weir.pid"))).doesNotContain("listener.more");
        Await.until(() -> !text("/metrics").contains("listener=\"more\""));
        assertThat(admin("GET", "/.perf", "")).doesNotContain(":" + more.getPort());
        assertThat(admin("GET", "/stats-xml", ""))
                .as("what it accepted stays counted")
                .contains("countTotalConnections=\"1\"");
    }

    private String text(String path) {
        try {
            return admin("GET", path, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void portThatIsTakenRefusesTheWholeFileWithKeyAndLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            file("http: {port: 0}\n  fine: {port: 0}\n  more: {port: %d}".formatted(taken.getLocalPort()), "");
            String before = admin("GET", "/knobs", "");
            assertThat(reload())
                    .startsWith("HTTP/1.1 422 ")
                    .contains("\"key\":\"listeners.more\"", "weir.yaml:6", "already in use", "listeners.more.port");
            assertThat(server().listeners()).extracting(Listener::name).containsExactly("http", "messaging");
            assertThat(body(admin("GET", "/knobs", ""))).isEqualTo(body(before));
            assertThat(admin("GET", "/metrics", ""))
                    .contains("weir_config_refused_total 1")
                    .doesNotContain("listener=\"fine\"");
        }
        file(
                "http: {port: 0}\n  tls: {port: 0, tls: {certificates: [{chain-file: weir.yaml, key-file: weir.yaml}]}}"
                        .replace("weir.yaml", home.resolve("weir.yaml").toString()),
                "");
        assertThat(reload()).startsWith("HTTP/1.1 422 ").contains("\"key\":\"listeners.tls\"", "Cannot use TLS");
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n"));
    }

    @Test
    void listenerThatOthersWereToldOfNeedsARestart() throws Exception {
        assertThat(admin("PATCH", "/knobs", "{\"listeners.messaging\": null}"))
                .startsWith("HTTP/1.1 422 ")
                .contains("listeners.messaging: messaging and the cluster are reached here");
        assertThat(admin("PATCH", "/knobs", "{\"listeners.messaging.backlog\": 7}"))
                .startsWith("HTTP/1.1 422 ");
        assertThat(admin("PATCH", "/knobs", "{\"listeners.second\": {\"port\": 0, \"protocol\": \"weir\"}}"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(admin("PATCH", "/knobs", "{\"listeners.second\": null}")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void changeMeantForAnotherConfigurationIsRefused() throws Exception {
        String etag = tag(admin("GET", "/knobs", ""));
        assertThat(admin("PATCH", "/knobs", "{\"server.history-limit\": 50}", "If-Match: " + etag))
                .startsWith("HTTP/1.1 200 ")
                .contains("ETag: \"2\"");
        assertThat(admin("PATCH", "/knobs", "{\"server.history-limit\": 60}", "If-Match: " + etag))
                .startsWith("HTTP/1.1 412 ")
                .contains("applied by token", "server.history-limit", "ETag: \"2\"");
        assertThat(admin("POST", "/config/reload", "", "If-Match: \"1\"")).startsWith("HTTP/1.1 412 ");
        assertThat(admin("POST", "/config/rollback?n=1", "", "If-Match: \"1\"")).startsWith("HTTP/1.1 412 ");
        assertThat(admin("PATCH", "/knobs", "{\"server.history-limit\": 60}", "If-Match: \"7\", \"2\""))
                .startsWith("HTTP/1.1 200 ");
        assertThat(admin("POST", "/config/reload", "", "If-Match: *")).startsWith("HTTP/1.1 200 ");
    }

    private static String tag(String answer) {
        return Pattern.compile("ETag: (\"\\d+\")")
                .matcher(answer)
                .results()
                .map((MatchResult r) -> r.group(1))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void changesOfSeveralAtOnceAreMadeOneAfterTheOther() throws Exception {
        List<Callable<String>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int count = 100 + i;
            all.add(() -> admin("PATCH", "/knobs", "{\"server.history-limit\": " + count + "}"));
            all.add(() -> admin("PATCH", "/knobs", "{\"listeners.n" + count + "\": {\"port\": 0}}"));
            all.add(this::reload);
            all.add(() -> {
                server().reopenLogs();
                return "HTTP/1.1 200 ";
            });
        }
        try (ExecutorService admins = Executors.newFixedThreadPool(4)) {
            for (Future<String> answer : admins.invokeAll(all)) {
                assertThat(answer.get()).startsWith("HTTP/1.1 200 ");
            }
        }
        assertThat(reload()).startsWith("HTTP/1.1 200 ");
        assertThat(server().listeners()).extracting(Listener::name).containsExactly("http", "messaging");
        List<String> numbers = Pattern.compile("\"number\":(\\d+)")
                .matcher(admin("GET", "/config/history", ""))
                .results()
                .map((MatchResult r) -> r.group(1))
                .toList();
        assertThat(numbers).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(9);
        assertThat(ask(listener("http").address(), "GET", "/", "")).startsWith("HTTP/1.1 200 ");
        assertThat(stdout.toString(StandardCharsets.UTF_8)).doesNotContain("WEIR-170004");
    }
}
