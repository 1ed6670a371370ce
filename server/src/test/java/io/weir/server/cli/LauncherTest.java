package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import io.weir.server.admin.Await;
import io.weir.server.files.DataDirectory;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as a process, with the classes under test in place of a built distribution. */
@Tag("slow")
final class LauncherTest {
    private static final String[] PORTS = {
        "--set", "listeners.http.port=0", "--set", "listeners.messaging.port=0", "--set", "admin.port=0"
    };

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

    private Launched.Result onPorts(String... words) throws Exception {
        String[] all = new String[words.length + PORTS.length];
        System.arraycopy(words, 0, all, 0, words.length);
        System.arraycopy(PORTS, 0, all, words.length, PORTS.length);
        return weir.call(all);
    }

    @Test
    void unknownVerbsAndOptionsAreUsageOnStderrAndExitTwo() throws Exception {
        assertThat(run()).satisfies(Launched.Result::isUsage);
        assertThat(run("dance")).satisfies(Launched.Result::isUsage);
        assertThat(run("dance").err()).contains("unknown verb: dance");
        assertThat(run("test", "now")).satisfies(Launched.Result::isUsage);
        assertThat(run("test", "now").err()).contains("no such room: now");
        assertThat(run("test", "--fast")).satisfies(Launched.Result::isUsage);
        assertThat(run("test", "--fast").err()).contains("test has no option --fast");
        assertThat(run("test", "--help").out()).startsWith("Usage: weir test");
        assertThat(run("run", "--fast")).satisfies(Launched.Result::isUsage);
        assertThat(run("config")).satisfies(Launched.Result::isUsage);
        assertThat(run("config", "rollback")).satisfies(Launched.Result::isUsage);
    }

    @Test
    void versionNamesTheJava() throws Exception {
        Launched.Result r = run("--version");
        assertThat(r.code()).isZero();
        assertThat(r.out()).startsWith("Weir ").contains("on Java 25");
    }

    /** A member's start is the longest of all, and most of it are classes that a server alone does not have. */
    @Test
    void theStartUpCacheIsMadeOfAClusterToo() {
        assertThat(weir.training())
                .content()
                .contains("This member replicates the log of cluster weir with [alpha, beta, gamma]")
                .doesNotContain("WEIR-000362");
    }

    @Test
    void withoutJdk25TheRemedyIsPrinted() throws Exception {
        Path fake = Files.createDirectories(dir.resolve("jdk-25/bin"));
        for (String tool : new String[] {"java", "javac"}) {
            Files.writeString(fake.resolve(tool), "#!/bin/sh\n");
            assertThat(fake.resolve(tool).toFile().setExecutable(true)).isTrue();
        }
        Files.writeString(dir.resolve("jdk-25/release"), "JAVA_VERSION=\"21.0.1\"\n");
        weir.javaHome(dir.resolve("jdk-25"), dir.resolve("none"));
        Launched.Result r = run("version");
        assertThat(r.code()).isEqualTo(1);
        assertThat(r.err())
                .contains("no JDK 25 was found. Looked at WEIR_JAVA_HOME, JAVA_HOME and none (WEIR_JDKS).\n")
                .contains("openjdk-25-jdk")
                .contains("WEIR_JAVA_HOME");
    }

    @Test
    void launcherWorksThroughALinkAndFromAnyFolder() throws Exception {
        Path link = Files.createSymbolicLink(dir.resolve("linked"), weir.script());
        weir.script(
                Files.createSymbolicLink(Files.createDirectory(dir.resolve("b")).resolve("again"), link));
        assertThat(run("version").code()).isZero();
        Files.delete(weir.script());
        Files.delete(link);
    }

