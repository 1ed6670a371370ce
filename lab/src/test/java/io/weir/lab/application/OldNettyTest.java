package io.weir.lab.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.house.House;
import io.weir.lab.process.Servers;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application of Java 17 whose class path begins with another Netty, as Spring Boot 3.5 has it, sends and receives. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class OldNettyTest {
    private static final String PROGRAM = """
            import io.netty.buffer.Unpooled;
            import io.netty.util.Version;
            import io.weir.jms.WeirConnectionFactory;
            import jakarta.jms.JMSConsumer;
            import jakarta.jms.JMSContext;
            import jakarta.jms.Queue;
            import java.util.concurrent.CompletableFuture;
            import java.util.concurrent.TimeUnit;

            public class Shop {
                public static void main(String[] urls) throws Exception {
                    Unpooled.buffer().release();
                    System.out.println("java " + Runtime.version().feature() + ", netty "
                            + Version.identify().get("netty-common").artifactVersion());
                    for (String url : urls) {
                        try (JMSContext context = new WeirConnectionFactory(url).createContext(JMSContext.SESSION_TRANSACTED);
                                JMSContext listening = new WeirConnectionFactory(url).createContext()) {
                            Queue demo = context.createQueue("demo");
                            context.createProducer().send(demo, "first");
                            context.commit();
                            context.createProducer().send(demo, "never");
                            context.rollback();
                            try (JMSConsumer consumer = context.createConsumer(demo)) {
                                System.out.println("received " + consumer.receiveBody(String.class, 30_000));
                                context.commit();
                            }
                            CompletableFuture<String> heard = new CompletableFuture<>();
                            listening.createConsumer(demo).setMessageListener(m -> {
                                try {
                                    heard.complete(m.getBody(String.class));
                                } catch (Exception e) {
                                    heard.completeExceptionally(e);
                                }
                            });
                            context.createProducer().send(demo, "second");
                            context.commit();
                            System.out.println("heard " + heard.get(30, TimeUnit.SECONDS) + " over "
                                    + url.replaceFirst(":.*", ""));
                        }
                    }
                }
            }
            """;

    @TempDir
    private Path folder = Path.of("");

    private ProcessLauncher.Running start() throws Exception {
        Application.run(
                folder,
                List.of("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=127.0.0.1"
                        .concat(" -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem")
                        .split(" ", -1)));
        Path config = Files.writeString(
                folder.resolve("weir.yaml"), """
                listeners:
                  messaging: {address: 127.0.0.1, port: 0, protocol: weir}
                  secure:
                    address: 127.0.0.1
                    port: 0
                    protocol: weir
                    tls: {certificates: [{chain-file: %s, key-file: %s}]}
                admin: {port: 0}
                messaging: {queues: {demo: {}}}
                """.formatted(folder.resolve("cert.pem"), folder.resolve("key.pem")));
        return Servers.launcher().start(config, folder.resolve("data"), List.of());
    }

    /** Compiled against the jar alone: its API needs nothing that is not there. */
    private void compile() throws Exception {
        Path source = Files.writeString(folder.resolve("Shop.java"), PROGRAM);
        String classPath = Stream.concat(
                        Stream.of(Application.client(), Application.library("jakarta.jms-api")), oldNetty().stream())
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "--release",
                                "17",
                                "-Xlint:all",
                                "-Werror",
                                "-proc:none",
                                "-cp",
                                classPath,
                                source.toString()))
                .isZero();
    }

    private static List<Path> oldNetty() throws Exception {
        return Application.jars(House.root().resolve("lab/target/netty-of-applications"), "netty-.*");
    }

    private Path trust() throws Exception {
        Path store = folder.resolve("trust.p12");
        Application.run(
                folder,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-importcert",
                        "-noprompt",
                        "-alias",
                        "weir",
                        "-file",
                        "cert.pem",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "changeit"));
        return store;
    }

    @Test
    void theNettyOfAnApplicationIsInNobodysWay() throws Exception {
        try (ProcessLauncher.Running server = start()) {
            compile();
            Path trust = trust();
            for (Path jvm : Application.jvms()) {
                List<String> line = new ArrayList<>(List.of(
                        jvm.resolve("bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djavax.net.ssl.trustStore=" + trust,
                        "-Djavax.net.ssl.trustStorePassword=changeit",
                        "-cp",
                        Stream.of(
                                        oldNetty().stream(),
                                        Stream.of(Application.client(), Application.library("jakarta.jms-api"), folder))
                                .flatMap(p -> p)
                                .map(Path::toString)
                                .collect(Collectors.joining(File.pathSeparator)),
                        "Shop",
                        "weir://127.0.0.1:" + server.port("messaging"),
                        "weirs://127.0.0.1:" + server.port("secure")));
                String printed = Application.run(folder, line);
                assertThat(printed.lines().filter(l -> !l.startsWith("WARNING")))
                        .as(jvm.toString())
                        .hasSize(5)
                        .first()
                        .asString()
                        .endsWith(", netty 4.1.128.Final");
                assertThat(printed)
                        .contains("received first\nheard second over weir\nreceived first\nheard second over weirs\n");
            }
        }
    }
}
