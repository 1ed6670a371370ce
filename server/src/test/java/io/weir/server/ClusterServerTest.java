package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SystemClock;
import io.weir.server.cluster.LibJar;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
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
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is alone is a cluster of one: singletons of jars, what operators do to them, and an orderly end. */
@Tag("slow")
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
        assertThat(polled(() -> Files.exists(file) ? Files.readString(file) : "", t -> t.endsWith(end)))
                .endsWith(end);
    }

    private static void awaitPart(Path file, String part) throws Exception {
        assertThat(polled(() -> Files.readString(file), t -> t.contains(part))).contains(part);
    }

    private void awaitBody(Server server, String path, String part) throws Exception {
        assertThat(polled(() -> ask(server, "GET", path).body(), t -> t.contains(part)))
                .contains(part);
    }

    private static String polled(Callable<String> text, Predicate<String> enough) throws Exception {
        long until = SystemClock.INSTANCE.millis() + 20_000;
        String now = text.call();
        while (!enough.test(now) && SystemClock.INSTANCE.millis() < until) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            now = text.call();
        }
        return now;
    }

    @Test
    void aSingletonOfAJarIsActiveAfterTheStartAndDeactivatedAtTheEnd() throws Exception {
        Path notes = noting();
        Server server = start(withNoting(notes));
        await(notes, "\n");
        assertThat(Files.readString(notes)).matches("activated \\d+\n");
        awaitBody(server, "/cluster/singletons", "\"singleton\":\"noting\",\"phase\":\"active\",\"member\":\"weir\"");
        assertThat(ask(server, "GET", "/metrics").body())
                .contains("weir_lease_owner{lease=\"singleton/noting\",owner=\"weir\"} 1.0")
                .contains("weir_lease_left_seconds{basis=\"held\",lease=\"member/weir\"}")
                .contains("weir_singleton_phase{member=\"weir\",phase=\"active\",singleton=\"noting\"} 1.0");
        started.remove(server);
        assertThat(server.stop()).isTrue();
        assertThat(Files.readString(notes)).matches("activated \\d+\ndeactivated\n");
    }

    @Test
    void operatorsPauseResumeAndExplainAndEachChangeLeavesALine() throws Exception {
        Path notes = noting();
        Server server = start(withNoting(notes));
        await(notes, "\n");
        assertThat(ask(server, "POST", "/cluster/pause?name=noting&reason=maintenance")
                        .statusCode())
                .isEqualTo(200);
        await(notes, "deactivated\n");
        assertThat(ask(server, "GET", "/cluster/explain?name=noting").body()).contains("maintenance");
        started.remove(server);
        server.stop();
        Server again = start(withNoting(notes));
        awaitBody(again, "/cluster/singletons", "\"phase\":\"paused\"");
        assertThat(ask(again, "POST", "/cluster/resume?name=noting").statusCode())
                .isEqualTo(200);
        awaitBody(again, "/cluster/singletons", "\"phase\":\"active\"");
        assertThat(Files.readAllLines(notes)).hasSize(3);
        assertThat(ask(again, "GET", "/cluster/history?name=noting").body())
                .contains("\"by\":\"token\",\"reason\":\"paused: maintenance\"");
        again.flushLog();
        assertThat(stdout.toString(StandardCharsets.UTF_8))
                .contains("token from 127.0.0.1 requested pause of noting in the cluster (maintenance): done");
    }

    @Test
    void changesNeedTheTokenAndReadsDoNot() throws Exception {
        Server server = start();
        URI root = URI.create("http://" + server.adminAuthority() + "/cluster");
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(client.send(HttpRequest.newBuilder(root).build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            HttpRequest change = HttpRequest.newBuilder(URI.create(root + "/pause?name=x"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(client.send(change, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void aSingletonThatIsConfiguredNoMoreIsForgottenByAServerThatIsAlone() throws Exception {
        Path notes = noting();
        Server server = start(withNoting(notes));
        await(notes, "\n");
        started.remove(server);
        server.stop();
        Server without = start();
        awaitBody(without, "/cluster/history?name=noting&n=1", "\"to\":\"\"");
        awaitBody(without, "/cluster/singletons", "[]");
    }

    @Test
    void aTimerSendsAPersistentMessageWithItsKey() throws Exception {
        Server server = start(
                "timers.night.schedule=0 3 1 1 *", "timers.night.destination=queue/demo", "timers.night.message=wake");
        awaitBody(server, "/cluster/timers", "\"timer\":\"night\"");
        awaitBody(server, "/cluster/singletons", "\"phase\":\"active\"");
        assertThat(ask(server, "POST", "/cluster/timers/fire?id=night").statusCode())
                .isEqualTo(200);
        awaitBody(server, "/messaging", "\"messages\":{\"current\":1,");
        awaitBody(server, "/cluster/timers", "\"firings\":1");
        awaitBody(server, "/metrics", "weir_timer_fired_total{timer=\"night\"} 1");
        assertThat(ask(server, "POST", "/cluster/timers/pause?id=night").statusCode())
                .isEqualTo(200);
        assertThat(ask(server, "GET", "/cluster/timers").body()).contains("\"next\":\"\"", "\"paused\":true");
    }

    @Test
    void aTimerCallsAListenerOfAJar() throws Exception {
        Files.createDirectories(dir.resolve("lib"));
        Path notes = dir.resolve("ticks");
        LibJar.make(dir.resolve("lib/tick.jar"), "acme.Tick", """
                package acme;
                import io.weir.cluster.timer.*;
                import java.nio.file.*;
                public final class Tick implements TimerListener {
                    public void timerExpired(Firing f) throws Exception {
                        Files.writeString(Path.of("%s"), f.id() + " " + f.requested() + "\\n");
                    }
                }
                """.formatted(notes));
        Server server = start("timers.tick.schedule=0 3 1 1 *", "timers.tick.class-name=acme.Tick");
        awaitBody(server, "/cluster/singletons", "\"phase\":\"active\"");
        ask(server, "POST", "/cluster/timers/fire?id=tick");
        await(notes, "tick true\n");
    }

    @Test
    void anArchiveIsDeployedAnewAndUndeployedWhileTheServerRuns() throws Exception {
        Path notes = dir.resolve("notes");
        Files.createDirectories(dir.resolve("archives"));
        String source = NOTING.replace("Map<String, String> properties", "")
                .replace("Path.of(properties.get(\"file\"))", "Path.of(\"" + notes + "\")");
        String descriptor = "<weblogic-application><singleton-service><class-name>acme.Noting</class-name>"
                + "<name>noting</name></singleton-service></weblogic-application>";
        Path one = LibJar.make(dir.resolve("archives/one.jar"), "acme.Noting", source, descriptor);
        Path two = LibJar.make(
                dir.resolve("archives/two.jar"),
                "acme.Noting",
                source.replace("\"activated", "\"second activated"),
                descriptor);
        Server server = start();
        awaitBody(server, "/cluster/members", "\"state\":\"live\"");
        assertThat(ask(server, "POST", "/cluster/deploy?name=shop&file=" + one).body())
                .contains("shop deployed");
        await(notes, "\n");
        assertThat(ask(server, "POST", "/cluster/redeploy?name=shop&file=" + two)
                        .body())
                .contains("shop redeployed");
        awaitPart(notes, "deactivated\nsecond activated");
        assertThat(ask(server, "POST", "/cluster/undeploy?name=shop").body()).contains("shop undeployed");
        await(notes, "deactivated\n");
        assertThat(ask(server, "POST", "/cluster/redeploy?name=shop&file=" + two)
                        .statusCode())
                .isEqualTo(422);
    }

    private Path declared() throws Exception {
        Files.createDirectories(dir.resolve("archives"));
        return LibJar.make(
                dir.resolve("archives/noting.jar"),
                "acme.Noting",
                NOTING,
                "<weblogic-application><singleton-service><class-name>acme.Noting</class-name><name>noting</name></singleton-service></weblogic-application>");
    }

    @Test
    void anEntryWithoutAClassConfiguresTheDeployedSingleton() throws Exception {
        Path notes = dir.resolve("notes");
        String[] entry = {"singletons.noting.properties.file=" + notes, "singletons.noting.preferred-server=weir"};
        Server server = start(entry);
        awaitBody(server, "/cluster/members", "\"state\":\"live\"");
        assertThat(ask(server, "GET", "/cluster/singletons").body()).doesNotContain("noting");
        Path jar = declared();
        assertThat(ask(server, "POST", "/cluster/deploy?name=shop&file=" + jar).body())
                .contains("shop deployed");
        await(notes, "\n");
        assertThat(ask(server, "GET", "/cluster/singletons").body()).contains("\"preferred\":\"weir\"");
        started.remove(server);
        server.stop();
        Server again = start(entry);
        awaitBody(again, "/cluster/singletons", "\"phase\":\"active\"");
    }

    @Test
    void anEntryOfTheDeployedClassConfiguresItAndOneOfAnotherClassKeepsTheName() throws Exception {
        Path notes = dir.resolve("notes");
        Server server = start(
                "singletons.noting.class-name=acme.Noting",
                "singletons.noting.properties.file=" + notes,
                "singletons.noting.additional-migration-attempts=0");
        awaitBody(server, "/cluster/singletons", "\"phase\":\"failed\"");
        Path jar = declared();
        assertThat(ask(server, "POST", "/cluster/deploy?name=shop&file=" + jar).body())
                .contains("shop deployed");
        await(notes, "\n");
        assertThat(ask(server, "POST", "/cluster/undeploy?name=shop").statusCode())
                .isEqualTo(200);
        started.remove(server);
        server.stop();
        Server other = start("singletons.noting.class-name=acme.Other");
        awaitBody(other, "/cluster/singletons", "noting");
        HttpResponse<String> refused = ask(other, "POST", "/cluster/deploy?name=shop&file=" + jar);
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("there is a singleton noting of the configuration");
    }

    @Test
    void aClassThatIsMissingFailsOnEveryMemberAndSaysWhy() throws Exception {
        Server server =
                start("singletons.gone.class-name=acme.Gone", "singletons.gone.additional-migration-attempts=0");
        awaitBody(server, "/cluster/singletons", "\"phase\":\"failed\"");
        assertThat(ask(server, "GET", "/cluster/explain?name=gone").body()).contains("there is no class acme.Gone");
        assertThat(ask(server, "GET", "/health/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void viewsShowTheClusterOfOne() throws Exception {
        Server server = start();
        awaitBody(server, "/cluster", "\"membersLive\":1");
        assertThat(ask(server, "GET", "/cluster").body()).contains("\"leasing\":\"local\",\"role\":\"leader\"");
        assertThat(ask(server, "GET", "/.perf").body())
                .contains("ClusterInfo weir:\n", "Members Live/Known                         1/1\n", "member/weir");
        assertThat(ask(server, "GET", "/stats-xml").body()).contains("<cluster-bucket name=\"weir\"", "mode=\"live\"");
        assertThat(ask(server, "GET", "/metrics").body()).contains("weir_cluster_members{state=\"live\"} 1");
        assertThat(ask(server, "GET", "/health").body()).contains("\"name\":\"cluster weir\",\"status\":\"up\"");
    }

    @Test
    void leasesMayBeRowsOfADatabase() throws Exception {
        Path notes = noting();
        String url = "jdbc:h2:file:" + dir.resolve("leases").toAbsolutePath();
        List<String> sets = new ArrayList<>(List.of(withNoting(notes)));
        sets.addAll(List.of(
                "cluster.member=alpha",
                "cluster.leasing=database",
                "cluster.database.url=" + url,
                "cluster.initial-boot-delay=0s"));
        Server server = start(sets.toArray(String[]::new));
        await(notes, "\n");
        assertThat(ask(server, "GET", "/cluster").body()).contains("\"leasing\":\"database\"");
        awaitBody(server, "/cluster/singletons", "\"member\":\"alpha\"");
        started.remove(server);
        assertThat(server.stop()).isTrue();
        assertThat(Files.readAllLines(notes)).hasSize(2).last().isEqualTo("deactivated");
        assertThat(printed()).doesNotContain("defines singletons.");
        sets.addAll(List.of(
                "singletons.noting.preferred-server=alpha",
                "singletons.noting.properties.other=1",
                "singletons.ghost.preferred-server=alpha"));
        Server again = start(sets.toArray(String[]::new));
        awaitBody(again, "/cluster/history", "redefined: preferred-server, properties.other");
        assertThat(printed())
                .contains(
                        "Member alpha redefines singletons.noting for the whole cluster: its file differs from what the"
                                + " cluster had in preferred-server, properties.other")
                .as("told as a notice")
                .contains("\nThe entry singletons.ghost waits for a deployment: it has no"
                        + " class-name, and no deployed archive has a singleton of that name yet.");
    }

    private String printed() {
        return stdout.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aDatabaseWithoutADriverRefusesTheStartAndSaysWhatToDo() {
        assertThatThrownBy(() -> start(
                        "cluster.member=alpha", "cluster.leasing=database", "cluster.database.url=jdbc:nothing:x"))
                .isInstanceOf(StartFailure.class)
                .hasMessageStartingWith("cluster.database: ");
    }

    @Test
    void aLogThatCannotBeOpenedRefusesTheStart() throws Exception {
        Files.createDirectories(dir.resolve("cluster"));
        Files.writeString(dir.resolve("cluster/log"), "not a folder");
        assertThatThrownBy(this::start).isInstanceOf(StartFailure.class).hasMessageContaining("cluster/log");
    }

    @Test
    void whatTheClusterIsMadeOfIsFixedAtTheStart() throws Exception {
        Server server = start();
        String token = Files.readString(dir.resolve(AdminToken.FILE)).strip();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest patch = HttpRequest.newBuilder(URI.create("http://" + server.adminAuthority() + "/knobs"))
                    .header("Authorization", "Bearer " + token)
                    .method("PATCH", HttpRequest.BodyPublishers.ofString("{\"cluster.lease.time-to-live\": \"2s\"}"))
                    .build();
            HttpResponse<String> refused = client.send(patch, HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("cluster.lease.time-to-live");
        }
    }
}
