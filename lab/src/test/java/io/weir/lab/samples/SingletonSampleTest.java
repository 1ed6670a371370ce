package io.weir.lab.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.KeptPort;
import io.weir.lab.house.House;
import io.weir.lab.process.Servers;
import io.weir.lab.scenario.ProcessLauncher;
import io.weir.samples.singleton.NumberClient;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code samples/singleton}: three servers, one number, as its README says. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class SingletonSampleTest {
    private static final int PATIENCE_MILLIS = 30_000;

    @TempDir
    Path folder = Path.of("");

    private final List<ProcessLauncher.Running> servers = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        servers.forEach(ProcessLauncher.Running::close);
        http.close();
    }

    /** The README's file with ports that are free here, and its jar where this build has it. */
    private Path config() throws Exception {
        while (ports.size() < 3) {
            int port = KeptPort.on(InetAddress.getLoopbackAddress());
            if (!ports.contains(port)) {
                ports.add(port);
            }
        }
        String text = House.text(House.root().resolve("samples/singleton/weir.yaml"))
                .replaceAll(
                        "function-jars: .*",
                        "function-jars: [" + Servers.sample("singleton", folder.resolve("functions")) + "]");
        for (int i = 0; i < 3; i++) {
            text = text.replace("\"127.0.0.1:700" + (i + 1) + "\"", "\"127.0.0.1:" + ports.get(i) + "\"");
        }
        return Files.writeString(folder.resolve("weir.yaml"), text);
    }

    private void startThree() throws Exception {
        Path config = config();
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ProcessLauncher.Running>> starting = new ArrayList<>();
            for (int n = 1; n <= 3; n++) {
                int number = n;
                starting.add(each.submit((Callable<ProcessLauncher.Running>) () -> start(config, number)));
            }
            for (Future<ProcessLauncher.Running> server : starting) {
                servers.add(server.get());
            }
        }
    }

    private ProcessLauncher.Running start(Path config, int number) throws Exception {
        Path data = folder.resolve("server" + number);
        Servers.sample("singleton", data.resolve("lib"));
        return Servers.launcher()
                .start(
                        config,
                        data,
                        List.of(
                                "cluster.member=server" + number,
                                "cluster.initial-boot-delay=60s",
                                "listeners.messaging.port=" + ports.get(number - 1),
                                "listeners.http.port=0",
                                "admin.port=0"));
    }

    private String number(int server, String method, String query) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + servers.get(server - 1).port("http") + "/number" + query);
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(uri)
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
        return answer.body().strip();
    }

    private void awaitNumber(int server, int value) throws Exception {
        assertThat(Servers.within(
                        PATIENCE_MILLIS, () -> number(server, "GET", "").endsWith("my value is " + value)))
                .withFailMessage(() -> "server" + server + " does not say " + value + ": " + logs())
                .isTrue();
    }

    private boolean says(int server, String line) {
        return servers.get(server - 1).log().contains(line);
    }

    private String logs() {
        return servers.stream().map(s -> String.join("\n", s.log())).toList().toString();
    }

    @Test
    void fiveAndEightAreThirteenOnAllServersUntilThePreferredOneIsShutDown() throws Exception {
        startThree();
        awaitNumber(1, 5);
        assertThat(says(1, "NumberSingleton is active here"))
                .withFailMessage(() -> "not on the preferred server: " + logs())
                .isTrue();
        assertThat(number(1, "POST", "?add=8")).isEqualTo("Hello World, my value is 13");
        assertThat(number(2, "GET", "")).isEqualTo("Hello World, my value is 13");
        String others = "weir://127.0.0.1:" + ports.get(1) + ",127.0.0.1:" + ports.get(2);
        try (Jvm client = Jvm.start(folder, NumberClient.class, others, "get")) {
            assertThat(client.ended()).containsExactly("13");
        }
        servers.getFirst().stop();
        assertThat(servers.getFirst().exit()).isZero();
        assertThat(says(1, "NumberSingleton is active here no more")).isTrue();
        awaitNumber(2, 5);
        awaitNumber(3, 5);
        assertThat(says(2, "NumberSingleton is active here") ^ says(3, "NumberSingleton is active here"))
                .as("on one of the others")
                .isTrue();
    }
}
