package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.TestDistribution;
import io.weir.server.files.DataDirectory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs the launcher on a data directory of its own and looks after the server that it leaves. Lives for one test. */
final class Launched {
    /** What one call gave. */
    record Result(int code, String out, String err) {
        void isUsage() {
            assertThat(code).isEqualTo(2);
            assertThat(out).isEmpty();
            assertThat(err.toLowerCase(Locale.ROOT)).contains("usage");
        }
    }

    /** Verbs for the server of a data directory. */
    private static final List<String> SERVERS = List.of(
            "run",
            "stop",
            "perfdump",
            "stats-xml",
            "config",
            "log",
            "tls",
            "passwd",
            "cache",
            "jms",
            "cluster",
            "deploy",
            "redeploy",
            "undeploy");
    /** Those that take a word of their own first. */
    private static final List<String> NESTED = List.of("config", "log", "tls", "cache", "jms", "cluster");

    /** Verbs that ask a server, or change what it has, and end: a process for each call would be most of these tests' time. */
    private static final List<String> ASKING =
            List.of("config", "log", "tls", "passwd", "cache", "jms", "cluster", "check", "perfdump", "stats-xml");

    private static final String HELP = "--help";

    /** The start-up cache is not moved to a random address, either, which costs a tenth of a start. */
    private static final String JVM =
            "-XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 ";

    /** What was a process already, in this process's tests. */
    private static final Set<String> LAUNCHED = ConcurrentHashMap.newKeySet();

    private static final TestDistribution DISTRIBUTION = TestDistribution.of(Main.class.getName());

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private final Path dir;
    private Path script = ROOT.resolve("weir");
    private String weirJavaHome = System.getProperty("java.home");
    private @Nullable String javaHome;
    private String options = "";
    private int calls;

    Launched(Path dir) {
        this.dir = dir;
    }

    Path script() {
        return script;
    }

    void script(Path other) {
        script = other;
    }

    void javaHome(Path weir, Path java) {
        weirJavaHome = weir.toString();
        javaHome = java.toString();
    }

    /** More words of WEIR_JAVA_OPTS. */
    void options(String words) {
        options = words;
    }

    /** What was printed while the start-up cache was made. */
    Path training() {
        return DISTRIBUTION.folder().resolve("train.out");
    }

    Path data() {
        return dir.resolve("data");
    }

    /** Runs the launcher; of a verb that only asks, in this process once it has been a process of its own. */
    Result call(String... words) throws Exception {
        return callWithInput("", words);
    }

    Result callWithInput(String input, String... words) throws Exception {
        return !asks(words) || LAUNCHED.add(kind(words)) ? launch(input, words) : inThisProcess(input, words);
    }

    private static boolean asks(String... words) {
        // the launcher itself has verbs, too
        return words.length > 0
                && WeirCommand.VERBS.stream().anyMatch(v -> v.name().equals(words[0]))
                && (ASKING.contains(words[0]) || List.of(words).contains(HELP));
    }

    /** What is the same for the launcher: a verb, whatever it is asked. */
    private static String kind(String... words) {
        if (List.of(words).contains(HELP)) {
            return HELP;
        }
        return words.length > 1 && NESTED.contains(words[0]) ? words[0] + " " + words[1] : words[0];
    }

    private Result inThisProcess(String input, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            String[] all = ofThisServer(words).toArray(String[]::new);
            int code = Main.line(all)
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(err, true))
                    .execute(all);
            return new Result(code, out.toString(), err.toString());
        } finally {
            System.setIn(before);
        }
    }

    private Result launch(String input, String... words) throws Exception {
        int n = calls++;
        Path out = dir.resolve("out." + n);
        Path err = dir.resolve("err." + n);
        Process p = builder(words)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try (var stdin = p.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        if (!p.waitFor(300, TimeUnit.SECONDS)) {
            p.destroyForcibly();
            throw new AssertionError(
                    "weir " + List.of(words) + " did not end: " + Files.readString(out) + Files.readString(err));
        }
        return new Result(p.exitValue(), Files.readString(out), Files.readString(err));
    }

    Process start(String... words) throws IOException {
        return builder(words)
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("foreground").toFile())
                .start();
    }

    private ProcessBuilder builder(String... words) {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(ofThisServer(words));
        ProcessBuilder b = new ProcessBuilder(command).directory(dir.toFile());
        b.environment().put("WEIR_DIST", DISTRIBUTION.folder().toString());
        b.environment().put("WEIR_JAVA_HOME", weirJavaHome);
        b.environment().put("WEIR_JAVA_OPTS", JVM + String.join(" ", DISTRIBUTION.options()) + " " + options);
        b.environment().remove("JAVA_HOME");
        if (javaHome != null) {
            b.environment().put("JAVA_HOME", javaHome);
            b.environment().put("WEIR_JDKS", "none");
        }
        return b;
    }

    /** The words, with this data directory. */
    private List<String> ofThisServer(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        if (words.length > 0 && SERVERS.contains(words[0])) {
            boolean nested = NESTED.contains(words[0]);
            int at = nested && words.length > 1 ? 2 : 1;
            if (all.size() >= at && !(nested && words.length == 1)) {
                all.addAll(at, List.of("--set", "server.data-dir=" + data()));
            }
        }
        return all;
    }

    long serverPid() throws IOException {
        return Long.parseLong(DataDirectory.pidFile(data()).getOrDefault("pid", "0"));
    }

    /** The admin listener of the server that runs. */
    String admin() throws IOException {
        return DataDirectory.pidFile(data()).getOrDefault("admin", "");
    }

    void awaitReady(Process server) throws Exception {
        for (int i = 0; i < 3000 && server.isAlive() && serverPid() == 0; i++) {
            assertThat(server.waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(serverPid()).as(Files.readString(dir.resolve("foreground"))).isPositive();
    }

    /** Kills the server of the data directory where one runs. */
    void killServer() throws Exception {
        Long pid = Files.isDirectory(data()) ? DataDirectory.running(data()) : null;
        ProcessHandle handle = pid == null ? null : ProcessHandle.of(pid).orElse(null);
        if (handle != null) {
            handle.destroyForcibly();
            handle.onExit().get(3, TimeUnit.MINUTES);
        }
    }
}
