package io.weir.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.PeerProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * h2spec, the conformance suite of HTTP/2, passes strictly over TLS and without, and curl is content. The normal run takes
 * what is installed; the nightly one gets h2spec by Go's own client. What cannot be had is said and left out.
 */
@Tag("slow")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class H2specTest {
    private static final String MODULE = "github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible";

    @TempDir
    Path folder = Path.of("");

    private final int originPort;

    H2specTest() throws IOException {
        originPort = Child.freePort();
    }

    @Test
    void whatIsInstalledIsContent() throws Exception {
        Path h2spec = found("h2spec");
        Path curl = found("curl");
        boolean curls =
                curl != null && run(Map.of(), curl.toString(), "--version").contains("HTTP2");
        if (h2spec == null) {
            System.out.println("H2specTest: h2spec is not installed, its 146 cases are left out");
        }
        Assumptions.assumeTrue(h2spec != null || curls, "neither h2spec nor curl");
        try (Weir weir = start()) {
            if (curl != null && curls) {
                curl(curl, weir);
                nginx(curl, weir);
            }
            if (h2spec != null) {
                conforms(h2spec, weir);
            }
        }
    }

    @Test
    @Tag("nightly")
    void h2specAsGoInstallsItPassesStrictly() throws Exception {
        Path go = found("go");
        Path gopath = folder.resolve("go");
        Path h2spec = gopath.resolve("bin/h2spec");
        if (go != null) {
            run(Map.of("GOPATH", gopath.toString(), "GOFLAGS", "-modcacherw"), go.toString(), "install", MODULE);
        }
        if (!Files.exists(h2spec)) {
            System.out.println("H2specTest: h2spec cannot be installed, its 146 cases are left out");
        }
        Assumptions.assumeTrue(Files.exists(h2spec));
        try (Weir weir = start()) {
            conforms(h2spec, weir);
        }
    }

    private void curl(Path curl, Weir weir) throws Exception {
        String[] plain = {"--http2-prior-knowledge", "http://127.0.0.1:" + weir.port("plain") + "/"};
        String[] secure = {"--http2", "-k", "https://127.0.0.1:" + weir.port("tls") + "/"};
        for (String[] how : List.of(plain, secure)) {
            List<String> line = new ArrayList<>(List.of(curl.toString(), "-s", "-w", " %{http_version}"));
            line.addAll(List.of(how));
            assertThat(run(Map.of(), line.toArray(String[]::new))).isEqualTo("fine as it is 2");
        }
    }

    /** A real origin of HTTP/2: requests share a connection, large answers flow, WebSockets go over HTTP/1.1 to it. */
    private void nginx(Path curl, Weir weir) throws Exception {
        Path nginx =
                PeerProgram.NGINX.find(System.getenv().getOrDefault("PATH", "")).orElse(null);
        if (nginx == null) {
            System.out.println("H2specTest: nginx is not installed and left out as an origin of HTTP/2");
            return;
        }
        String[] client = {curl.toString(), "-s", "--http2-prior-knowledge"};
        String url = "http://127.0.0.1:" + weir.port("plain") + "/origin/";
        try (NginxOrigin _ = new NginxOrigin(nginx, originPort, folder.resolve("nginx"), tls())) {
            assertThat(run(Map.of(), line(client, url + "version"))).isEqualTo("HTTP/2.0 GET");
            assertThat(run(Map.of(), line(client, "-I", url + "version"))).contains("HTTP/2 200", "via: 2 ");
            assertThat(run(Map.of(), line(client, "-o", "/dev/null", "-w", "%{size_download}", url + "large")))
                    .isEqualTo(Integer.toString(NginxOrigin.LARGE));
            chat(weir);
        }
    }

    private static void chat(Weir weir) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port("plain"))) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(
                            ("GET /origin/chat HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
                                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\nhello")
                                    .getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder text = new StringBuilder();
            while (text.indexOf("hello") < 0) {
                text.append((char) socket.getInputStream().read());
            }
            assertThat(text.toString())
                    .startsWith("HTTP/1.1 101 ")
                    .containsIgnoringCase("\r\nX-Version: HTTP/1.1\r\n")
                    .endsWith("\r\n\r\nhello");
        }
    }

    private static String[] line(String[] command, String... more) {
        return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
    }

    private Map<String, String> tls() {
        return Certificates.in(folder.resolve("certificates")).variables();
    }

    private Weir start() throws Exception {
        Map<String, String> tls = tls();
        Path config = folder.resolve("weir.yaml");
        Files.writeString(config, """
                listeners:
                  only: {address: 127.0.0.1, port: 0, http2: only}
                  plain: {address: 127.0.0.1, port: 0}
                  tls: {address: 127.0.0.1, port: 0, tls: {certificates: [{chain-file: "%s", key-file: "%s"}]}}
                admin: {port: 0}
                proxy:
                  origin-tls: {verify: off, alpn: [h2, http/1.1]}
                  routes:
                    - {path: /origin, origins: ["https://localhost:%d"]}
                    - {path: /, respond: {status: 200, body: fine as it is}}
                """.formatted(tls.get("certificate"), tls.get("key"), originPort));
        return new InProcess().start(config, folder.resolve("data"), List.of());
    }

    private void conforms(Path h2spec, Weir weir) throws Exception {
        String plain = Integer.toString(weir.port("only"));
        String tls = Integer.toString(weir.port("tls"));
        assertThat(verdict(run(Map.of(), h2spec.toString(), "--strict", "-o", "5", "-h", "127.0.0.1", "-p", plain)))
                .contains("146 tests, 146 passed, 0 skipped, 0 failed");
        assertThat(verdict(run(
                        Map.of(), h2spec.toString(), "--strict", "-o", "5", "-t", "-k", "-h", "127.0.0.1", "-p", tls)))
                .contains("146 tests, 146 passed, 0 skipped, 0 failed");
    }

    /** What is wrong, and the count. */
    private static String verdict(String printed) {
        return printed.substring(
                printed.contains("Failures:")
                        ? printed.indexOf("Failures:")
                        : Math.max(0, printed.indexOf("Finished in")));
    }

    /** A program on the path, or where Go puts what it installs. */
    private static @Nullable Path found(String program) {
        String home = System.getProperty("user.home") + "/go/bin";
        return Stream.concat(Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1)), Stream.of(home))
                .map(p -> Path.of(p).resolve(program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    private String run(Map<String, String> more, String... line) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().putAll(more);
        Process process = builder.start();
        if (!process.waitFor(240, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return Files.readString(out, StandardCharsets.UTF_8);
    }
}
