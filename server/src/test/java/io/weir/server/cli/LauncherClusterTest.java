package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.server.cluster.LibJar;
import io.weir.server.files.DataDirectory;
import io.weir.server.users.AdminToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir cluster} and {@code weir deploy} as processes against a server as a process. */
@Tag("slow")
final class LauncherClusterTest {
    private static final String QUIET = """
            package acme;
            public final class Quiet implements io.weir.cluster.SingletonService {
                public void activate(io.weir.base.Fence fence) {}
                public void deactivate() {}
            }
            """;

    @TempDir
    private Path dir = Path.of("");

    private Launched weir = new Launched(dir);

    @BeforeEach
    void prepare() {
        weir = new Launched(dir);
    }

    @AfterEach
    void stop() throws Exception {
        weir.killServer();
    }

    private Launched.Result run(String... words) throws Exception {
        return weir.call(words);
    }

    /** Asks again and again until the answer says it. */
    private String until(String part, String... words) throws Exception {
        long end = SystemClock.INSTANCE.millis() + 30_000;
        Launched.Result r = run(words);
        while (!r.out().contains(part) && SystemClock.INSTANCE.millis() < end) {
            r = run(words);
        }
        assertThat(r.out()).contains(part);
        return r.out();
    }

    @Test
    void wrongUsageIsTold() throws Exception {
        assertThat(run("cluster")).satisfies(Launched.Result::isUsage);
        assertThat(run("cluster", "dance").code()).isEqualTo(2);
        assertThat(run("cluster", "timers", "dance", "night").code()).isEqualTo(2);
        assertThat(run("cluster", "timers", "fire"))
                .satisfies(r -> assertThat(r.code()).isEqualTo(2))
                .satisfies(r -> assertThat(r.err())
                        .contains("timers fire needs the NAME of a timer", "weir cluster timers")
                        .doesNotContain("replace"));
        assertThat(run("deploy").code()).isEqualTo(2);
        assertThat(run("cluster", "deploy").err()).contains("JAR");
        assertThat(run("cluster", "deploy", "nowhere.jar").err()).contains("nowhere.jar: there is no such file");
        assertThat(run("cluster", "status").err()).contains("no server is running");
        assertThat(run("deploy", "nowhere.jar").err()).contains("nowhere.jar: there is no such file");
    }

    @Test
    void aClusterOfOneIsLookedAtAndChanged() throws Exception {
        Path archives = Files.createDirectories(dir.resolve("archives"));
        Path jar = LibJar.make(
                archives.resolve("shop.jar"),
                "acme.Quiet",
                QUIET,
                "<weblogic-application><singleton-service><class-name>acme.Quiet</class-name><name>quiet</name>"
                        + "</singleton-service></weblogic-application>");
        Launched.Result start = run(
                "run",
                "--background",
                "--set",
                "listeners.http.port=0",
                "--set",
                "listeners.messaging.port=0",
                "--set",
                "admin.port=0",
                "--set",
                "timers.night.schedule=0 3 1 1 *",
                "--set",
                "timers.night.destination=queue/demo");
        assertThat(start.code()).as(start.toString()).isZero();
        assertThat(start.err()).isEmpty();

        assertThat(until("members live    1", "cluster", "status"))
                .contains("cluster         weir\n", "leasing         local\n", "leader          weir\n");
        assertThat(run("cluster", "members").out())
                .containsPattern("member +state +leader +witness +address +lag +incarnation +here\n")
                .containsPattern("weir +live +yes +no +127\\.0\\.0\\.1:\\d+ +");
        Launched.Result deployed = run("deploy", jar.toString());
        assertThat(deployed.out()).startsWith("shop deployed, version ").endsWith("quiet is active on weir\n");
        assertThat(deployed.code()).isZero();
        assertThat(run("cluster", "singletons").out()).containsPattern("quiet +active +weir +- +1\\.\\d+");
        assertThat(run("cluster", "pause", "quiet", "--reason", "a test").out()).isEqualTo("pause quiet: done\n");
        assertThat(run("cluster", "explain", "quiet").out()).contains("a test");
        assertThat(run("cluster", "resume", "quiet").code()).isZero();
        assertThat(run("cluster", "migrate", "quiet", "--to", "nobody").err())
                .contains("there is no member \"nobody\". Known: weir");
        assertThat(run("cluster", "timers").out())
                .containsPattern("night +0 3 1 1 \\* +UTC +- +\\d{4}-01-01T03:00:00Z");
        assertThat(run("cluster", "timers", "fire", "night").out()).isEqualTo("fire timer night: done\n");
        assertThat(run("cluster", "leases", "--json").out()).startsWith("[{\"lease\":\"member/weir\"");
        assertThat(run("cluster", "deployments").out()).containsPattern("shop +\\d+ +\\d+ +weir ");
        Path renamed = Files.copy(jar, archives.resolve("shop-2.jar"));
        assertThat(run("redeploy", renamed.toString()).out()).startsWith("shop unchanged: version ");
        assertThat(run("cluster", "forget", "quiet", "--reason", "a try").err())
                .contains("the deployment shop has quiet");
        assertThat(run("cluster", "timers", "forget", "night").err()).contains("the configuration of weir has night");
        String admin = DataDirectory.pidFile(weir.data()).getOrDefault("admin", "");
        Path token = Files.copy(weir.data().resolve(AdminToken.FILE), dir.resolve("copy-of-token"));
        elsewhere(admin, token);
        assertThat(run("undeploy", "shop", "--admin", admin, "--token-file", token.toString(), "--reason", "sold out")
                        .out())
                .isEqualTo("shop undeployed\n");
        assertThat(run("cluster", "explain", "quiet").out())
                .contains("there is no singleton quiet\n", "shop was undeployed: sold out");
        deployedByAVerbOfTheCluster(jar);
        assertThat(Files.readString(weir.data().resolve("logs/server.log")))
                .contains("token from 127.0.0.1 requested pause of quiet in the cluster (a test): done");
        assertThat(run("stop").code()).isZero();
    }

