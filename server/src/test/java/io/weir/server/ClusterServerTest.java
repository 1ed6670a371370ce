package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.server.cluster.LibJar;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.users.AdminToken;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is alone is a cluster of one: singletons of jars, what operators do to them, and an orderly end. */
final class ClusterServerTest {
    private static final String NOTING = """
            package acme;
            import io.weir.base.Fence;
            import java.nio.file.*;
            import java.util.Map;
            public final class Noting implements io.weir.cluster.SingletonService {
                private final Path file;
                public Noting(Map<String, String> properties) { file = Path.of(properties.get("file")); }
                public void activate(Fence fence) throws Exception { note("activated " + fence.counter()); }
                public void deactivate() throws Exception { note("deactivated"); }
                private void note(String line) throws Exception {
                    Files.writeString(file, line + "\\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                }
            }
            """;

    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final List<Server> started = new ArrayList<>();

    @TempDir
    private Path dir = Path.of("");

    private LoadedConfig load(String... sets) {
        List<String> all = new ArrayList<>(List.of(
                "listeners.http.port=0", "listeners.messaging.port=0", "admin.port=0", "server.data-dir=" + dir));
        all.addAll(List.of(sets));
        return new ConfigLoader(null, all, null).load();
    }

    private Server start(String... sets) throws StartFailure {
        LoadedConfig loaded = load(sets);
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

    private Path noting() throws Exception {
        Files.createDirectories(dir.resolve("lib"));
        LibJar.make(dir.resolve("lib/noting.jar"), "acme.Noting", NOTING);
        return dir.resolve("notes");
    }

    private String[] withNoting(Path notes) {
        return new String[] {"singletons.noting.class-name=acme.Noting", "singletons.noting.properties.file=" + notes};
    }

    private HttpResponse<String> ask(Server server, String method, String path) throws Exception {
        String token = Files.readString(dir.resolve(AdminToken.FILE)).strip();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://" + server.adminAuthority() + path))
                            .header("Authorization", "Bearer " + token)
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private static void await(Path file, String end) throws Exception {
        long until = SystemClock.INSTANCE.millis() + 20_000;
        while (!(Files.exists(file) && Files.readString(file).endsWith(end)) && SystemClock.INSTANCE.millis() < until) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        assertThat(file).content().endsWith(end);
    }

    @Test
    void aSingletonOfAJarIsActiveAfterTheStartAndDeactivatedAtTheEnd() throws Exception {
        Path notes = noting();
        Server server = start(withNoting(notes));
        await(notes, "\n");
        assertThat(Files.readString(notes)).matches("activated \\d+\n");
        assertThat(ask(server, "GET", "/cluster/singletons").body())
                .contains("\"singleton\":\"noting\",\"phase\":\"active\",\"member\":\"weir\"");
        started.remove(server);
        assertThat(server.stop()).isTrue();
        assertThat(Files.readString(notes)).matches("activated \\d+\ndeactivated\n");
    }
}
