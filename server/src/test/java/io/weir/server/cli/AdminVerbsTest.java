package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What verbs say of a server elsewhere that refuses them, is not there, or goes away; and of their own wrong usage. */
@Timeout(300)
@Tag("slow")
final class AdminVerbsTest {
    private static final String DETAIL = "The token is wrong: send \\\"Authorization: Bearer\\\" and the token";

    private record Result(int code, String err) {}

    @TempDir
    private Path dir = Path.of("");

    private Path token = dir;

    @BeforeEach
    void token() throws IOException {
        token = Files.writeString(dir.resolve("token"), "abc\n");
    }

    private static Result run(List<String> words) {
        String[] all = words.toArray(String[]::new);
        CommandLine line = Main.line(all);
        StringWriter err = new StringWriter();
        line.setErr(new PrintWriter(err, true));
        line.setOut(new PrintWriter(new StringWriter()));
        return new Result(line.execute(all), err.toString());
    }

    @Test
    void emptyNameIsNoConfiguration() {
        for (List<String> words :
                List.of(List.of("check", "--config", ""), List.of("check", " "), List.of("stop", "--config", ""))) {
            Result result = run(words);
            assertThat(result.code()).as(words.toString()).isEqualTo(2);
            assertThat(result.err()).contains("expected the name of a file", "Usage: weir " + words.getFirst());
        }
    }

    @Test
    void faultOfAFileIsSaidInWords() {
        assertThat(Main.message(new FileSystemException("/data/x", null, "Read-only file system")))
                .isEqualTo("/data/x: Read-only file system");
        assertThat(Main.message(new NoSuchFileException("/data/x"))).isEqualTo("/data/x: no such file or folder");
    }

    @Test
    void dataDirectoryThatCannotBeWrittenIsSaidSo() throws IOException {
        Path output =
                dir.resolve(Background.OUTPUT + "." + ProcessHandle.current().pid());
        Files.createDirectories(output.resolve("in the way"));
        assertThatThrownBy(() -> new Background(dir, "stop", new PrintWriter(new StringWriter())).start())
                .isInstanceOf(CliFailure.class)
                .hasMessageStartingWith(
                        "the server did not start: the data directory " + dir + " cannot be written: " + output);
    }