    @Test
    void checkReportsEveryProblemAndExitsOne() throws Exception {
        Path file = Files.writeString(dir.resolve("bad.yaml"), "listeners:\n  http: {port: x, bcklog: 3}\n");
        Launched.Result r = run("check", file.toString());
        assertThat(r.code()).isEqualTo(1);
        assertThat(r.err())
                .contains("bad.yaml:2:16: listeners.http.port: expected an integer")
                .contains("did you mean \"backlog\"?")
                .contains("2 problems");
        Files.writeString(file, "listeners:\n  http: {port: 8080}\n");
        assertThat(run("check", file.toString()).out()).contains("the configuration is correct");
        r = run("check", file.toString(), "--set", "cache.max-object-size=1GiB");
        assertThat(r.code()).isZero();
        assertThat(r.out()).contains("the configuration is correct");
        assertThat(r.err()).contains("warning: ", "cache.max-object-size: is 1GiB");
        assertThat(run("check", "--print-default").out()).contains("listeners:");
        assertThat(run("check", "--explain", "http://localhost/").out()).contains("demo-origin");
        Files.writeString(file, "listeners:\n  http: {port: 0}\nproxy:\n  routes:\n    - origins: [nonsense]\n");
        assertThat(run("check", file.toString()).err()).contains("bad.yaml:5:").contains("expected an origin");
    }

    @Test
    void everyVerbExplainsItself() throws Exception {
        for (String verb : List.of("run", "stop", "check", "passwd", "perfdump", "version")) {
            Launched.Result r = run(verb, "--help");
            assertThat(r.code()).as(verb).isZero();
            assertThat(r.out()).contains("Usage: weir " + verb);
        }
    }

    @Test
    void missingFileIsTheOnlyProblemAndIsToldInWords() throws Exception {
        String missing = dir.resolve("missing.yaml").toString();
        Launched.Result check = run("check", missing);
        assertThat(check.code()).isEqualTo(1);
        assertThat(check.err()).contains(missing + ": there is no such file").contains("1 problem in");
        assertThat(run("stop", "--config", missing).err()).contains("weir: " + missing + ": there is no such file");
        assertThat(onPorts("config", "rollback", "99").err())
                .startsWith("weir: there is no configuration 99 in ")
                .doesNotContain("Exception");
    }

    @Test
    void explainSaysWhatItWantsToKnow() throws Exception {
        assertThat(run("check", "--explain", "nonsense").code()).isEqualTo(2);
        assertThat(run("check", "--method", "CONNECT", "--explain", "http://example.com/")
                        .err())
                .contains("expected host:port, such as example.com:443");
        assertThat(run("check", "--method", "CONNECT", "--explain", "example.com:443")
                        .code())
                .isZero();
    }

    @Test
    void wrongConfigurationStopsTheStart() throws Exception {
        Launched.Result r = onPorts("run", "--set", "kernel.muxr=nio");
        assertThat(r.code()).isEqualTo(1);
        assertThat(r.err()).contains("--set kernel.muxr: unknown key; did you mean \"muxer\"?");
    }

    @Test
    void backgroundServerIsReadyServesViewsAndStopsDrained() throws Exception {
        Launched.Result start = onPorts("run", "--background", "--set", "proxy.access-log.format=extended");
        assertThat(start.code()).as(start.toString()).isZero();
        assertThat(start.out())
                .containsPattern("Channel \"http\" is now listening on 127\\.0\\.0\\.1:\\d+ for protocols http\\.")
                .containsPattern("Channel \"admin\" is now listening on 127\\.0\\.0\\.1:\\d+ for protocols http\\.")
                .containsPattern("Muxer (epoll|nio) with \\d+ socket readers")
                .containsPattern("ready in \\d+ ms")
                .contains("curl -i http://127.0.0.1:")
                .contains("curl -x http://127.0.0.1:");
        assertThat(run("perfdump").out()).contains("ConnectionQueue:");
        assertThat(run("stats-xml").out()).contains("<stats ");
        assertThat(run("tls", "list").out()).isEqualTo("no certificates\n");
        whatAttachesFindsTheBeans();
        accessLogIsReopenedRotatedAndReadBack();
        Launched.Result second = onPorts("run");
        assertThat(second.code()).isEqualTo(1);
        assertThat(second.err()).contains("is in use by process " + weir.serverPid());
        Launched.Result stop = run("stop");
        assertThat(stop.code()).isZero();
        assertThat(stop.out()).contains("stopped");
        assertThat(run("stop")).satisfies(r -> {
            assertThat(r.code()).isEqualTo(1);
            assertThat(r.err()).contains("no server is running");
        });
        assertThat(run("perfdump").code()).isEqualTo(1);
    }