    private void deployedByAVerbOfTheCluster(Path jar) throws Exception {
        assertThat(run("cluster", "deploy", jar.toString()).out()).startsWith("shop deployed, version ");
        assertThat(run("cluster", "undeploy", "shop").out()).isEqualTo("shop undeployed\n");
        assertThat(run("cluster", "bindings").out()).isEqualTo("none\n");
    }

    /** Every verb of the cluster is for a server elsewhere, too. */
    private void elsewhere(String admin, Path token) throws Exception {
        String[] there = {"--admin", admin, "--token-file", token.toString()};
        for (String[] words : new String[][] {
            {"cluster", "status"},
            {"cluster", "history", "quiet"},
            {"cluster", "explain", "quiet"},
            {"cluster", "pause", "quiet"},
            {"cluster", "resume", "quiet"},
            {"cluster", "timers"},
            {"cluster", "timers", "pause", "night"}
        }) {
            List<String> all = new ArrayList<>(List.of(words));
            all.addAll(List.of(there));
            // the data directory of the folder is not asked for
            all.addAll(List.of("--set", "server.data-dir=" + dir.resolve("nowhere")));
            Launched.Result r = run(all.toArray(String[]::new));
            assertThat(r.code()).as(all + " " + r).isZero();
        }
        assertThat(run("cluster", "status", "--admin", admin).err()).contains("--admin needs --token-file");
        assertThat(run("cluster", "status", "--token-file", token.toString()).err())
                .contains("goes with --admin");
    }

    @Test
    void whatDoesNotBecomeActiveIsNoSuccess() throws Exception {
        Path archives = Files.createDirectories(dir.resolve("archives"));
        String descriptor = "<weblogic-application><singleton-service><class-name>acme.Quiet</class-name>"
                + "<name>quiet</name></singleton-service></weblogic-application>";
        Path failing = LibJar.make(
                archives.resolve("failing.jar"),
                "acme.Quiet",
                QUIET.replace("fence) {}", "fence) { throw new IllegalStateException(\"no luck\"); }"),
                descriptor);
        assertThat(run(
                                "run",
                                "--background",
                                "--set",
                                "listeners.http.port=0",
                                "--set",
                                "listeners.messaging.port=0",
                                "--set",
                                "admin.port=0")
                        .code())
                .isZero();
        until("members live    1", "cluster", "status");
        Launched.Result refused = run("deploy", failing.toString());
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).startsWith("failing deployed, version ");
        assertThat(refused.err()).contains("deployed, but quiet is waiting", "no luck", "it is tried again in");
        assertThat(run("deploy", failing.toString(), "--wait", "0").code()).isZero();
        assertThat(run("stop").code()).isZero();
    }

    @Test
    void twoMembersWithoutAWitnessDoNotStart() throws Exception {
        Launched.Result refused = run(
                "run",
                "--background",
                "--set",
                "cluster.member=alpha",
                "--set",
                "cluster.members=[127.0.0.1:7001, 127.0.0.1:7002]");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("cluster.role: witness", "leasing: database");
    }
}
