package io.weir.lab.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.house.House;
import io.weir.lab.process.Servers;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code samples/spring-boot}, as a user has it: built by Maven from the repository that {@code ./weir client} wrote, and run
 * on Java 17, too. It fetches Spring Boot, so it runs at night.
 */
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("nightly")
class SpringBootTest {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final Pattern PORT = Pattern.compile("Netty started on port (\\d+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private Path folder = Path.of("");

    /** What {@code ./weir client} reads, so that its build does not change what other tests run from. */
    private Path sources() throws IOException {
        Path to = folder.resolve("sources");
        try (Stream<Path> all = Files.walk(House.root())) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String name = House.root().relativize(file).toString();
                if (name.matches("weir|LICENSE|NOTICE|\\.mvn/.*|client/publish\\.sh|(samples/)?(\\w+/)?pom\\.xml")
                        || name.matches("(base|wire|jms|client|starter)/src/main/.*")) {
                    copy(file, to.resolve(name));
                }
            }
        }
        return to;
    }

    private static void copy(Path file, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(file, to);
    }

    /** The sample's own files, without what a user's build left there. */
    private Path sample(String name) throws IOException {
        Path from = House.root().resolve("samples/spring-boot");
        Path to = folder.resolve(name);
        copy(from.resolve("pom.xml"), to.resolve("pom.xml"));
        try (Stream<Path> all = Files.walk(from.resolve("src"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
        return to;
    }

    /** The sample as an application that does not use the starter: one dependency, and a bean with a URL. */
    private Path sampleOfTheBareClient() throws IOException {
        Path to = sample("bare");
        Path pom = to.resolve("pom.xml");
        String with = Files.readString(pom);
        String without = with.replace("<artifactId>weir-spring-boot-starter<", "<artifactId>weir-jms-client<")
                .replace("<dependencies>", """
                        <dependencies>
                        <dependency>
                          <groupId>org.springframework</groupId><artifactId>spring-jms</artifactId>
                        </dependency>
                        """);
        assertThat(without).isNotEqualTo(with).doesNotContain("weir-spring-boot-starter");
        Files.writeString(pom, without);
        Files.writeString(to.resolve("src/main/java/shop/Broker.java"), """
                package shop;

                import io.weir.jms.WeirConnectionFactory;
                import jakarta.jms.ConnectionFactory;
                import org.springframework.beans.factory.annotation.Value;
                import org.springframework.context.annotation.Bean;
                import org.springframework.context.annotation.Configuration;

                @Configuration
                class Broker {
                    @Bean
                    ConnectionFactory connections(@Value("${weir.jms.url}") String url) {
                        return new WeirConnectionFactory(url);
                    }
                }
                """);
        return to;
    }

    @Test
    void oneDependencyAndOneUrlAreEnough() throws Exception {
        String java = System.getProperty("java.home");
        Path repository = folder.resolve("a repository");
        String written = Application.run(
                sources(), List.of("./weir", "client", repository.toString()), "WEIR_JAVA_HOME=" + java, "WEIR_DIST=");
        assertThat(written)
                .contains(
                        "wrote weir-jms-client ", "runs on Java 17 and newer", "weir-spring-boot-starter</artifactId>");
        String url = written.lines()
                .filter(l -> l.contains("<repository>"))
                .findFirst()
                .orElseThrow()
                .replaceAll(".*<url>|</url>.*", "");
        List<Path> samples = List.of(sample("shop"), sampleOfTheBareClient());
        for (Path sample : samples) {
            Application.run(
                    sample, List.of("mvn", "-B", "-U", "package", "-Dweir.repository=" + url), "JAVA_HOME=" + java);
        }
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  messaging: {address: 127.0.0.1, port: 0, protocol: weir}
                admin: {port: 0}
                messaging: {queues: {demo: {}}}
                """);
        for (Path sample : samples) {
            for (Path jvm : Application.jvms()) {
                ProcessLauncher.Running server =
                        Servers.launcher().start(config, Files.createTempDirectory(folder, "data"), List.of());
                try (server) {
                    run(jvm, sample.resolve("target/shop-1.jar"), server, sample.endsWith("shop"));
                }
            }
        }
    }

    /** The health of an application with the starter follows the server. */
    private void run(Path jvm, Path jar, ProcessLauncher.Running server, boolean starter) throws Exception {
        Path output = Files.createTempFile(folder, "shop", ".out");
        Process shop = new ProcessBuilder(
                        jvm.resolve("bin/java").toString(),
                        "-jar",
                        jar.toString(),
                        "--server.port=0",
                        "--weir.jms.url=weir://127.0.0.1:" + server.port("messaging"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(Servers.within(
                            PATIENCE_MILLIS, () -> Files.readString(output).contains("Started Shop")))
                    .as(Files.readString(output))
                    .isTrue();
            Matcher port = PORT.matcher(Files.readString(output));
            assertThat(port.find()).isTrue();
            String at = "http://127.0.0.1:" + port.group(1);
            assertThat(get(at + "/about")).matches("java \\d+, netty 4\\.1\\.\\d+\\.Final\n");
            assertThat(post(at + "/orders?of=bread")).isEqualTo("ordered bread\n");
            assertThat(post(at + "/orders?of=nothing")).doesNotContain("ordered");
            assertThat(post(at + "/orders?of=milk")).isEqualTo("ordered milk\n");
            assertThat(Servers.within(PATIENCE_MILLIS, () -> get(at + "/orders").contains("milk")))
                    .isTrue();
            assertThat(get(at + "/orders")).isEqualTo("[\"order of bread\",\"order of milk\"]");
            assertThat(get(at + "/actuator/health"))
                    .contains("\"jms\":{\"status\":\"UP\",\"details\":{\"provider\":\"Weir\"}}");
            assertThat(Files.readString(output)).doesNotContain("io.weir.shaded", "LinkageError");
            if (starter) {
                server.kill();
                assertThat(get(at + "/actuator/health"))
                        .contains("\"jms\":{\"status\":\"DOWN\"", "no connection to [127.0.0.1:");
            }
        } finally {
            shop.destroy();
            shop.onExit().join();
        }
    }

    private static String get(String url) throws IOException, InterruptedException {
        return body(HttpRequest.newBuilder(URI.create(url)).build());
    }

    private static String post(String url) throws IOException, InterruptedException {
        return body(HttpRequest.newBuilder(URI.create(url))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build());
    }

    private static String body(HttpRequest request) throws IOException, InterruptedException {
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
                .body();
    }
}
