package io.weir.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.base.SystemClock;
import io.weir.kernel.listen.Listener;
import io.weir.server.Server;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.config.Rehearsal;
import io.weir.server.start.ServerParts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A configuration of another server, its translation, a server that runs it, and an origin that tells what it was asked. */
abstract class MigrateFixture {
    @TempDir
    Path dir = Path.of("");

    private final List<Server> servers = new ArrayList<>();
    private @Nullable HttpServer origin;

    /** What a server answered. */
    record Answer(int status, String head, String body) {
        String field(String name) {
            return head.lines()
                    .filter(l -> l.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(l -> l.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }
    }

    /** The translation, which {@code check} finds correct unless there is none. */
    Migration migrate(Language language, String name, String text) throws IOException {
        Path file = Files.writeString(dir.resolve(name), text);
        Migration made = Migration.of(language, file, text);
        if (made.problems().isEmpty()) {
            load(made);
        }
        return made;
    }

    /** The translation as a configuration that {@code check} finds correct. */
    LoadedConfig load(Migration made, String... sets) throws IOException {
        assertThat(made.problems()).isEmpty();
        Path file = Files.writeString(dir.resolve("weir.yaml"), made.text());
        LoadedConfig loaded = new ConfigLoader(file, List.of(sets), dir).load();
        assertThat(loaded.problems()).as(made.text()).isEmpty();
        assertThat(Rehearsal.of(loaded, dir.resolve("data")).problems())
                .as(made.text())
                .isEmpty();
        return loaded;
    }

    /** Runs the translation; each listener has a port of its own. */
    Server start(Migration made, String... more) throws Exception {
        List<String> sets = new ArrayList<>(List.of(more));
        for (String name : load(made).value().listeners().keySet()) {
            sets.add("listeners." + name + ".port=0");
        }
        Path data = dir.resolve("data-" + servers.size());
        sets.addAll(List.of("admin.port=0", "server.data-dir=" + data));
        LoadedConfig loaded = load(made, sets.toArray(new String[0]));
        Server server = Server.start(new ServerParts(
                loaded,
                data,
                SystemClock.INSTANCE,
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                "test"));
        servers.add(server);
        return server;
    }

    static int port(Server server, String listener) {
        return server.listeners().stream()
                .filter(l -> l.name().equals(listener))
                .map(Listener::address)
                .mapToInt(InetSocketAddress::getPort)
                .findFirst()
                .orElseThrow();
    }

    static int port(Server server) {
        return server.listeners().getFirst().address().getPort();
    }

    /** The port of an origin that answers with method, target, Host and X-Seen of the request. */
    int origin() throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        made.createContext("/", MigrateFixture::tell);
        made.start();
        origin = made;
        return made.getAddress().getPort();
    }

    private static void tell(HttpExchange exchange) throws IOException {
        String seen = exchange.getRequestHeaders().getFirst("X-Seen");
        String host = exchange.getRequestHeaders().getFirst("Host");
        byte[] body = "%s %s host=%s seen=%s"
                .formatted(exchange.getRequestMethod(), exchange.getRequestURI(), host, seen)
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Cache-Control", "max-age=60");
        exchange.getResponseHeaders().add("Server", "origin");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(200, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    static Answer ask(int port, String method, String target, String... fields) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
            socket.setSoTimeout(60_000);
            StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nConnection: close\r\n");
            boolean host = List.of(fields).stream().anyMatch(f -> f.startsWith("Host:"));
            if (!host) {
                head.append("Host: www.example.com\r\n");
            }
            for (String field : fields) {
                head.append(field).append("\r\n");
            }
            socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            return answer(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static Answer answer(String text) {
        assertThat(text).startsWith("HTTP/1.1 ");
        int end = text.indexOf("\r\n\r\n");
        String head = text.substring(0, end);
        String body = text.substring(end + 4);
        if (head.toLowerCase(java.util.Locale.ROOT).contains("transfer-encoding: chunked")) {
            body = body.replaceAll("(?m)^[0-9a-fA-F]+\\r\\n", "").replaceAll("\\r\\n", "");
        }
        return new Answer(Integer.parseInt(head.substring(9, 12)), head, body);
    }

    static <T> T named(java.util.Map<String, T> all, String name) {
        return java.util.Objects.requireNonNull(all.get(name), name);
    }

    static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    @AfterEach
    void stop() {
        servers.forEach(Server::stop);
        if (origin != null) {
            origin.stop(0);
        }
    }
}