    private Result at(String admin, String words) {
        List<String> all = new ArrayList<>(List.of(words.split(" ")));
        all.addAll(List.of("--admin", admin, "--token-file", token.toString()));
        return run(all);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jms stats",
                "jms subscriptions",
                "jms damage",
                "jms move queue/a queue/b",
                "jms delete queue/a",
                "jms pause queue/a",
                "jms resume queue/a",
                "cluster status",
                "cluster migrate a",
                "cluster pause a",
                "cluster resume a",
                "cluster forget a",
                "cluster timers fire a",
                "cluster add a:1",
                "cluster remove a",
                "cache show http://a/",
                "cache top",
                "cachegc",
                "undeploy a"
            })
    void aWrongTokenIsToldInTheServersWords(String words) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", x -> {
            byte[] body = ("{\"status\":401,\"detail\":\"" + DETAIL + "\"}").getBytes(StandardCharsets.UTF_8);
            x.getResponseHeaders().add("WWW-Authenticate", "Bearer realm=\"weir admin\"");
            x.getResponseHeaders().add("Content-Type", "application/problem+json");
            x.sendResponseHeaders(401, body.length);
            x.getResponseBody().write(body);
            x.close();
        });
        server.start();
        try {
            Result r = at("127.0.0.1:" + server.getAddress().getPort(), words);
            assertThat(r.code()).isEqualTo(1);
            assertThat(r.err()).isEqualTo("weir: " + DETAIL.replace("\\", "") + System.lineSeparator());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aServerThatIsNotThereIsNamed() throws Exception {
        try (Socket dead = new Socket()) {
            // bound and not listening: it refuses
            dead.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Result r = at("127.0.0.1:" + dead.getLocalPort(), "jms stats");
            assertThat(r.code()).isEqualTo(1);
            assertThat(r.err())
                    .contains("no connection to http://127.0.0.1:" + dead.getLocalPort() + ": Connection refused;")
                    .contains("admin listener?");
        }
    }

    @Test
    void anAddressWithoutAPortIsWrongUsage() {
        for (String admin : List.of("localhost", "127.0.0.1", "local host:1")) {
            Result r = at(admin, "cluster status");
            assertThat(r.code()).isEqualTo(2);
            assertThat(r.err()).contains("--admin " + admin).contains("write HOST:PORT");
        }
    }

    @Test
    void aServerThatDiesOverAChangeLeavesItUnknownAndIsAskedOnce() throws Exception {
        try (ServerSocket dying = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            AtomicInteger asked = new AtomicInteger();
            Thread.ofVirtual().start(() -> {
                while (!dying.isClosed()) {
                    try (Socket s = dying.accept()) {
                        asked.incrementAndGet();
                        var _ = s.getInputStream().read(new byte[4096]);
                    } catch (IOException e) {
                        return;
                    }
                }
            });
            String admin = "127.0.0.1:" + dying.getLocalPort();
            Result r = at(admin, "undeploy a");
            assertThat(r.code()).isEqualTo(1);
            assertThat(r.err())
                    .startsWith("weir: the server at http://" + admin + " gave no answer: ")
                    .contains("it is not known whether the change was made: ./weir cluster deployments shows");
            assertThat(at(admin, "jms delete queue/a").err()).contains("./weir jms stats shows what is now");
            assertThat(asked).hasValue(2);
        }
    }

    @Test
    void aServerThatHangsOverAChangeLeavesItUnknown() throws Exception {
        try (ServerSocket hanging = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String base = "http://127.0.0.1:" + hanging.getLocalPort();
            AdminClient admin = new AdminClient(base, "abc", 50);
            assertThatThrownBy(() -> admin.post("/cluster/deploy?name=a"))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("the server at " + base + " gave no answer: Read timed out; it is not known whether the"
                            + " change was made: ./weir cluster deployments shows what is now");
            assertThatThrownBy(() -> admin.get("/cluster"))
                    .hasMessage("the server at " + base + " gave no answer: Read timed out");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jms delete queue/a --max -1",
                "jms move queue/a queue/b --max -1",
                "jms pause queue/a --stage bogus",
                "jms resume queue/a --stage bogus",
                "jms stats --admin localhost:1",
                "jms delete queue/a --token-file x",
                "cluster history -n -1",
                "jms browse topic/a",
                "jms browse queue/a --max -1",
                "jms receive queue/a --count -1",
                "jms receive queue/a --durable s",
                "jms send queue/a x --count -1",
                "jms send queue/a x --priority 10",
                "jms send queue/a x --ttl -1",
                "jms send queue/a x --url http://a",
                "jms send queue/a x --property =b",
                "stop --wait -1",
                "deploy a.jar --wait -1",
                "redeploy a.jar --wait -1",
                "log top --lines 0",
                "log top --lines -1",
                "log top --interval 0s",
                "log top --since x",
                "passwd --delete",
                "passwd --group admin",
                "passwd a --delete --group admin",
                "run --set x",
                "run --set =",
                "check --set =x",
                "check --config x y",
                "check --explain http://[::",
                "check --explain http://",
                "check --explain http://x/ --method {}",
                "history --format xml",
                "history --since garbage",
                "history --from x",
                "history --label x",
                "history --step 0s",
                "history --since garbage weir_http_requests_total",
                "history --step 0s weir_http_requests_total"
            })
    void whatIsWrongWhereverTheServerIsIsWrongUsage(String words) {
        Result r = run(List.of(words.split(" ")));
        assertThat(r.code()).as(r.err()).isEqualTo(2);
        assertThat(r.err()).contains("Usage: weir");
    }

    /** The parser's own words are about indexes and Java's types. */
    @Test
    void wrongWordsAreToldInWordsOfTheShell() {
        assertThat(run(List.of("jms", "stats", "x")).err()).startsWith("weir jms stats takes no more words: 'x'");
        assertThat(run(List.of("check", "a", "b")).err()).startsWith("weir check takes no more words: 'b'");
        assertThat(run(List.of("stop", "--wait", "99999999999")).err())
                .startsWith("Invalid value for option '--wait': '99999999999' is no whole number up to 2147483647");
        assertThat(run(List.of("jms", "receive", "queue/a", "--timeout", "abc")).err())
                .contains("'--timeout': 'abc' is no whole number");
        assertThat(run(List.of("config", "rollback", "abc")).err())
                .startsWith("Invalid value for N: 'abc' is no whole number");
    }

    @Test
    void aFolderInsteadOfAnArchiveIsNamedAsOne() {
        Result r = run(List.of("deploy", dir.toString()));
        assertThat(r.code()).isEqualTo(1);
        assertThat(r.err()).isEqualTo("weir: " + dir + " is a folder: pack it into a jar" + System.lineSeparator());
    }

    @Test
    void aMovesHelpSaysWhereTo() {
        StringWriter out = new StringWriter();
        CommandLine line = Main.line("jms");
        line.setOut(new PrintWriter(out, true));
        assertThat(line.execute("jms", "move", "--help")).isZero();
        assertThat(out.toString()).containsPattern("TO +a queue, or a topic");
    }

    /** A name that differs from its class's would be a verb that the launcher cannot find. */
    @Test
    void eachVerbHasTheNameOfItsClass() {
        assertThat(WeirCommand.VERBS)
                .allSatisfy(v -> assertThat(v.type()
                                .getAnnotation(CommandLine.Command.class)
                                .name())
                        .isEqualTo(v.name()));
        assertThat(Main.line().getSubcommands()).hasSameSizeAs(WeirCommand.VERBS);
    }

    /** The launcher's list leaves out no verb that there is. */
    @Test
    void theLaunchersListNamesTheVerbsOfMessagesAndOfTheCluster() throws Exception {
        String script = Files.readString(Path.of("..", "weir"));
        String usage = script.substring(script.indexOf("<<'USAGE'"), script.indexOf("\nUSAGE\n"));
        for (String group : List.of("jms", "cluster", "cache", "log", "config", "tls")) {
            CommandLine of =
                    Objects.requireNonNull(Main.line(group).getSubcommands().get(group));
            List<String> lines =
                    usage.lines().filter(l -> l.startsWith("  " + group + " ")).toList();
            for (String verb : of.getSubcommands().keySet()) {
                if (!List.of("deploy", "redeploy", "undeploy").contains(verb)) {
                    assertThat(lines).as(group + " " + verb).anyMatch(l -> l.matches(".*[ |]" + verb + "([ |].*)?"));
                }
            }
        }
        assertThat(usage).contains("cluster timers pause|resume|fire|forget NAME");
    }

    @Test
    void aLogThatNobodyWritesIsToldWithItsKey() throws Exception {
        Path config = Files.writeString(dir.resolve("weir.yaml"), "server:\n  data-dir: " + dir.resolve("data") + "\n");
        Result r = run(List.of("log", "top", "--config", config.toString()));
        assertThat(r.code()).isEqualTo(1);
        assertThat(r.err()).endsWith(": none is written, proxy.access-log.format is off" + System.lineSeparator());
    }
}
