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
import io.weir.server.files.DataDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
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
                file("{address: 198.51.100.1, port: 0}", data("") + admin),
                "listeners.http",
                "This machine has no such address");
        refused(
                file("{port: 0}", data("") + "admin: {address: 198.51.100.1, port: 0}\n"),
                "admin.address",
                "198.51.100.1 cannot be listened on here");
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
    void checkWarnsOfServicesWhoseClassIsNotThere() throws Exception {
        Result r = check(file("{port: 0}", data("") + """
                singletons: {poller: {class-name: com.example.Missing}}
                timers: {tick: {schedule: every 1s, class-name: java.lang.String}}
                """));
        assertThat(r.code()).as(r.toString()).isZero();
        assertThat(r.err().lines())
                .singleElement()
                .asString()
                .contains("singletons.poller.class-name: there is no class com.example.Missing in the jars of ");
    }

    @Test
    void aWrongZoneHidesNoWrongSchedule() throws Exception {
        Result r = check(file("{port: 0}", data("") + """
                timers: {tick: {schedule: "61 * * * *", zone: Europe/Berlni, class-name: com.example.Tick}}
                """));
        assertThat(r.code()).isEqualTo(1);
        assertThat(r.err()).contains("timers.tick.zone: there is no time zone").contains("timers.tick.schedule: ");
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
        assertThat(warnings("{path: /a/b" + ok, "{path: '/a/.*', path-match: regex" + ok))
                .contains("proxy.routes[0]: never matches: proxy.routes[1]");
        assertThat(warnings("{path: '/search?q=1'" + ok)).contains("never matches: a path is what stands before");
        assertThat(warnings("{path: /a/../b" + ok, "{path: /b" + ok))
                .as("dots are resolved in rules as in requests")
                .contains("proxy.routes[1]: never matches: proxy.routes[0] takes");
    }

    @Test
    void checkWarnsOfRoutesBehindPatternsThatTakeEverything() throws Exception {
        String ok = ", respond: {status: 200}}";
        for (String all :
                List.of("'/.*', path-match: regex", "'/*', path-match: wildcard", "'/[^?]*', path-match: regex")) {
            assertThat(warnings(
                            "{path: /api" + ok, "{path: " + all + ok, "{path: /img/*.png, path-match: wildcard" + ok))
                    .as(all)
                    .contains("proxy.routes[0]: never matches: proxy.routes[1] takes all of its requests before it")
                    .contains("proxy.routes[2]: never matches: proxy.routes[1] takes");
        }
        assertThat(warnings("{path: '/img/.*', path-match: regex" + ok, "{path: /img" + ok))
                .as("/img itself is left")
                .isEmpty();
        assertThat(warnings(
                        "{path: '/img/.*', path-match: regex" + ok,
                        "{path: /img, path-match: exact" + ok,
                        "{path: /img" + ok))
                .contains("proxy.routes[2]: never matches: proxy.routes[0] and proxy.routes[1] together take all");
        assertThat(warnings("{path: /a, methods: [GET]" + ok, "{path: /a, methods: [POST]" + ok))
                .isEmpty();
        assertThat(warnings(
                        "{path: '/a.*', path-match: regex, methods: [GET]" + ok,
                        "{path: '/a*', path-match: wildcard, methods: [POST]" + ok,
                        "{path: /a, methods: [GET, POST]" + ok))
                .contains("proxy.routes[2]: never matches: proxy.routes[0] and proxy.routes[1] together take all");
        assertThat(warnings("{path: index.html, path-match: wildcard" + ok))
                .contains("proxy.routes[0]: never matches: no path matches \"index.html\": each begins with a slash");
    }

    @Test
    void thousandsOfRoutesAreCheckedAgainstEachOther() throws Exception {
        List<String> routes = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            routes.add("{path: /p" + i + ", respond: {status: 200}}");
        }
        for (int i = 0; i < 500; i++) {
            routes.add("{path: '/r" + i + "/[a-z]+[.](png|jpg)', path-match: regex, respond: {status: 200}}");
        }
        routes.add("{path: '/.*', path-match: regex, respond: {status: 200}}");
        assertThat(warnings(routes.toArray(String[]::new)).lines())
                .as("every prefix is behind it, every other expression before it")
                .hasSize(5000);
    }

    @Test
    void aFolderThatAStartRefusesIsToldAndWhy() throws Exception {
        String admin = "admin: {port: 0}\n";
        Path everybodys = Files.createDirectory(dir.resolve("everybodys"));
        Files.setAttribute(everybodys, "unix:mode", 01777);
        refused(
                file("{port: 0}", "server: {data-dir: \"" + everybodys + "\"}\n" + admin),
                "server.data-dir",
                "a folder for everybody's temporary files");
        Path nowhere = file("{port: 0}", "server: {data-dir: /proc/weir}\n" + admin);
        refused(nowhere, "server.data-dir", "the folder /proc");
        assertThat(catchThrowable(running(nowhere)))
                .hasMessageContaining("the data directory /proc/weir cannot be made: ")
                .hasMessageContaining("server.data-dir");
        Path log = file("{port: 0}", data("") + admin + "proxy: {access-log: {format: common, file: /proc/access}}\n");
        Result r = check(log);
        assertThat(r.code()).as(r.toString()).isZero();
        assertThat(r.err())
                .contains("warning: ")
                .contains("proxy.access-log.file")
                .contains("the folder /proc");
        assertThatCode(running(log)).as("it runs without").doesNotThrowAnyException();
    }

    @Test
    void whatAnEarlierStartLeftIsLookedAt() throws Exception {
        Path file = file("{port: 0}", data("") + "admin: {port: 0}\n");
        Path data = Files.createDirectory(dir.resolve("data"));
        Path instance = Files.writeString(data.resolve("instance"), "somebody\n");
        refused(file, "server.data-dir", "holds no instance name");
        Files.delete(instance);
        Path token = Files.writeString(data.resolve("admin.token"), "0123456789abcdef0123456789abcdef\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        refused(file, "server.data-dir", "may be read by others than its owner");
    }

    @Test
    void oneMistakeHidesNoOther() throws Exception {
        certificate("one");
        certificate("two");
        Path file = Files.writeString(dir.resolve("weir.yaml"), """
                server: {data-dir: "%1$s/no.pem/data"}
                kernel: {request-throttel: 7}
                listeners:
                  a: {port: 99999}
                  b: {port: 88888}
                  c: {address: 198.51.100.1, port: 0}
                  d:
                    port: 0
                    tls:
                      ciphers: [TLS_FOO]
                      client-trust: "%1$s/no.pem"
                      ticket-key-file: "%1$s/no.pem"
                      certificates: [{chain-file: "%1$s/one.pem", key-file: "%1$s/two.key"}]
                admin: {address: 198.51.100.2, port: 0}
                proxy:
                  origin-tls: {trust-file: "%1$s/none.pem", ciphers: [TLS_BAR]}
                  routes: [{path: /, work-manager: nope, request-class: nowhere, respond: {status: 200}}]
                """.formatted(dir));
        Files.writeString(dir.resolve("no.pem"), "this is no certificate\n");
        Result r = check(file);
        assertThat(r.code()).isEqualTo(1);
        assertThat(r.err())
                .contains("server.data-dir: " + dir.resolve("no.pem") + " is no folder")
                .contains("kernel.request-throttel: unknown key")
                .contains("listeners.a.port: ")
                .contains("listeners.b.port: allowed range")
                .contains("listeners.c: ")
                .contains("listeners.d.tls.ciphers: none of TLS_FOO can be used")
                .contains("listeners.d.tls.client-trust: ")
                .contains("no.pem cannot be used as trust: it holds no certificate")
                .contains("listeners.d.tls.ticket-key-file: ")
                .contains("listeners.d.tls.certificates[0].key-file: the private key in ")
                .contains("admin.address: 198.51.100.2 cannot be listened on here")
                .contains("proxy.origin-tls.trust-file: ")
                .contains("proxy.origin-tls.ciphers: none of TLS_BAR can be used")
                .contains("there is no work manager \"nope\"")
                .contains("there is no request class \"nowhere\"")
                .contains("14 problems in the configuration")
                .doesNotContain("password")
                .doesNotContain("taken by");
        assertThat(r.err()
                        .lines()
                        .filter(l -> l.startsWith(file.toString()))
                        .map(l -> Integer.valueOf(l.split(":", -1)[1])))
                .as("in the order of the file")
                .isSorted();
    }

    @Test
    void checkWarnsOfTlsThatIsNotMeant() throws Exception {
        X509Bundle old = new CertificateBuilder()
                .ecp256()
                .subject("CN=old")
                .setIsCertificateAuthority(true)
                .notBefore(Instant.parse("2001-01-01T00:00:00Z"))
                .notAfter(Instant.parse("2002-01-01T00:00:00Z"))
                .buildSelfSigned();
        Files.writeString(dir.resolve("old.pem"), old.getCertificatePEM());
        Files.writeString(dir.resolve("old.key"), old.getPrivateKeyPEM());
        String listener = tls("old.pem", "old.key")
                .replace("tls: {", "tls: {alpn: [h3, http/1.1], stapling: {responder: nonsense}, ")
                .replace("old.key\"", "old.key\", ocsp-file: \"" + dir.resolve("none.der") + "\"");
        Path file = file(listener, data("") + "admin: {port: 0}\n");
        Result r = check(file);
        assertThat(r.code()).as(r.toString()).isZero();
        assertThat(r.err())
                .contains("listeners.http.tls.certificates[0].chain-file: its certificate expired on 2002-01-01")
                .contains("listeners.http.tls.certificates[0].ocsp-file: the file " + dir.resolve("none.der"))
                .contains("holds the certificate alone")
                .contains("listeners.http.tls.alpn: offers \"h3\"")
                .contains("listeners.http.tls.stapling.responder: expected a URL");
        assertThatCode(running(file)).doesNotThrowAnyException();
    }

    @Test
    void membersFilesForTlsAreLookedAt() throws Exception {
        certificate("one");
        certificate("two");
        Files.writeString(dir.resolve("no.pem"), "garbage\n");
        Result r = check(file("{port: 0}", data("") + """
                cluster:
                  tls: {chain-file: "%1$s/one.pem", key-file: "%1$s/two.key", trust-file: "%1$s/no.pem"}
                """.formatted(dir)));
        assertThat(r.code()).as(r.toString()).isEqualTo(1);
        assertThat(r.err())
                .contains("cluster.tls.key-file: the private key in ")
                .contains("cluster.tls.trust-file: " + dir.resolve("no.pem") + " holds no");
    }

    @Test
    void aDatabaseThatIsNotSupportedIsFoundBeforeAStart() throws Exception {
        refused(
                file(
                        "{port: 0}",
                        data("") + "admin: {port: 0}\n"
                                + "cluster: {member: a, leasing: database, database: {url: 'jdbc:nope:x'}}\n"),
                "cluster.database",
                "supported are PostgreSQL");
        refused(
                file(
                        "{port: 0}",
                        data("") + "admin: {port: 0}\n"
                                + "cluster: {member: a, leasing: database, database: {url: 'jdbc:h2:mem:x', driver: no.Driver}}\n"),
                "cluster.database",
                "cluster.database.driver no.Driver cannot be used");
    }

    @Test
    void whatIsInTheWayInTheDataDirectoryIsFound() throws Exception {
        Path file = file("{port: 0}", data("") + "admin: {port: 0}\n");
        Path data = Files.createDirectories(dir.resolve("data"));
        Path statistics = Files.writeString(data.resolve("statistics"), "");
        refused(file, "server.data-dir", "statistics is a file, and is to be a folder");
        Files.delete(statistics);
        Files.deleteIfExists(data.resolve("weir.lock"));
        Files.createDirectory(data.resolve("weir.lock"));
        refused(file, "server.data-dir", "weir.lock is a folder, and is to be a file");
    }

    @Test
    void problemsAndWarningsStandWhereTheirKeysDo() throws Exception {
        Path file = Files.writeString(dir.resolve("weir.yaml"), """
                listeners: {http: {port: 0}}
                server: {data-dir: "%s"}
                proxy:
                  routes:
                    - {path: /, deny: on}
                    - path: /b
                      methods: [get]
                      respond: {status: 204, body: x}
                  access-logs:
                    api: {format: json, file: logs/a, virtual-servers: [nobody]}
                """.formatted(dir.resolve("data")));
        assertThat(check(file).err()).contains("weir.yaml:10:").contains("proxy.access-logs.api.virtual-servers");
        Files.writeString(file, Files.readString(file).replace(", virtual-servers: [nobody]", ""));
        assertThat(check(file).err())
                .contains("weir.yaml:7:7: proxy.routes[1].methods: ")
                .contains("weir.yaml:8:30: proxy.routes[1].respond.body: ");
    }

    @Test
    void anAccessLogThatIsTheServersLogIsRefused() throws Exception {
        Result r = check(file("{port: 0}", data("") + "proxy: {access-log: {format: json, file: logs/server.log}}\n"));
        assertThat(r.code()).as(r.toString()).isEqualTo(1);
        assertThat(r.err()).contains("proxy.access-log.file: the file is that of server.log, too");
    }

    @Test
    void checkSaysThatAServerRunsThere() throws Exception {
        Path file = file("{port: 0}", data("") + "admin: {port: 0}\n");
        assertThat(check(file).out()).doesNotContain("runs in");
        try (DataDirectory held = DataDirectory.open(dir.resolve("data"))) {
            assertThat(check(file).out())
                    .contains("A server (process " + ProcessHandle.current().pid() + ") runs in " + held.path())
                    .contains("./weir config reload");
        }
    }

    @Test
    void hostsOfVirtualServersAreLookedAt() throws Exception {
        for (String host : List.of("'x.y:80'", "'*'", "'http://x'", "'a b'", "'*.*.test'")) {
            Result r = check(file("{port: 0}", data("") + "virtual-servers: {v: {hosts: [" + host + "]}}\n"));
            assertThat(r.code()).as(host).isEqualTo(1);
            assertThat(r.err()).contains("virtual-servers.v.hosts: expected a host name, *.name");
        }
        assertThat(warnedOf(
                        "{port: 0}", data("") + "virtual-servers: {a: {hosts: [a.test]}, b: {hosts: ['A.TEST.']}}\n"))
                .as("dots behind a name do not count")
                .contains("virtual-servers.b.hosts: requests for a.test never come here");
        assertThat(warnings("{hosts: ['X.A.test.'], path: /, respond: {status: 200}}"))
                .isEmpty();
    }

    @Test
    void aPortThatSomebodyHasIsAWarning() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();
            Path file = file("{address: 127.0.0.1, port: " + port + "}", data("") + "admin: {port: 0}\n");
            assertThat(check(file).err())
                    .contains("warning: ")
                    .contains("listeners.http.port: another process listens on " + port + " now");
            assertThat(catchThrowable(running(file))).isInstanceOf(StartFailure.class);
        }
        assertThat(warnedOf("{port: 0}", data("") + "admin: {port: 0}\n")).isEmpty();
    }

    @Test
    void aTrustThatIsNoneIsToldWithItsReason() throws Exception {
        Files.writeString(dir.resolve("no.pem"), "this is no trust\n");
        refused(
                file(
                        "{port: 0}",
                        data("") + "admin: {port: 0}\nproxy: {origin-tls: {trust-file: \"" + dir.resolve("no.pem")
                                + "\"}}\n"),
                "proxy.origin-tls",
                "It must be PEM, or PKCS#12");
        assertThat(check(dir.resolve("weir.yaml")).err()).doesNotContain("null");
    }

    @Test
    void aPatternThatWouldLetThroughWhatItDeniesIsRefused() throws Exception {
        Result r = check(file(
                "{port: 0}", data("") + "proxy: {routes: [{path: '/%61dmin*', path-match: wildcard, deny: on}]}\n"));
        assertThat(r.code()).as(r.toString()).isEqualTo(1);
        assertThat(r.err()).contains("proxy.routes[0].path").contains("write that");
        assertThat(load(dir.resolve("weir.yaml")).usable())
                .as("a start refuses it, too")
                .isFalse();
    }

    @Test
    void whatARouteRunsUnderIsNamedAsTheConfigurationNamesIt() throws Exception {
        Result r = check(file(
                "{port: 0}", data("") + "proxy: {routes: [{path: /, work-manager: nope, respond: {status: 200}}]}\n"));
        assertThat(r.err()).contains("there is no work manager \"nope\". Known: default");
    }

    private String warnedOf(String listener, String more) throws Exception {
        Result r = check(file(listener, more));
        assertThat(r.code()).as(r.toString()).isZero();
        return r.err();
    }

    @Test
    void checkWarnsOfHostsThatNeverComeToTheirVirtualServer() throws Exception {
        String shop = "virtual-servers: {shop: {hosts: [shop.test]}, two: {hosts: [two.test, SHOP.test]}}\n";
        assertThat(warnedOf("{port: 0}", data("") + shop))
                .contains("virtual-servers.two.hosts: requests for shop.test never come here")
                .contains("the virtual server shop has them already")
                .doesNotContain("two.test never");
        String route = "proxy: {routes: [{virtual-server: shop, hosts: [%s], path: /, respond: {status: 200}}]}\n";
        String one = data("") + "virtual-servers: {shop: {hosts: [shop.test, '*.shop.test']}}\n";
        assertThat(warnedOf("{port: 0}", one + route.formatted("other.test")))
                .contains("proxy.routes[0]: never matches: no request for other.test comes to the virtual server shop");
        for (String host : List.of("shop.test", "SHOP.test", "a.shop.test", "'*.a.shop.test'", "'*.test'", "'*'")) {
            assertThat(warnedOf("{port: 0}", one + route.formatted(host)))
                    .as(host)
                    .isEmpty();
        }
        assertThat(warnedOf("{port: 0, virtual-server: shop}", one + route.formatted("other.test")))
                .as("it takes what nobody names")
                .isEmpty();
    }

    @Test
    void checkWarnsOfWhatContradictsItself() throws Exception {
        certificate("one");
        String tls = "tls: {alpn: [%s], certificates: [{chain-file: \"" + dir.resolve("one.pem") + "\", key-file: \""
                + dir.resolve("one.key") + "\"}]}}";
        assertThat(warnedOf("{port: 0, http2: only, " + tls.formatted("http/1.1"), data("")))
                .contains("listeners.http.http2: counts only where there is no TLS")
                .contains("Give alpn [h2]");
        assertThat(warnedOf("{port: 0, http2: refused, " + tls.formatted("h2, http/1.1"), data("")))
                .contains("Give alpn [http/1.1]");
        assertThat(warnedOf("{port: 0, http2: only, " + tls.formatted("h2"), data("")))
                .isEmpty();
        assertThat(warnedOf("{port: 0}", data(", log: {levels: [\"Sockt=fine\", \"http=fine\"]}")))
                .contains("there is no subsystem \"Sockt\"; did you mean \"Socket\"?")
                .doesNotContain("\"http\"");
        assertThat(warnedOf("{port: 0}", data("") + "proxy: {origin-pool: {bind: 198.51.100.1}}\n"))
                .contains("proxy.origin-pool.bind: this machine has no such address now");
        Result r = check(file("{port: 0}", data("") + "proxy: {origin-pool: {bind: elsewhere}}\n"));
        assertThat(r.code()).as(r.toString()).isEqualTo(1);
        assertThat(r.err()).contains("proxy.origin-pool.bind: expected an address, found \"elsewhere\"");
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
                        "{path: /e, hosts: [x.example]" + ok,
                        "{path: /e, hosts: [x.example, y.example]" + ok,
                        "{forward: on}",
                        "{connect: {enabled: on}}"))
                .isEmpty();
    }

    @Test
    void routesOfOneVirtualServerTakeNothingFromAnother() throws Exception {
        Result r = check(file("{port: 0}", data("") + """
                virtual-servers: {a: {hosts: [a.example]}, b: {hosts: [b.example]}}
                proxy:
                  routes:
                    - {virtual-server: a, path: /, respond: {status: 200}}
                    - {virtual-server: b, path: /, respond: {status: 200}}
                    - {virtual-server: b, path: /, respond: {status: 404}}
                """));
        assertThat(r.code()).as(r.toString()).isZero();
        assertThat(r.err().lines())
                .singleElement()
                .asString()
                .contains("proxy.routes[2]: never matches: proxy.routes[1] takes all");
    }

    @Test
    void nothingIsSuggestedThatNeedsAnotherProtocol() throws Exception {
        for (String listener : List.of("{port: 0, http2: only}", "{port: 0, proxy-protocol: {enabled: on}}")) {
            assertThat(Suggestions.of(load(file(listener, data(""))), "http://weir"))
                    .as(listener)
                    .isEmpty();
        }
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
        assertThat(suggested("{path: /, origins: [\"http://127.0.0.1:1\"]}"))
                .as("its origin would answer for any host, which is no forward proxy")
                .containsExactly(root);
        assertThat(suggested("{path: /shop, origins: [\"http://127.0.0.1:1\"]}"))
                .containsExactly(root + "shop");
        assertThat(suggested("{path: /, deny: on}, {path: /in, respond: {status: 200}}"))
                .containsExactly(root + "in");
        assertThat(suggested("{path: /, hosts: [a.example], respond: {status: 200}}"))
                .isEmpty();
        assertThat(suggested("{path: /, respond: {status: 404}}")).isEmpty();
        certificate("one");
        assertThat(Suggestions.of(load(file(tls("one.pem", "one.key"), data(""))), "http://weir"))
                .as("nobody answers without TLS")
                .isEmpty();
        assertThat(suggested("{path: /, auth: {basic: on}, respond: {status: 200}}"))
                .isEmpty();
    }
}
