package io.weir.lab.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.scenario.InProcess;
import io.weir.lab.scenario.Weir;
import io.weir.server.users.FileRealm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** curl logs in to routes, by the hashes that {@code ./weir passwd} writes. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class LoginsTest {
    @TempDir
    Path folder = Path.of("");

    /** @return the status that curl ends with */
    private static String curl(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(
                List.of("curl", "-sS", "--max-time", "20", "--noproxy", "", "-o", "/dev/null", "-w", "%{http_code}"));
        line.addAll(List.of(words));
        Process curl = new ProcessBuilder(line).redirectErrorStream(true).start();
        String said = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(curl.waitFor()).as(said).isZero();
        return said;
    }

    private String login(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text + "\n").toString();
    }

    @Test
    void curlLogsInToRoutesAndToTheProxy() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        new FileRealm(data).set("ann", "s\u00e9cret:".toCharArray(), List.of("staff"));
        String config = """
                listeners:
                  http: {address: 127.0.0.1, port: 0}
                admin: {port: 0}
                proxy:
                  routes:
                    - {path: /, respond: {status: 200, body: in}, auth: {basic: on, groups: [staff]}}
                    - {forward: on, auth: {basic: on}}
                    - {connect: {enabled: on, ports: ["1024-65535"]}, auth: {basic: on}}
                """;
        // in files, because the words of a command are in whatever encoding the machine has
        String ann = login("ann", "user = \"ann:s\u00e9cret:\"");
        String wrong = login("wrong", "user = \"ann:secret\"");
        String through = login("through", "proxy-anyauth\nproxy-user = \"ann:s\u00e9cret:\"");
        try (HeldOrigin origin = new HeldOrigin();
                Weir weir = new InProcess()
                        .start(Files.writeString(folder.resolve("weir.yaml"), config), data, List.of())) {
            origin.release();
            String here = "http://127.0.0.1:" + weir.port("http");
            assertThat(curl(here + "/")).isEqualTo("401");
            // asks first, and understands how it is told to say its name
            assertThat(curl("--anyauth", "-K", ann, here + "/")).isEqualTo("200");
            assertThat(curl("-K", wrong, here + "/")).isEqualTo("401");
            assertThat(curl("--http2-prior-knowledge", "-K", ann, here + "/")).isEqualTo("200");
            assertThat(curl("--http2-prior-knowledge", here + "/")).isEqualTo("401");
            String page = origin.url() + "/page";
            assertThat(curl("-x", here, page)).isEqualTo("407");
            assertThat(curl("-x", here, "-K", through, page)).isEqualTo("204");
            assertThat(curl("-x", here, "-p", "-K", through, page)).isEqualTo("204");
            assertThat(origin.asked()).containsExactly("page", "page");
        }
    }
}
