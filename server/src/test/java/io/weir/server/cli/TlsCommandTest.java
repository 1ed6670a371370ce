package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.base.SystemClock;
import io.weir.server.Server;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code ./weir tls} against a server in this process. */
@Tag("slow")
final class TlsCommandTest {
    /** What one call gave. */
    private record Result(int code, String out, String err) {}

    @TempDir
    private Path dir = Path.of("");

    private X509Bundle certificate(String stem) throws Exception {
        X509Bundle made = new CertificateBuilder()
                .ecp256()
                .subject("CN=" + stem)
                .setIsCertificateAuthority(true)
                .notAfter(Instant.ofEpochMilli(SystemClock.INSTANCE.millis())
                        .plus(Duration.ofDays(41))
                        .minusSeconds(3600))
                .addSanDnsName(stem + ".example")
                .buildSelfSigned();
        Files.writeString(dir.resolve(stem + ".pem"), made.getCertificatePEM());
        Files.writeString(dir.resolve(stem + ".key"), made.getPrivateKeyPEM());
        return made;
    }

    private String files(String stem) {
        return "{chain-file: \"" + dir.resolve(stem + ".pem") + "\", key-file: \"" + dir.resolve(stem + ".key") + "\"}";
    }

    private Server start() throws Exception {
        Path file = Files.writeString(dir.resolve("weir.yaml"), """
                server: {data-dir: "%s"}
                admin: {port: 0}
                listeners:
                  shop: {port: 0, tls: {certificates: [%s, %s]}}
                proxy:
                  origin-tls: {trust-file: "%s", certificate: %s}
                  routes: [{path: /, respond: {status: 200, body: ok}}]
                """.formatted(
                        dir.resolve("data"), files("one"), files("two"), dir.resolve("one.pem"), files("own")));
        LoadedConfig loaded = new ConfigLoader(file, List.of(), null).load();
        assertThat(loaded.problems()).isEmpty();
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        return Server.start(new ServerParts(loaded, dir.resolve("data"), SystemClock.INSTANCE, nowhere, "test"));
    }

    private Result tls(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.line("tls").setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] all = new String[words.length + 3];
        all[0] = "tls";
        System.arraycopy(words, 0, all, 1, words.length);
        all[words.length + 1] = "--config";
        all[words.length + 2] = dir.resolve("weir.yaml").toString();
        return new Result(line.execute(all), out.toString(), err.toString());
    }

    private static String row(String out, String... cells) {
        return out.lines()
                .filter(l -> List.of(cells).stream().allMatch(l::contains))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line with " + List.of(cells) + " in\n" + out));
    }

    @Test
    void certificatesAreListedAndLoadedAnewAndItIsToldWhatChanged() throws Exception {
        X509Bundle old = certificate("one");
        certificate("two");
        certificate("own");
        Server server = start();
        try {
            Result list = tls();
            assertThat(list.code()).isZero();
            assertThat(list).isEqualTo(tls("list"));
            assertThat(row(list.out(), "shop", "one.pem"))
                    .containsPattern("one\\.example +EC 256 +\\S+Z +40 +off +\\S+Z$");
            assertThat(row(list.out(), "shop", "two.pem")).contains("two.example", "EC 256");
            assertThat(row(list.out(), "proxy.origin-tls")).contains("own.pem", "own.example", "EC 256");

            assertThat(tls("reload").out())
                    .isEqualTo("proxy.origin-tls: reloaded, unchanged\nshop: reloaded, unchanged\n");

            X509Bundle next = certificate("one");
            Result reload = tls("reload");
            assertThat(reload.code()).isZero();
            assertThat(row(reload.out(), "shop:", "one.pem"))
                    .contains("serial " + serial(next) + " until ", "instead of serial " + serial(old));
            assertThat(row(reload.out(), "proxy.origin-tls:", "one.pem")).endsWith("one.pem was written");

            Files.writeString(dir.resolve("two.key"), "no key");
            Result failed = tls("reload");
            assertThat(failed.code()).isEqualTo(1);
            assertThat(row(failed.out(), "shop: the old ones are kept: ")).contains("two.key");
            assertThat(row(failed.out(), "proxy.origin-tls: reloaded")).isNotEmpty();
            assertThat(row(tls("--json").out(), "\"done\":false,\"failure\":"))
                    .contains("\"serial\":\"" + serial(next));
            assertThat(row(tls().out(), "shop", "two.pem")).contains("failed ", "two.key");
        } finally {
            server.stop();
        }
        assertThat(tls().err()).contains("no server is running");
        assertThat(tls("dance").code()).isEqualTo(2);
    }

    private static String serial(X509Bundle c) {
        return c.getCertificate().getSerialNumber().toString(16);
    }
}
