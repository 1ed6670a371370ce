package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import jakarta.jms.JMSContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data directory belongs to one server as a whole, and to its owner alone. */
@Tag("slow")
final class ClaimedServerTest {
    @TempDir
    private Path dir = Path.of("");

    private Path data() {
        return dir.resolve("data");
    }

    private Server start(String... more) throws StartFailure {
        List<String> sets = new ArrayList<>(List.of(
                "server.data-dir=" + data(),
                "admin.port=0",
                "listeners.http.port=0",
                "listeners.messaging.port=0",
                "kernel.drain-time-out=8s",
                "history.interval=1s"));
        sets.addAll(List.of(more));
        LoadedConfig loaded = new ConfigLoader(null, sets, dir).load();
        assertThat(loaded.problems()).isEmpty();
        PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return Server.start(new ServerParts(loaded, data(), SystemClock.INSTANCE, out, "test"));
    }

    @Test
    void whyAStartIsRefusedStandsInTheLog() throws Exception {
        start().stop();
        Path log = data().resolve("logs/server.log");
        assertThatThrownBy(() -> start("listeners.http.address=192.0.2.1")).isInstanceOf(StartFailure.class);
        assertThat(Files.readString(log)).containsPattern("000362.*The server did not start: .*192\\.0\\.2\\.1");
    }

    private static void send(Server server) {
        int port = server.listeners().stream()
                .filter(l -> l.name().equals("messaging"))
                .findFirst()
                .orElseThrow()
                .address()
                .getPort();
        try (JMSContext context = new WeirConnectionFactory("weir://127.0.0.1:" + port).createContext()) {
            context.createProducer().send(context.createQueue("demo"), "kept");
        }
    }

    /** All files with their bytes, but for locks: to take one writes it. */
    private Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> all = Files.walk(data())) {
            for (Path p : all.filter(Files::isRegularFile).toList()) {
                if (!p.toString().endsWith(".lock")) {
                    contents.put(
                            data().relativize(p).toString(),
                            Arrays.hashCode(Files.readAllBytes(p)) + " bytes " + Files.size(p));
                }
            }
        }
        return contents;
    }

    @Test
    void aStartThatIsRefusedForOneLockHasChangedNothing() throws Exception {
        Server first = start();
        send(first);
        first.stop();
        // as after a kill: what a start would cut, and the log that it would write
        Path segment;
        try (Stream<Path> all = Files.list(data().resolve("messaging"))) {
            segment = all.filter(f -> f.toString().endsWith(".journal"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.write(segment, new byte[1000], StandardOpenOption.APPEND);
        Map<String, String> before = contents();
        for (String lock : List.of(
                "cluster/log/cluster.lock", "cluster/weir.lock", "statistics/weir.lock", "messaging/messages.lock")) {
            Path held = data().resolve(lock);
            try (FileChannel other = FileChannel.open(held, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                assertThat(other.lock().isValid()).isTrue();
                assertThatThrownBy(this::start)
                        .isInstanceOf(StartFailure.class)
                        .hasMessageContaining(
                                Objects.requireNonNull(held.getParent()).toString())
                        .hasMessageContaining("in use");
                assertThat(contents()).as(lock).isEqualTo(before);
            }
        }
        assertThatThrownBy(() -> start("listeners.http.address=192.0.2.1")).isInstanceOf(StartFailure.class);
        start().stop();
        assertThat(contents()).isNotEqualTo(before);
    }

    @Test
    void everyFileIsItsOwnersWhateverTheFolderWas() throws Exception {
        for (String folder : List.of("messaging", "cluster/log", "statistics", "logs", "history")) {
            Files.createDirectories(data().resolve(folder));
        }
        Files.writeString(data().resolve("logs/server.log"), "before\n");
        try (Stream<Path> all = Files.walk(data())) {
            for (Path p : all.toList()) {
                Files.setPosixFilePermissions(
                        p, PosixFilePermissions.fromString(Files.isDirectory(p) ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
        Server server = start("cluster.deploy.max-size=1MiB", "proxy.access-logs.main.file=logs/access");
        send(server);
        server.stop();
        List<String> open = new ArrayList<>();
        try (Stream<Path> all = Files.walk(data())) {
            for (Path p : all.filter(p -> !p.equals(data())).toList()) {
                String permissions =
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(p, LinkOption.NOFOLLOW_LINKS));
                if (!permissions.equals(Files.isDirectory(p) ? "rwx------" : "rw-------")) {
                    open.add(data().relativize(p) + " " + permissions);
                }
            }
        }
        assertThat(open).isEmpty();
        assertThat(contents().keySet())
                .as("all kinds are there")
                .anyMatch(f -> f.endsWith("server.log"))
                .anyMatch(f -> f.endsWith(".stat"))
                .anyMatch(f -> f.startsWith("messaging/messages-"))
                .anyMatch(f -> f.startsWith("cluster/log/cluster-"))
                .anyMatch(f -> f.startsWith("history/"));
    }
}
