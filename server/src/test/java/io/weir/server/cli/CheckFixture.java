package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A configuration file in a folder of its own, and what {@code ./weir check} says of it. */
abstract class CheckFixture {
    record Result(int code, String out, String err) {}

    @TempDir
    Path dir = Path.of("");

    void certificate(String stem) throws Exception {
        X509Bundle made = new CertificateBuilder()
                .ecp256()
                .subject("CN=" + stem)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Files.writeString(dir.resolve(stem + ".pem"), made.getCertificatePEM());
        Files.writeString(dir.resolve(stem + ".key"), made.getPrivateKeyPEM());
    }

    String tls(String chain, String key) {
        return "{port: 0, tls: {certificates: [{chain-file: \"" + dir.resolve(chain) + "\", key-file: \""
                + dir.resolve(key) + "\"}]}}";
    }

    Path file(String listener, String more) throws IOException {
        return Files.writeString(dir.resolve("weir.yaml"), """
                listeners: {http: %s}
                %s
                """.formatted(listener, more));
    }

    Result check(Path file) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new CheckCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(file.toString());
        return new Result(code, out.toString(), err.toString());
    }

    LoadedConfig load(Path file) {
        return new ConfigLoader(file, List.of(), dir).load();
    }

    String data(String more) {
        return "server: {data-dir: \"" + dir.resolve("data") + "\"" + more + "}\n";
    }

    String warnedOf(String listener, String more) throws Exception {
        Result r = check(file(listener, more));
        assertThat(r.code()).as(r.toString()).isZero();
        return r.err();
    }
}
