package io.weir.lab.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.functions.FunctionJar;
import io.weir.lab.process.Await;
import io.weir.lab.scenario.InProcess;
import io.weir.lab.scenario.Weir;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Request classes and work managers as clients feel them: counted by completions, never by a clock. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class WorkOverTheWireTest {
    private static final int EACH = 60;
    private static final int COUNTED = 50;

    @TempDir
    Path folder = Path.of("");

    @AutoClose
    private final HttpClient clients =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Weir start(String config) throws Exception {
        return new InProcess()
                .start(Files.writeString(folder.resolve("weir.yaml"), config), folder.resolve("data"), List.of());
    }

    private CompletableFuture<HttpResponse<String>> ask(Weir weir, String path) {
        URI url = URI.create("http://127.0.0.1:" + weir.port("http") + path);
        return clients.sendAsync(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static int status(CompletableFuture<HttpResponse<String>> asked) throws Exception {
        return asked.get(3, TimeUnit.MINUTES).statusCode();
    }

    private double metric(Weir weir, String sample) throws IOException, InterruptedException {
        URI url = URI.create("http://127.0.0.1:" + weir.port("admin") + "/metrics");
        String all = clients.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        Matcher m =
                Pattern.compile("(?m)^" + Pattern.quote(sample) + " (\\S+)$").matcher(all);
        assertThat(m.find()).as(sample).isTrue();
        return Double.parseDouble(m.group(1));
    }

    private void until(Weir weir, String sample, double value) throws Exception {
        Await.until(sample + " " + value, () -> "", () -> metric(weir, sample) == value);
    }

    /**
     * Two classes, each with as many requests waiting for the one slot: how many of the first that are served are of
     * which class.
     *
     * @param least of the first class for each of the second
     */
    @ParameterizedTest
    @CsvSource({
        "low-latency,fair-share: 80,fair-share: 20,3.6,4.4",
        "high-concurrency,fair-share: 80,fair-share: 20,3.6,4.4",
        // what waits is worked off as it may wait: 60 (w / 60)^(1/4) of the second while w of the first are left
        "low-latency,response-time: 100ms,response-time: 400ms,2.5,3.3",
    })
    void slotsGoByClassUnderSaturation(String mode, String first, String second, double least, double most)
            throws Exception {
        try (HeldOrigin origin = new HeldOrigin();
                Weir weir = start("""
                        listeners:
                          http: {address: 127.0.0.1, port: 0}
                        admin: {port: 0}
                        kernel: {mode: %s, request-throttle: 1, connection-queue: {capacity: 1000}}
                        request-classes:
                          gold: {%s}
                          bronze: {%s}
                        work-managers:
                          cheap: {threads-of: default, request-class: bronze}
                        proxy:
                          routes:
                            - {path: /first, origins: ["%4$s"]}
                            - {path: /gold, origins: ["%4$s"], request-class: gold}
                            - {path: /bronze, origins: ["%4$s"], work-manager: cheap}
                        """.formatted(mode, first, second, origin.url()))) {
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            all.add(ask(weir, "/first"));
            Await.until("the slot is taken", () -> "", () -> !origin.asked().isEmpty());
            for (int i = 0; i < EACH; i++) {
                all.add(ask(weir, "/bronze/" + i));
                all.add(ask(weir, "/gold/" + i));
            }
            until(weir, "weir_connection_queue_length", 2.0 * EACH);
            origin.release();
            for (CompletableFuture<HttpResponse<String>> one : all) {
                assertThat(status(one)).isEqualTo(204);
            }
            // both classes have work waiting while these are served
            List<String> served = origin.asked().subList(1, 1 + COUNTED);
            int gold = Collections.frequency(served, "gold");
            int bronze = Collections.frequency(served, "bronze");
            assertThat(gold + bronze).isEqualTo(COUNTED);
            assertThat(gold / (double) bronze).as("%d to %d", gold, bronze).isBetween(least, most);
            // in high concurrency the passage through the work manager counts as work of the class, too
            int counted = mode.equals("low-latency") ? EACH : 2 * EACH;
            for (String name : List.of("gold", "bronze")) {
                until(weir, "weir_request_class_completed_total{request_class=\"" + name + "\"}", counted);
            }
        }
    }

    @Test
    void aStuckPoolDoesNotSlowAnother() throws Exception {
        Path release = folder.resolve("release");
        Path jar = FunctionJar.write(folder.resolve("functions.jar"));
        try (HeldOrigin origin = new HeldOrigin();
                Weir weir = start("""
                        listeners:
                          http: {address: 127.0.0.1, port: 0}
                        admin: {port: 0}
                        work-managers:
                          stuck: {min-threads: 1, max-threads: 2, queue-capacity: 3}
                          free: {min-threads: 1, max-threads: 1, queue-capacity: 1}
                        proxy:
                          function-jars: ["%s"]
                          time-outs: {function: 1h}
                          routes:
                            - path: /stuck
                              origins: ["%4$s"]
                              work-manager: stuck
                              functions: [{name: hang, parameters: {until: "%s"}}]
                            - path: /free
                              origins: ["%4$s"]
                              work-manager: free
                              functions: [{name: hang, parameters: {until: "%s"}}]
                        """.formatted(jar, release, folder, origin.url()))) {
            origin.release();
            List<CompletableFuture<HttpResponse<String>>> hanging = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                hanging.add(ask(weir, "/stuck/" + i));
            }
            until(weir, "weir_work_queue_length{work_manager=\"stuck\"}", 3);
            HttpResponse<String> sixth = ask(weir, "/stuck/6").get(3, TimeUnit.MINUTES);
            assertThat(sixth.statusCode()).isEqualTo(503);
            assertThat(sixth.headers().firstValue("Retry-After")).contains("1");
            for (int i = 0; i < 100; i++) {
                assertThat(status(ask(weir, "/free/" + i))).as("request %d", i).isEqualTo(204);
            }
            // an answer may be out before the work's end is counted
            until(weir, "weir_work_completed_total{work_manager=\"free\"}", 100);
            assertThat(metric(weir, "weir_work_completed_total{work_manager=\"stuck\"}"))
                    .isZero();
            assertThat(hanging).noneMatch(CompletableFuture::isDone);
            assertThat(Collections.frequency(origin.asked(), "free")).isEqualTo(100);
            Files.createFile(release);
            for (CompletableFuture<HttpResponse<String>> one : hanging) {
                assertThat(status(one)).isEqualTo(204);
            }
        }
    }
}
