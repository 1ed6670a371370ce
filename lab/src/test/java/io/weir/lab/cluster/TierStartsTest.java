package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.process.Servers;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk tier that a start leaves out misses the purges of that start: nothing of it comes back. */
@Tag("slow")
@Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TierStartsTest {
    private static final String TIER = ", disk: {path: cache, size: 64MiB}";

    @TempDir
    Path folder = Path.of("");

    private ProcessLauncher.Running start(CountingOrigin origin, String tier) throws Exception {
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  web: {address: 127.0.0.1, port: 0}
                admin: {port: 0}
                proxy:
                  routes:
                    - path: /
                      origins: ["http://127.0.0.1:%d"]
                cache: {memory-budget: 16MiB%s}
                """.formatted(origin.port(), tier));
        return Servers.launcher().start(config, folder.resolve("data"), List.of());
    }

    private String send(ProcessLauncher.Running weir, String listener, String method, String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + weir.port(listener) + path))
                    .header("authorization", "Bearer " + token())
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        }
    }

    private String token() throws IOException {
        return Files.readString(folder.resolve("data/admin.token")).strip();
    }

    private static void stop(ProcessLauncher.Running weir) throws Exception {
        weir.stop();
        assertThat(weir.exit()).isZero();
    }

    @Test
    void whatIsPurgedWhileItIsAwayDoesNotComeBack() throws Exception {
        try (CountingOrigin origin = new CountingOrigin()) {
            try (ProcessLauncher.Running weir = start(origin, TIER)) {
                assertThat(get(weir)).isEqualTo("/a 1");
                counts(weir, "weir_cache_disk_written_total 1");
                stop(weir);
            }
            try (ProcessLauncher.Running weir = start(origin, TIER)) {
                counts(weir, "weir_cache_disk_objects 1");
                assertThat(get(weir)).as("it survives a restart").isEqualTo("/a 1");
                stop(weir);
            }
            try (ProcessLauncher.Running weir = start(origin, "")) {
                send(weir, "admin", "DELETE", "/cache?all");
                stop(weir);
            }
            try (ProcessLauncher.Running weir = start(origin, TIER)) {
                assertThat(get(weir)).as("it was purged").isEqualTo("/a 2");
                assertThat(weir.log()).anyMatch(l -> l.contains("WEIR-101808"));
                stop(weir);
            }
        }
    }

    private void counts(ProcessLauncher.Running weir, String line) throws Exception {
        assertThat(Servers.within(
                        120_000, () -> send(weir, "admin", "GET", "/metrics").contains("\n" + line)))
                .as(line)
                .isTrue();
    }

    /** The body; the same URL at each start, whatever the port. */
    private static String get(ProcessLauncher.Running weir) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port("web"))) {
            socket.getOutputStream()
                    .write("GET /a HTTP/1.1\r\nHost: cache.test\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 200 ");
            return answer.substring(answer.indexOf("\r\n\r\n") + 4);
        }
    }
}
