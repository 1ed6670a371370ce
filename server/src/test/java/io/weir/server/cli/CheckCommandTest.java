package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.base.SystemClock;
import io.weir.server.Server;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.files.DataDirectory;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code ./weir check} finds is what {@code run} refuses. */
@Tag("slow")
final class CheckCommandTest extends CheckFixture {
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
                "None of the cipher suites TLS_AES_128_GCM_SHA256 is for TLSv1.2");
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
                "no.pem is not a folder");
        Path good = file(tls("one.pem", "one.key"), "server: {data-dir: \"" + dir.resolve("fresh") + "\"}\n" + admin);
        Result r = check(good);
        assertThat(r.code()).as(r.toString()).isZero();
        assertThat(r.err()).isEmpty();
        assertThat(dir.resolve("fresh")).as("a check leaves nothing behind").doesNotExist();
        assertThatCode(running(good)).doesNotThrowAnyException();
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
        assertThat(r.err()).contains("timers.tick.zone: unknown time zone").contains("timers.tick.schedule: ");
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
                .contains("server.data-dir: " + dir.resolve("no.pem") + " is not a folder")
                .contains("kernel.request-throttel: unknown key")
                .contains("listeners.a.port: ")
                .contains("listeners.b.port: allowed range")
                .contains("listeners.c: ")
                .contains("listeners.d.tls.ciphers: none of TLS_FOO can be used")
                .contains("listeners.d.tls.client-trust: ")
                .contains("no.pem cannot be used as trust: it contains no certificate")
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
                .contains("contains the certificate only")
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
        refused(file, "server.data-dir", "statistics is a file, but must be a folder");
        Files.delete(statistics);
        Files.deleteIfExists(data.resolve("weir.lock"));
        Files.createDirectory(data.resolve("weir.lock"));
        refused(file, "server.data-dir", "weir.lock is a folder, but must be a file");
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
                "It must be PEM or PKCS#12");
        assertThat(check(dir.resolve("weir.yaml")).err()).doesNotContain("null");
    }

    @Test
    void checkWarnsOfWhatContradictsItself() throws Exception {
        certificate("one");
        String tls = "tls: {alpn: [%s], certificates: [{chain-file: \"" + dir.resolve("one.pem") + "\", key-file: \""
                + dir.resolve("one.key") + "\"}]}}";
        assertThat(warnedOf("{port: 0, http2: only, " + tls.formatted("http/1.1"), data("")))
                .contains("listeners.http.http2: applies only without TLS")
                .contains("Give alpn [h2]");
        assertThat(warnedOf("{port: 0, http2: refused, " + tls.formatted("h2, http/1.1"), data("")))
                .contains("Give alpn [http/1.1]");
        assertThat(warnedOf("{port: 0, http2: only, " + tls.formatted("h2"), data("")))
                .isEmpty();
        assertThat(warnedOf("{port: 0}", data("") + "proxy: {origin-pool: {bind: 198.51.100.1}}\n"))
                .contains("proxy.origin-pool.bind: this machine has no such address now");
        Result r = check(file("{port: 0}", data("") + "proxy: {origin-pool: {bind: elsewhere}}\n"));
        assertThat(r.code()).as(r.toString()).isEqualTo(1);
        assertThat(r.err()).contains("proxy.origin-pool.bind: expected an address, found \"elsewhere\"");
    }
}
