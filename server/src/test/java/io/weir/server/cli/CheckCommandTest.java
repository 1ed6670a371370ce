package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.base.SystemClock;
import io.weir.server.Server;
import io.weir.server.ServerParts;
import io.weir.server.StartFailure;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code ./weir check} finds is what {@code run} refuses, and what a start suggests is answered. */
final class CheckCommandTest {
    private record Result(int code, String out, String err) {}

    @TempDir
    private Path dir = Path.of("");

    private void certificate(String stem) throws Exception {
        X509Bundle made = new CertificateBuilder()
                .ecp256()
                .subject("CN=" + stem)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Files.writeString(dir.resolve(stem + ".pem"), made.getCertificatePEM());
        Files.writeString(dir.resolve(stem + ".key"), made.getPrivateKeyPEM());
    }

    private String tls(String chain, String key) {
        return "{port: 0, tls: {certificates: [{chain-file: \"" + dir.resolve(chain) + "\", key-file: \""
                + dir.resolve(key) + "\"}]}}";
    }

    private Path file(String listener, String more) throws IOException {
        return Files.writeString(dir.resolve("weir.yaml"), """
                listeners: {http: %s}
                %s
                """.formatted(listener, more));
    }

    private Result check(Path file) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new CheckCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(file.toString());
        return new Result(code, out.toString(), err.toString());
    }

    private LoadedConfig load(Path file) {
        return new ConfigLoader(file, List.of(), dir).load();
    }

    private ThrowingCallable running(Path file) {
        LoadedConfig loaded = load(file);
        assertThat(loaded.problems()).as("nothing of the text is wrong").isEmpty();
        return () -> Server.start(new ServerParts(
                        loaded,
                        ConfigLoader.dataDir(loaded.value(), null),
                        SystemClock.INSTANCE,
                        new PrintStream(OutputStream.nullOutputStream()),
                        "test"))
                .stop();
    }

    private void refused(Path file, String key, String why) {
        Result r = check(file);
        assertThat(r.code()).as(r.toString()).isEqualTo(1);
        assertThat(r.err()).contains(key).contains(why).contains("1 problem in the configuration");
        assertThat(catchThrowable(running(file))).as("a start refuses it, too").isInstanceOf(StartFailure.class);
    }

    private String data(String more) {
        return "server: {data-dir: \"" + dir.resolve("data") + "\"" + more + "}\n";
    }

    @Test
    void aPoolsServerWithoutItsKeysIsTold() throws Exception {
        Result r = check(file("{port: 0}", "proxy: {origins: {app: {servers: [\"http://127.0.0.1:1\"]}}}\n"));
        assertThat(r.code()).as(r.toString()).isEqualTo(1);
        assertThat(r.err()).contains("proxy.origins.app.servers[0]").contains("expected a section with keys");
    }

    @Test
    void checkFindsWhatARunWouldStumbleOver() throws Exception {
        certificate("one");
        certificate("two");
        Files.writeString(dir.resolve("no.pem"), "this is no certificate\n");
        String admin = "admin: {port: 0}\n";
        refused(
                file(tls("one.pem", "two.key"), data("") + admin),
                "listeners.http",
                "does not belong to the certificate");
        refused(file(tls("no.pem", "one.key"), data("") + admin), "listeners.http", "no.pem");
        String ciphers = "{protocols: [TLSv1.2], ciphers: [TLS_AES_128_GCM_SHA256], certificates";
        refused(
                file(tls("one.pem", "one.key").replace("{certificates", ciphers), data("") + admin),
                "listeners.http",
                "None of the cipher suites TLS_AES_128_GCM_SHA256 is of TLSv1.2");
        refused(
                file("{address: 192.0.2.1, port: 0}", data("") + admin),
                "listeners.http",
                "This machine has no such address");
        refused(
                file("{port: 0}", data("") + "admin: {address: 192.0.2.1, port: 0}\n"),
                "admin.address",
                "192.0.2.1 cannot be listened on here");
        refused(
                file("{port: 0}", "server: {data-dir: \"" + dir.resolve("no.pem/data") + "\"}\n" + admin),
                "server.data-dir",
                "no.pem is no folder");
        Path good = file(tls("one.pem", "one.key"), "server: {data-dir: \"" + dir.resolve("fresh") + "\"}\n" + admin);
        Result r = check(good);
        assertThat(r.code()).as(r.toString()).isZero();
        assertThat(r.err()).isEmpty();
        assertThat(dir.resolve("fresh")).as("a check leaves nothing behind").doesNotExist();
        assertThatCode(running(good)).doesNotThrowAnyException();
    }

    private String warnings(String... routes) throws Exception {
        Result r = check(
                file("{port: 0}", data("") + "proxy:\n  routes:\n    - " + String.join("\n    - ", routes) + "\n"));
        assertThat(r.code()).as(r.toString()).isZero();
        return r.err();
    }

    @Test
    void checkWarnsOfRoutesThatCanNeverMatch() throws Exception {
        String ok = ", respond: {status: 200}}";
        assertThat(warnings("{path: /a" + ok, "{path: /a" + ok))
                .contains("warning: ")
                .contains("proxy.routes[1]: never matches: proxy.routes[0] takes all of its requests before it");
        assertThat(warnings("{path: /a/b" + ok, "{path: /a/*, path-match: wildcard" + ok))
                .contains("proxy.routes[0]: never matches: proxy.routes[1]");
        assertThat(warnings("{hosts: [a.example, b.example], path: /" + ok, "{hosts: [B.example], path: /" + ok))
                .contains("proxy.routes[1]: never matches");
        assertThat(warnings("{path: /x, methods: [GET, POST]" + ok, "{path: /x, methods: [POST]" + ok))
                .contains("proxy.routes[1]: never matches");
        assertThat(warnings("{path: '/search?q=1'" + ok)).contains("never matches: a path is what stands before");
        assertThat(warnings("{path: /a/../b" + ok)).contains("never matches: requests are matched after their dots");
    }

    @Test
    void checkDoesNotWarnOfRoutesThatMay() throws Exception {
        String ok = ", respond: {status: 200}}";
        assertThat(warnings(
                        "{path: /" + ok,
                        "{path: /a" + ok,
                        "{path: /a, path-match: exact" + ok,
                        "{path: /a, methods: [POST]" + ok,
                        "{path: /a, hosts: ['*.example']" + ok,
                        "{path: /a, hosts: [x.example]" + ok,
                        "{path: '/b*', path-match: wildcard" + ok,
                        "{path: '.*[.]gif', path-match: regex" + ok,
                        "{path: /c/d" + ok,
                        "{forward: on}",
                        "{connect: {enabled: on}}"))
                .isEmpty();
    }

    private List<String> suggested(String routes) throws Exception {
        return Suggestions.of(load(file("{port: 0}", data("") + "proxy: {routes: [" + routes + "]}\n")), "http://weir");
    }

    @Test
    void startSuggestsOnlyWhatIsAnswered() throws Exception {
        String root = "curl -i http://weir/";
        String forward = "curl -x http://weir -i http://example.com/";
        Path sample = Path.of("../etc/weir.yaml");
        assertThat(Suggestions.of(load(sample), "http://weir")).containsExactly(root, forward);
        assertThat(suggested("")).as("the embedded routes").containsExactly(root, forward);
        assertThat(suggested("{forward: on}")).containsExactly(forward);
        assertThat(suggested("{path: /demo, demo: on}"))
                .as("the demo origin has no such page")
                .isEmpty();
        assertThat(suggested("{path: /shop, origins: [\"http://127.0.0.1:1\"]}"))
                .containsExactly(root + "shop");
        assertThat(suggested("{path: /, deny: on}, {path: /in, respond: {status: 200}}"))
                .containsExactly(root + "in");
        assertThat(suggested("{path: /, hosts: [a.example], respond: {status: 200}}"))
                .isEmpty();
        assertThat(suggested("{path: /, auth: {basic: on}, respond: {status: 200}}"))
                .isEmpty();
    }
}