    /** As JConsole does; until then the server has no MBean server. */
    @SuppressWarnings("BanJNDI") // a server of this test, through the agent that it was asked for
    private void whatAttachesFindsTheBeans() throws Exception {
        VirtualMachine jvm = VirtualMachine.attach(Long.toString(weir.serverPid()));
        try (JMXConnector client = JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent()))) {
            MBeanServerConnection beans = client.getMBeanServerConnection();
            ObjectName pool = new ObjectName("io.weir:type=ThreadPoolRuntime,name=default");
            Await.until(() -> isRegistered(beans, pool));
        } finally {
            jvm.detach();
        }
    }

    private static boolean isRegistered(MBeanServerConnection beans, ObjectName name) {
        try {
            return beans.isRegistered(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accessLogIsReopenedRotatedAndReadBack() throws Exception {
        Path logs = weir.data().resolve("logs");
        requested("/before");
        Files.move(logs.resolve("access"), logs.resolve("moved"));
        assertThat(new ProcessBuilder("kill", "-HUP", Long.toString(weir.serverPid()))
                        .start()
                        .waitFor())
                .isZero();
        requested("/after");
        assertThat(logs.resolve("moved")).content().contains("/before").doesNotContain("/after");
        Launched.Result rotated = run("log", "rotate");
        assertThat(rotated.out()).as(rotated.toString()).isEqualTo("{\"rotated\":[\"global\"]}\n");
        assertThat(run("log", "top", "--all").out())
                .contains("1 records")
                .contains("100.0%  127.0.0.1")
                .contains("/after")
                .contains("Slowest URLs:");
        assertThat(run("log")).satisfies(Launched.Result::isUsage);
    }

    /** Asks for a path until the access log tells it. */
    private void requested(String path) throws Exception {
        String address = DataDirectory.pidFile(weir.data()).get("listener.http");
        URL url = URI.create("http://" + address + path).toURL();
        assertThat(((HttpURLConnection) url.openConnection()).getResponseCode()).isEqualTo(404);
        Path log = weir.data().resolve("logs/access");
        for (int i = 0; i < 1000 && !(Files.exists(log) && Files.readString(log).contains(path)); i++) {
            LockSupport.parkNanos(10_000_000L);
        }
        assertThat(log).content().contains(path);
    }

    /** The Java starts: it is this configuration that stops it. */
    @Test
    void anotherCollectorIsNoConflict() throws Exception {
        weir.options("-XX:+UseZGC -XX:AOTMode=auto -Xlog:aot=off -Xlog:cds=off");
        Launched.Result r = onPorts("run", "--set", "kernel.muxr=nio");
        assertThat(r.code()).isEqualTo(1);
        assertThat(r.err()).contains("--set kernel.muxr: unknown key").doesNotContain("onflicting collector");
    }

    @Test
    @Tag("nightly")
    void serverOfAnotherCollectorStartsAndIsAskedAndStopped() throws Exception {
        // this distribution insists on its start-up cache, which the launcher does not
        weir.options("-XX:+UseZGC -XX:AOTMode=auto -Xlog:aot=off -Xlog:cds=off");
        Launched.Result start = onPorts("run", "--background");
        assertThat(start.code()).as(start.toString()).isZero();
        assertThat(start.err()).isEmpty();
        assertThat(Path.of("/proc", Long.toString(weir.serverPid()), "cmdline"))
                .content()
                .contains("-XX:+UseZGC")
                .doesNotContain("UseSerialGC");
        assertThat(run("perfdump").out()).contains("ConnectionQueue:");
        assertThat(run("stop").out()).contains("stopped");
    }

    @Test
    void foregroundServerExitsZeroOnSigterm() throws Exception {
        Process server = weir.start(
                "run",
                "--set",
                "listeners.http.port=0",
                "--set",
                "listeners.messaging.port=0",
                "--set",
                "admin.enabled=off");
        weir.awaitReady(server);
        server.destroy();
        assertThat(server.waitFor()).isZero();
        assertThat(weir.data().resolve("weir.pid")).doesNotExist();
    }

    private static void worked(Launched.Result result) {
        assertThat(result.code()).as(result.out() + result.err()).isZero();
    }

    @Test
    void killedServerLeavesNothingThatHindersTheNext() throws Exception {
        worked(onPorts("run", "--background"));
        weir.killServer();
        Launched.Result stop = run("stop");
        assertThat(stop.code()).isEqualTo(1);
        assertThat(stop.err()).contains("no server is running");
        worked(onPorts("run", "--background"));
        worked(run("stop"));
    }

    @Test
    void whatAServerWritesIsItsOwnersAndLogsElsewhereAreAsTheOperatorHasThem() throws Exception {
        Path log = dir.resolve("var/log/server.log");
        assertThat(onPorts("run", "--background", "--set", "server.log.file=" + log)
                        .code())
                .isZero();
        assertThat(Path.of("/proc", Long.toString(weir.serverPid()), "status"))
                .content()
                .contains("Umask:\t0077\n");
        assertThat(run("stop").code()).isZero();
        Path mine = Files.createFile(dir.resolve("mine"));
        assertThat(Files.getPosixFilePermissions(log)).isEqualTo(Files.getPosixFilePermissions(mine));
        try (Stream<Path> all = Files.walk(weir.data())) {
            assertThat(all.filter(Files::isRegularFile)).allMatch(LauncherTest::isPrivate);
        }
    }

    private static boolean isPrivate(Path file) {
        try {
            return PrivateFiles.isPrivate(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void stopNeverTouchesAForeignProcess() throws Exception {
        Process foreign = new ProcessBuilder("tail", "-f", "/dev/null").start();
        try {
            Files.createDirectories(weir.data());
            Files.writeString(weir.data().resolve("weir.pid"), foreign.pid() + "\nstart-ticks=1\n");
            assertThat(run("stop").code()).isEqualTo(1);
            assertThat(foreign.isAlive()).isTrue();
        } finally {
            foreign.destroyForcibly();
        }
    }

    @Test
    void takenPortNamesTheKnobToSet() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            String port = Integer.toString(taken.getLocalPort());
            Launched.Result http = run(
                    "run",
                    "--background",
                    "--set",
                    "admin.port=0",
                    "--set",
                    "listeners.messaging.port=0",
                    "--set",
                    "listeners.http.port=" + port,
                    "--set",
                    "listeners.http.address=0.0.0.0");
            assertThat(http.code()).isEqualTo(1);
            assertThat(http.out()).contains("did not start").contains("listeners.http.port");
            Launched.Result admin = run(
                    "run",
                    "--set",
                    "listeners.http.port=0",
                    "--set",
                    "listeners.messaging.port=0",
                    "--set",
                    "admin.port=" + port,
                    "--set",
                    "admin.address=0.0.0.0");
            assertThat(admin.code()).isEqualTo(1);
            assertThat(admin.err()).contains("set admin.port");
        }
    }

    @Test
    void historyAndRollbackWorkWithAndWithoutTheServer() throws Exception {
        assertThat(run("config", "history").out()).contains("No configuration was applied yet");
        assertThat(onPorts("run", "--background").code()).isZero();
        Launched.Result missing = run("config", "rollback", "9");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err())
                .startsWith("weir: ")
                .contains("there is no configuration 9")
                .doesNotContain("{");
        assertThat(missing.out()).isEmpty();
        assertThat(run("config", "rollback", "1").code()).isZero();
        Path overrides = weir.data().resolve("overrides.yaml");
        Files.writeString(overrides, "kernel: {request-throttel: 7, request-throttle: many}\n");
        Launched.Result reload = run("config", "reload");
        assertThat(reload.code()).isEqualTo(1);
        assertThat(reload.err().lines())
                .as("each mistake as check prints it")
                .hasSize(3)
                .anyMatch(l -> l.startsWith(overrides + ":1:10: kernel.request-throttel: unknown key"))
                .anyMatch(l -> l.startsWith(overrides + ":1:") && l.contains("kernel.request-throttle: "));
        Files.delete(overrides);
        assertThat(weir.callWithInput("secret\n", "passwd", "anna").code()).isZero();
        assertThat(run("jms", "browse", "queue/orders").err())
                .contains("specify a user with --user NAME")
                .contains("WEIR_PASSWORD");
        assertThat(run("passwd", "anna", "--delete").code()).isZero();
        assertThat(run("stop").code()).isZero();
        assertThat(run("config", "history").out()).contains("     1  20").contains("start");
        assertThat(run("config", "diff").out()).contains("+ listeners.http.port: 0");
        Path history = weir.data().resolve("history");
        Files.move(history.resolve("000001.yaml"), history.resolve("000007.yaml"));
        Files.writeString(history.resolve("000003.yaml"), "# time: t\n# author: a\n# what: w\na: 1\n");
        assertThat(run("config", "diff").out()).as("the one before 7 is 3").contains("- a: 1");
        Files.write(history.resolve("000003.yaml"), new byte[] {(byte) 0xfc});
        assertThat(run("config", "history").err()).contains("000003.yaml cannot be read: it is not UTF-8 text");
        Files.delete(history.resolve("000003.yaml"));
        Files.move(history.resolve("000007.yaml"), history.resolve("000001.yaml"));
        Launched.Result offline = run("config", "rollback", "1");
        assertThat(offline.code()).as(offline.toString()).isZero();
        assertThat(Files.readString(weir.data().resolve("overrides.yaml"))).contains("port: 0");
        assertThat(run("config", "rollback", "9").code()).isEqualTo(1);
        assertThat(run("config", "drop", "listeners.http.port").out()).contains("Dropped listeners.http.port.");
        assertThat(run("config", "drop", "listeners.http.port").err()).contains("no change of listeners.http.port");
        assertThat(Files.readString(weir.data().resolve("overrides.yaml"))).doesNotContain("http");
    }

    @Test
    void ofTwoThatStartAtOnceOneStartsAndEachSaysWhatBecameOfIt() throws Exception {
        FutureTask<Launched.Result> other = new FutureTask<>(() -> onPorts("run", "--background"));
        Thread.ofPlatform().start(other);
        Launched.Result mine = onPorts("run", "--background");
        List<Launched.Result> both = List.of(mine, other.get());
        assertThat(both).extracting(Launched.Result::code).containsExactlyInAnyOrder(0, 1);
        for (Launched.Result r : both) {
            String said = r.out() + r.err();
            assertThat(said)
                    .as(r.toString())
                    .contains(r.code() == 0 ? "The server runs in the background" : "the server did not start");
            assertThat(said)
                    .as(r.toString())
                    .doesNotContain(r.code() == 0 ? "did not start" : "runs in the background");
        }
        assertThat(run("stop").code()).isZero();
        try (Stream<Path> left = Files.list(weir.data())) {
            assertThat(left.map(p -> p.getFileName().toString())).noneMatch(n -> n.matches("server[.]out[.].+"));
        }
    }

    @Test
    void aDataDirectoryThatCannotBeMadeIsToldInWords() throws Exception {
        Launched.Result r = run("run", "--background", "--set", "server.data-dir=/etc/passwd/data");
        assertThat(r.code()).isEqualTo(1);
        assertThat(r.err())
                .contains("the data directory /etc/passwd/data cannot be made: ")
                .doesNotContain("Exception");
    }

    @Test
    void passwordsAreSetListedAndRemoved() throws Exception {
        assertThat(weir.callWithInput("secret\n", "passwd", "anna", "--group", "admin", "--group", "ops")
                        .out())
                .contains("The password of anna was set.")
                .contains("from now on messaging requires");
        assertThat(run("passwd").out()).isEqualTo("anna  admin, ops\n");
        assertThat(weir.callWithInput("", "passwd", "bert").code()).isEqualTo(1);
        assertThat(weir.callWithInput("x\n", "passwd", "a:b").err()).contains("a user's name has");
        assertThat(weir.callWithInput("secret\n", "passwd", "bert").out()).doesNotContain("from now on");
        assertThat(run("passwd", "bert", "--delete").out()).isEqualTo("User bert was removed.\n");
        assertThat(run("passwd", "anna", "--delete").out())
                .contains("User anna was removed.\n")
                .contains("from now on messaging admits every client on this machine without a name and a password");
        assertThat(run("passwd", "anna", "--delete").code()).isEqualTo(1);
        assertThat(run("passwd").out()).isEmpty();
    }
}
