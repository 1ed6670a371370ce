package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.server.admin.RawClient;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import io.weir.server.users.AdminToken;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Queue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bits of a data directory flip while no server runs on it: the next one says so until somebody acknowledges it. */
@Timeout(300)
@Tag("slow")
final class DamagedServerTest {
    @TempDir
    private Path dir = Path.of("");

    private @Nullable Server running;

    private void start() throws StartFailure {
        List<String> sets = List.of(
                "admin.port=0", "listeners.http.port=0", "listeners.messaging.port=0", "kernel.drain-time-out=8s");
        LoadedConfig loaded = new ConfigLoader(null, sets, dir).load();
        PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        running = Server.start(new ServerParts(loaded, dir, SystemClock.INSTANCE, out, "test"));
    }

    @AfterEach
    void stop() {
        server().stop();
    }

    private Server server() {
        return Objects.requireNonNull(running);
    }

    private void restart() throws StartFailure {
        stop();
        start();
    }

    @Test
    void damageOfMessagesStaysInTheHealthViewUntilItIsAcknowledged() throws Exception {
        start();
        try (JMSContext context = factory().createContext()) {
            Queue q = context.createQueue("demo");
            JMSProducer producer = context.createProducer();
            for (String body : List.of("one", "xyzzy-damaged", "three")) {
                producer.send(q, body);
            }
        }
        assertThat(ask("GET", "/health").body())
                .startsWith("{\"status\":\"up\"")
                .doesNotContain("damage");
        assertThat(ask("GET", "/damage").body()).contains("\"places\":[]");
        stop();
        flip("messages-", "xyzzy-damaged");
        start();
        for (int i = 0; i < 2; i++) {
            assertThat(ask("GET", "/health").body())
                    .startsWith("{\"status\":\"warning\"")
                    .contains("{\"name\":\"damage messages\",\"status\":\"warning\"")
                    .contains("1 damaged places");
            assertThat(ask("GET", "/health/ready").status())
                    .as("it works, with what is left")
                    .isEqualTo(200);
            assertThat(ask("GET", "/damage").body())
                    .containsPattern(
                            "\"lost\":\\[\"entry \\d+: message ID:\\S+ for queue/demo, sent \\S+ is lost\"\\]");
            assertThat(ask("GET", "/metrics").body()).contains("weir_journal_damage{journal=\"messages\"} 1.0\n");
            restart();
        }
        acknowledge();
        assertThat(ask("GET", "/health").body())
                .startsWith("{\"status\":\"up\"")
                .doesNotContain("damage");
        restart();
        assertThat(ask("GET", "/health").body())
                .as("the bit is flipped still, and somebody knows")
                .startsWith("{\"status\":\"up\"");
        assertThat(ask("GET", "/damage").body()).contains("\"places\":[]");
        try (JMSContext context = factory().createContext()) {
            var consumer = context.createConsumer(context.createQueue("demo"));
            assertThat(consumer.receiveBody(String.class, 10_000)).isEqualTo("one");
            assertThat(consumer.receiveBody(String.class, 10_000)).isEqualTo("three");
        }
    }

    private void acknowledge() throws IOException {
        String token = "Authorization: Bearer " + AdminToken.read(dir).text();
        String target = "/damage/acknowledge?journal=messages&up-to=1";
        assertThat(ask("POST", target).status()).as("a change needs the token").isEqualTo(401);
        assertThat(ask("POST", target, token, "Origin: http://evil.example").status())
                .isEqualTo(403);
        assertThat(ask("GET", target, token).status()).isEqualTo(405);
        assertThat(ask("POST", "/damage/acknowledge?journal=messages", token).status())
                .isEqualTo(400);
        assertThat(ask("POST", "/damage/acknowledge?journal=none&up-to=1", token)
                        .status())
                .isEqualTo(404);
        assertThat(ask("POST", "/damage/acknowledge?journal=messages&up-to=0", token)
                        .body())
                .contains("\"acknowledged\":0");
        assertThat(ask("GET", "/health").body()).startsWith("{\"status\":\"warning\"");
        assertThat(ask("POST", target, token).body()).contains("\"acknowledged\":1");
        assertThat(ask("POST", target, token).body())
                .as("once more changes nothing")
                .contains("\"acknowledged\":0");
    }

    @Test
    void damageOfTheClustersJournalIsToldToo() throws Exception {
        start();
        restart();
        stop();
        // the first record
        flip("cluster-", "WJR1");
        start();
        assertThat(ask("GET", "/health").body()).contains("{\"name\":\"damage cluster\",\"status\":\"warning\"");
    }

    private void flip(String prefix, String text) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(dir)) {
            files = all.filter(f -> f.getFileName().toString().startsWith(prefix)
                            && f.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
        int flipped = 0;
        for (Path f : files) {
            byte[] all = Files.readAllBytes(f);
            int at = new String(all, StandardCharsets.ISO_8859_1).indexOf(text, 512);
            if (at >= 0 && flipped == 0) {
                all[at] ^= 1;
                Files.write(f, all);
                flipped++;
            }
        }
        assertThat(flipped).as(files.toString()).isEqualTo(1);
    }

    private WeirConnectionFactory factory() {
        int port = server().listeners().stream()
                .filter(l -> l.name().equals("messaging"))
                .findFirst()
                .orElseThrow()
                .address()
                .getPort();
        return new WeirConnectionFactory("weir://127.0.0.1:" + port);
    }

    private RawClient.Answer ask(String method, String target, String... fields) throws IOException {
        int port = URI.create("http://" + server().adminAuthority()).getPort();
        try (RawClient client = new RawClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.ask(method, target, "", fields);
        }
    }
}
