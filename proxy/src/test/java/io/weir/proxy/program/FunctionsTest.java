package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.origin.Origin;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.ClientTimeOuts;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FunctionsTest {
    private static final ConfigNode.Place AT = ConfigNode.Place.of("test");

    private final Bench bench = new Bench();
    private final ProgramBuilder builder =
            new ProgramBuilder(FunctionCatalogue.builtin(), WorkPools.NONE, VirtualServers.DEFAULT);

    @TempDir
    private Path files;

    private FunctionsTest add(Stage stage, String function, String... parameters) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < parameters.length; i += 2) {
            map.put(parameters[i], parameters[i + 1]);
        }
        builder.add("default", stage, function, map, AT);
        return this;
    }

    private ProgramRun run(String head) {
        return bench.run(program(), head, "127.0.0.1");
    }

    private Program program() {
        Program program = builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 2);
        assertThat(builder.problems()).isEmpty();
        return Objects.requireNonNull(program);
    }

    private String problem(Stage stage, String function, String... parameters) {
        int before = builder.problems().size();
        add(stage, function, parameters);
        assertThat(builder.problems()).hasSize(before + 1);
        return builder.problems().get(before).what();
    }

    private static String head(String line, String... fields) {
        StringBuilder b = new StringBuilder(line).append(" HTTP/1.1\r\nHost: www.example.com\r\n");
        for (String field : fields) {
            b.append(field).append("\r\n");
        }
        return b.append("\r\n").toString();
    }

    private FunctionsTest answering() {
        return add(Stage.SERVICE, "send-answer");
    }

    private static String target(ProgramRun run) {
        ByteBuf out = Unpooled.buffer();
        run.writeTarget(out);
        String text = out.toString(StandardCharsets.ISO_8859_1);
        out.release();
        return text;
    }

    @ParameterizedTest
    @CsvSource({"/%41, true", "/%4, false", "/%, false", "/%zz, false", "/a?b=%2, false", "/a?b=%2f, true"})
    void urlCheckRefusesBadEscapes(String path, boolean good) {
        add(Stage.PATH_CHECK, "url-check").answering();
        Program program = program();
        assertThat(bench.run(program, "GET " + path, "127.0.0.1").fault())
                .isEqualTo(good ? null : ProxyFault.URL_MALFORMED);
        assertThat(bench.run(program, "OPTIONS " + path, "127.0.0.1").fault()).isNull();
    }

    @Test
    void denyServiceRefusesThePathsThatMatch() {
        add(Stage.PATH_CHECK, "deny-service", "path", "/private/.*|.*\\.bak").answering();
        Program program = program();
        assertThat(bench.run(program, "GET /private/x", "127.0.0.1").fault()).isEqualTo(ProxyFault.DENIED);
        assertThat(bench.run(program, "GET /x.bak", "127.0.0.1").fault()).isEqualTo(ProxyFault.DENIED);
        assertThat(bench.run(program, "GET /public", "127.0.0.1").fault()).isNull();
    }

    @Test
    void userAgentCheckRefusesOtherClients() {
        add(Stage.PATH_CHECK, "user-agent-check", "ua", "Mozilla/.*").answering();
        Program program = program();
        assertThat(bench.run(program, head("GET /", "User-Agent: Mozilla/5.0"), "127.0.0.1")
                        .fault())
                .isNull();
        assertThat(bench.run(program, head("GET /", "User-Agent: wget"), "127.0.0.1")
                        .fault())
                .isEqualTo(ProxyFault.DENIED);
        assertThat(bench.run(program, head("GET /"), "127.0.0.1").fault()).isEqualTo(ProxyFault.DENIED);
    }

    @Test
    void blockMultipartPostsRefusesUploadsOnly() {
        add(Stage.PATH_CHECK, "block-multipart-posts").answering();
        Program program = program();
        String multipart = "Content-Type: multipart/form-data; boundary=x";
        assertThat(bench.run(program, head("POST /", multipart, "Content-Length: 0"), "127.0.0.1")
                        .fault())
                .isEqualTo(ProxyFault.CONTENT_FORBIDDEN);
        assertThat(bench.run(program, head("GET /", multipart), "127.0.0.1").fault())
                .isNull();
        assertThat(bench.run(program, head("POST /", "Content-Type: text/plain", "Content-Length: 0"), "127.0.0.1")
                        .fault())
                .isNull();
    }

    @Test
    void urlFilterAllowsBeforeItDenies() {
        add(Stage.PATH_CHECK, "url-filter", "allow", "/ads/ok", "deny", "/ads/.*")
                .answering();
        Program program = program();
        assertThat(bench.run(program, "GET /ads/ok", "127.0.0.1").fault()).isNull();
        assertThat(bench.run(program, "GET /ads/x", "127.0.0.1").fault()).isEqualTo(ProxyFault.DENIED);
        assertThat(bench.run(program, "GET /x", "127.0.0.1").fault()).isNull();
        assertThat(problem(Stage.PATH_CHECK, "url-filter")).contains("give \"allow\", \"deny\" or both");
    }

    @Test
    void mapToAnUrlSetsOriginAndPath() {
        add(Stage.NAME_TRANS, "map", "from", "/shop/", "to", "https://app.example:8443/base/")
                .add(Stage.SERVICE, "proxy-retrieve");
        Program program = program();
        ProgramRun run = bench.run(program, "GET /shop/a?b", "127.0.0.1");
        assertThat(Objects.requireNonNull(run.route()).origins())
                .containsExactly(new Origin(true, "app.example", 8443));
        assertThat(Objects.requireNonNull(run.route()).rewriteHost()).isTrue();
        assertThat(target(run)).isEqualTo("/base/a?b");
        assertThat(bench.run(program, "GET /shopping", "127.0.0.1").fault()).isEqualTo(ProxyFault.NO_ROUTE);
    }

    @Test
    void mapRedirectsThePathWithoutItsSlash() {
        add(Stage.NAME_TRANS, "map", "from", "/shop/", "to", "/");
        ProgramRun run = run("GET /shop?a=b");
        assertThat(run.action()).isEqualTo(new Action.Redirect(302));
        assertThat(run.location()).isEqualTo("/shop/?a=b");
    }

    @Test
    void mapGoesOnWithCont() {
        add(Stage.NAME_TRANS, "map", "from", "/a", "to", "/b", "cont", "true")
                .add(Stage.NAME_TRANS, "assign-name", "from", "*", "name", "x");
        builder.object("x", null);
        ProgramRun run = run("GET /a/1");
        assertThat(run.objectCount()).isEqualTo(2);
        assertThat(target(run)).isEqualTo("/b/1");
    }

    @Test
    void hostMapProxiesTransparentlyWithinTheDestinations() {
        add(Stage.NAME_TRANS, "host-map").add(Stage.SERVICE, "proxy-retrieve");
        Program program = program();
        assertThat(bench.run(program, "GET /", "127.0.0.1").action()).isEqualTo(Action.Retrieve.FORWARD);
        assertThat(bench.run(program, "GET /", "192.0.2.1").fault()).isEqualTo(ProxyFault.CLIENT_FORBIDDEN);
        assertThat(problem(Stage.NAME_TRANS, "host-map", "url-prefix", "ftp://"))
                .contains("http://");
    }

    @Test
    void proxyRetrieveAloneIsNoOpenProxy() {
        add(Stage.SERVICE, "proxy-retrieve");
        Program program = program();
        assertThat(bench.run(program, "GET http://www.example.com/", "192.0.2.1")
                        .fault())
                .isEqualTo(ProxyFault.CLIENT_FORBIDDEN);
        assertThat(bench.run(program, Bench.host("CONNECT a.example:25", "a.example:25"), "127.0.0.1")
                        .fault())
                .isEqualTo(ProxyFault.PORT_FORBIDDEN);
        assertThat(bench.run(program, "GET /", "127.0.0.1").fault()).isEqualTo(ProxyFault.NO_ROUTE);
        assertThat(bench.stats.value(ProxyStats.DESTINATIONS_REFUSED, "port")).isEqualTo(1);
    }

    @Test
    void proxyRetrieveAllowsBeforeItBlocks() {
        add(Stage.ROUTE, "set-origin-server", "server", "http://o")
                .add(Stage.SERVICE, "proxy-retrieve", "allow", "GET, HEAD", "block", "GET");
        Program program = program();
        assertThat(bench.run(program, "GET /", "127.0.0.1").action()).isEqualTo(Action.Retrieve.REVERSE);
        assertThat(bench.run(program, "DELETE /", "127.0.0.1").fault()).isEqualTo(ProxyFault.METHOD_NOT_ALLOWED);
    }

    @Test
    void proxyRetrieveDeclinesOtherMethods() {
        add(Stage.ROUTE, "set-origin-server", "server", "http://o")
                .add(Stage.SERVICE, "proxy-retrieve", "method", "GET|HEAD", "block", "HEAD")
                .answering();
        Program program = program();
        assertThat(bench.run(program, "GET /", "127.0.0.1").action()).isEqualTo(Action.Retrieve.REVERSE);
        assertThat(bench.run(program, "HEAD /", "127.0.0.1").fault()).isEqualTo(ProxyFault.METHOD_NOT_ALLOWED);
        assertThat(bench.run(program, "PUT /", "127.0.0.1").action()).isInstanceOf(Action.Respond.class);
    }

    @Test
    void originServersAreChecked() {
        for (String wrong :
                List.of("o", "ftp://o", "http://o/path", "http://u@o", "http://o:0", "http://o:70000", "http://")) {
            assertThat(problem(Stage.ROUTE, "set-origin-server", "server", wrong))
                    .contains("origin");
        }
        assertThat(problem(Stage.ROUTE, "set-origin-server")).contains("missing");
        assertThat(Origin.parse("https://[::1]/").authority()).isEqualTo("[::1]");
        assertThat(Origin.parse("HTTP://A:81").url()).isEqualTo("http://a:81");
    }

    @Test
    void firstSetterOfCacheAndRouteWins() {
        add(
                        Stage.OBJECT_TYPE,
                        "cache-setting",
                        "max-uncheck",
                        "0",
                        "connect-mode",
                        "never",
                        "ignore-reload",
                        "1",
                        "term-percent",
                        "0")
                .add(Stage.OBJECT_TYPE, "cache-setting", "max-uncheck", "3600", "term-percent", "9")
                .add(Stage.OBJECT_TYPE, "cache-enable", "query-maxlen", "9", "max-size", "2", "cache-auth", "1")
                .add(Stage.OBJECT_TYPE, "cache-disable")
                .add(Stage.OBJECT_TYPE, "http-client-config", "timeout", "7", "connect-timeout", "250ms");
        Program program = program();
        ProgramRun run = new ProgramRun(bench.host, null);
        run.start(Bench.request(program, "GET /", "127.0.0.1"), program);
        assertThat(run.cache())
                .isEqualTo(new CacheTerms(
                        9,
                        -1,
                        2048,
                        0,
                        -1,
                        -1,
                        0,
                        CacheTerms.ConnectMode.NEVER,
                        true,
                        Set.of(CacheTerms.Ignored.RELOAD)));
        assertThat(run.timeOuts()).isEqualTo(new ClientTimeOuts(250_000_000, 7_000_000_000L, 0));
        assertThat(problem(Stage.OBJECT_TYPE, "cache-enable", "max-size", "2 apples"))
                .contains("a size");
        assertThat(problem(Stage.OBJECT_TYPE, "cache-setting", "term-percent", "101"))
                .contains("expected 0 to 100");
        assertThat(problem(Stage.OBJECT_TYPE, "cache-setting", "connect-mode", "sometimes"))
                .contains("always, normal, fast-demo, never");
    }

    @Test
    void headerEditsRemoveAndSet() {
        Fields fields = new Fields();
        fields.add("X-Old", "1");
        fields.add("x-new", "2");
        new HeaderEdits(List.of("x-old"), Map.of("X-New", "3")).apply(fields);
        assertThat(fields.has(FieldName.HOST)).isFalse();
        assertThat(fields.combined("X-New")).isEqualTo("3");
        assertThat(fields.size()).isEqualTo(1);
    }

    @Test
    void fieldsThatFrameMessagesAreNotEdited() {
        assertThat(problem(Stage.OBJECT_TYPE, "edit-headers", "remove-request", "transfer-encoding"))
                .contains("Transfer-Encoding");
        assertThat(problem(Stage.OBJECT_TYPE, "edit-headers", "set-response", "X: a\r\nb"))
                .contains("field value");
        assertThat(problem(Stage.OBJECT_TYPE, "edit-headers", "set-response", "nothing"))
                .contains("Name: value");
    }

    @Test
    void sendAnswerIsChecked() {
        assertThat(problem(Stage.SERVICE, "send-answer", "status", "100")).contains("200 to 599");
        assertThat(problem(Stage.SERVICE, "send-answer", "type", "a\r\nX: b")).contains("field value");
    }

    @Test
    void sendErrorSelectsByCodeOrReason() throws IOException {
        Path page = Files.writeString(files.resolve("page.html"), "<p>sorry</p>");
        add(Stage.ERROR, "send-error", "path", page.toString(), "reason", "Denied")
                .add(Stage.ERROR, "send-error", "path", page.toString(), "code", "504");
        ProgramRun run = run("GET /");
        assertThat(run.error(ProxyFault.DENIED)).isEqualTo(RunState.READY);
        assertThat(run.action()).isInstanceOfSatisfying(Action.Respond.class, r -> {
            assertThat(r.status()).isEqualTo(403);
            assertThat(r.body()).asString(StandardCharsets.UTF_8).isEqualTo("<p>sorry</p>");
        });
        assertThat(run.error(ProxyFault.DNS_TIME_OUT)).isEqualTo(RunState.READY);
        assertThat(run.error(ProxyFault.NO_ROUTE)).isEqualTo(RunState.FAILED);
        assertThat(problem(
                        Stage.ERROR, "send-error", "path", files.resolve("none").toString()))
                .contains("cannot be read");
        Path large = Files.write(files.resolve("large"), new byte[65537]);
        assertThat(problem(Stage.ERROR, "send-error", "path", large.toString())).contains("64 KiB");
    }

    /** A device has no end, and a pipe may never be written to: neither is opened. */
    @Test
    @Timeout(60)
    void onlyRegularFilesAreRead() throws Exception {
        String fifo = files.resolve("fifo").toString();
        assertThat(new ProcessBuilder("mkfifo", fifo).start().waitFor()).isZero();
        for (String file : List.of("/dev/zero", "/dev/random", fifo)) {
            for (String problem : List.of(
                    problem(Stage.ERROR, "send-error", "path", file),
                    problem(Stage.PATH_CHECK, "url-filter", "allow-file", file),
                    problem(Stage.NAME_TRANS, "pac-map", "from", "/proxy.pac", "name", "file", "to", file),
                    problem(Stage.OBJECT_TYPE, "type-by-extension", "file", file))) {
                assertThat(problem).contains(file).endsWith("cannot be read: it is no regular file");
            }
        }
    }

    @Test
    void redirectIsChecked() {
        assertThat(problem(Stage.NAME_TRANS, "redirect", "from", "/")).contains("either");
        assertThat(problem(Stage.NAME_TRANS, "redirect", "from", "/", "url", "http://x", "status", "304"))
                .contains("301, 302, 303, 307 or 308");
        assertThat(problem(Stage.NAME_TRANS, "redirect", "from", "/", "url", "http://x\r\ny"))
                .contains("not allowed");
    }

    @Test
    void aRedirectWithAWrongStatusAndAWrongTargetTellsBoth() {
        assertThat(problem(Stage.NAME_TRANS, "redirect", "from", "/", "url-prefix", "x y", "status", "304"))
                .contains("301, 302, 303, 307 or 308")
                .contains("not allowed in a path");
    }

    @Test
    void dashAndUnderscoreAreTheSameInFunctionNames() {
        add(Stage.PATH_CHECK, "url_check").answering();
        assertThat(run("GET /").fault()).isNull();
    }

    @Test
    void everyFunctionIsDeclaredWhole() {
        for (ServerFunction f : FunctionCatalogue.builtin().all()) {
            assertThat(f.doc()).as(f.name()).endsWith(".");
            assertThat(f.stages()).as(f.name()).isNotEmpty();
            for (ParameterSpec p : f.parameters()) {
                assertThat(p.doc()).as("%s %s", f.name(), p.name()).isNotBlank();
            }
        }
    }
}
