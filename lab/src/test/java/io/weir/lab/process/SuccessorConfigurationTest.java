package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that replaces one that was killed runs the program in force, whatever the files say by then. */
@Tag("slow")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SuccessorConfigurationTest {
    private static final int PATIENCE_MILLIS = 120_000;

    @TempDir
    private Path folder;

    private void objects(String body, String more) throws IOException {
        Files.writeString(folder.resolve("obj.conf"), """
                <Object name="default">
                Service fn="send-answer" body="%s"
                </Object>
                %s
                """.formatted(body, more));
    }

    @Test
    void aSuccessorHasTheProgramOfTheOthers() throws Exception {
        objects("in force", "");
        Files.writeString(folder.resolve("magnus.conf"), "RqThrottle 64\n");
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                server: {processes: 2}
                listeners:
                  http: {address: 127.0.0.1, port: 0}
                admin: {port: 0}
                proxy: {objects: "%s"}
                """.formatted(folder.resolve("obj.conf")));
        try (ProcessLauncher.Running weir = Servers.launcher().start(config, folder.resolve("data"), List.of())) {
            // another program, and a broken one: nothing was reloaded
            objects("of the file", "");
            kill(weir, 2);
            objects("of the file", "<Object");
            Files.writeString(folder.resolve("magnus.conf"), "RqThrottel 64\n");
            kill(weir, 1);
            for (int i = 0; i < 20; i++) {
                assertThat(ask(weir)).isEqualTo("in force");
            }
        }
    }

    /** Kills a process and waits for another one in its place. */
    private void kill(ProcessLauncher.Running weir, int number) throws Exception {
        ProcessHandle old = ProcessHandle.of(pid(number)).orElseThrow();
        old.destroyForcibly();
        old.onExit().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(Servers.within(PATIENCE_MILLIS, () -> pid(number) != old.pid() && isUp(weir)))
                .as(Files.readString(folder.resolve("data/workers/" + number + "/errors")))
                .isTrue();
    }

    private long pid(int number) throws IOException {
        return Files.readAllLines(folder.resolve("data/weir.pid")).stream()
                .filter(line -> line.startsWith("worker." + number + "="))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1)))
                .findFirst()
                .orElse(0);
    }

    private static boolean isUp(ProcessLauncher.Running weir) {
        try {
            return new Counters(weir.port("admin"), SystemClock.INSTANCE)
                    .fetch("/health")
                    .startsWith("{\"status\":\"up\"");
        } catch (IOException e) {
            // 503 while one of them starts
            return false;
        }
    }

    private static String ask(ProcessLauncher.Running weir) throws Exception {
        // a client for each request: another process may accept the next connection
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + weir.port("http") + "/x");
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
