package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.users.AdminToken;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An {@code obj.conf} that changes under a running server with clients. */
final class ObjectsServerTest {
    private static final int CLIENTS = 4;

    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();

    @TempDir
    private Path home = Path.of("");

    private Path data = Path.of("");
    private Path objects = Path.of("");
    private @Nullable Server running;

    @BeforeEach
    void start() throws Exception {
        data = home.resolve("data");
        objects = home.resolve("obj.conf");
        Files.writeString(objects, program("first", 3));
        Files.writeString(home.resolve("weir.yaml"), """
                admin: {port: 0}
                kernel: {drain-time-out: 5s}
                listeners: {http: {port: 0}}
                proxy: {objects: %s}
                """.formatted(objects));
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

    /** A program whose name comes through two of its directives: both must be of one program. */
    private static String program(String name, int rules) {
        StringBuilder text = new StringBuilder("<Object name=\"default\">\n");
        for (int i = 0; i < rules; i++) {
            text.append("NameTrans fn=\"assign-name\" from=\"/rule").append(i).append("/*\" name=\"object\"\n");
        }
        return text.append("<If $uri = '/answer*'>\n")
                .append("ObjectType fn=\"edit-headers\" set-response=\"X-Program: ")
                .append(name)
                .append("\"\nService fn=\"send-answer\" body=\"")
                .append(name)
                .append("\"\n</If>\n</Object>\n<Object name=\"object\">\nService fn=\"send-answer\" body=\"object of ")
                .append(name)
                .append("\"\n</Object>\n")
                .toString();
    }

    private String reload() throws IOException {
        String authority = Objects.requireNonNull(server().adminAuthority());
        int port = Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("POST /config/reload HTTP/1.1\r\nHost: localhost:" + port
                                    + "\r\nConnection: close\r\nContent-Length: 0\r\nAuthorization: Bearer "
                                    + AdminToken.read(data).text() + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            try (InputStream in = socket.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    /** Clients that ask until they are told to stop, on connections that are kept. */
    private final class Crowd implements AutoCloseable {
        private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        private final List<Future<Void>> clients;
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicLong asked = new AtomicLong();
        private final CountDownLatch begun = new CountDownLatch(CLIENTS);
        private final Set<String> seen = ConcurrentHashMap.newKeySet();

        Crowd() throws InterruptedException {
            InetSocketAddress at = server().listeners().getFirst().address();
            clients = java.util.stream.IntStream.range(0, CLIENTS)
                    .mapToObj(_ -> threads.submit(() -> ask(at)))
                    .toList();
            begun.await();
        }

        private Void ask(InetSocketAddress at) throws IOException {
            try (Socket socket = new Socket()) {
                socket.connect(at);
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
                while (!over.get()) {
                    socket.getOutputStream()
                            .write("GET /answer HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    seen.add(answer(in));
                    asked.incrementAndGet();
                    begun.countDown();
                }
            }
            return null;
        }

        private static String answer(BufferedReader in) throws IOException {
            assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
            String program = "";
            int length = 0;
            for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                if (line.startsWith("X-Program: ")) {
                    program = line.substring(11);
                } else if (line.startsWith("Content-Length: ")) {
                    length = Integer.parseInt(line, 16, line.length(), 10);
                }
            }
            char[] body = new char[length];
            for (int n = 0; n < length; ) {
                n += in.read(body, n, length - n);
            }
            assertThat(new String(body))
                    .as("both directives are of one program")
                    .isEqualTo(program);
            return program;
        }

        /** Waits until each client has asked several times more. */
        void goOn() {
            long until = asked.get() + 10 * CLIENTS;
            while (asked.get() < until && clients.stream().noneMatch(Future::isDone)) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {
            over.set(true);
            threads.close();
            for (Future<Void> client : clients) {
                assertThat(client).isDone();
                client.resultNow();
            }
        }
    }

    @Test
    void noRequestFailsAndOnlyWhatIsWholeChangesAnything() throws Exception {
        changes(10_000);
    }

    @Test
    @Tag("nightly")
    void noRequestFailsWithAHundredThousandDirectives() throws Exception {
        changes(100_000);
    }

    private void changes(int huge) throws Exception {
        try (Crowd crowd = new Crowd()) {
            Files.writeString(objects, program("second", 10));
            assertThat(reload()).startsWith("HTTP/1.1 200 ").contains("proxy.objects");
            crowd.goOn();
            assertThat(crowd.seen).contains("first", "second");
            crowd.seen.clear();
            String whole = program("broken", 10);
            for (String broken : List.of(
                    "",
                    whole.replace("send-answer", "sendanswer"),
                    whole.substring(0, whole.length() / 3),
                    whole.substring(0, whole.indexOf("</Object>") + 9),
                    "\0\1\2" + whole,
                    whole + "<Object name=\"more\">")) {
                Files.writeString(objects, broken);
                assertThat(reload()).as(broken).startsWith("HTTP/1.1 422 ").contains("obj.conf:");
                crowd.goOn();
            }
            assertThat(crowd.seen).containsExactly("second");
            Files.writeString(objects, program("huge", huge));
            assertThat(reload()).startsWith("HTTP/1.1 200 ");
            crowd.goOn();
            assertThat(crowd.seen).contains("huge");
            crowd.seen.clear();
            crowd.goOn();
            Files.writeString(objects, program("last", 1));
            assertThat(reload()).startsWith("HTTP/1.1 200 ");
            crowd.goOn();
            assertThat(crowd.seen).contains("last").doesNotContain("broken");
        }
        assertThat(stdout.toString(StandardCharsets.UTF_8)).doesNotContain("WEIR-450001");
    }
}
