package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Clock;
import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.server.admin.Await;
import io.weir.server.admin.RawClient;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Queue;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the assembled server says and does after a journal's thread ended by an error. */
@Timeout(300)
final class DeadJournalTest {
    @TempDir
    private Path dir = Path.of("");

    private final DeadlyClock clock = new DeadlyClock();

    private @Nullable Server running;

    /** The time, but for a thread that it ends, once. */
    private static final class DeadlyClock implements Clock {
        private final AtomicReference<String> victim = new AtomicReference<>("");

        @Override
        public long nanos() {
            if (Thread.currentThread().getName().equals(victim.get())) {
                victim.set("");
                throw new OutOfMemoryError("seed");
            }
            return SystemClock.INSTANCE.nanos();
        }

        @Override
        public long millis() {
            return SystemClock.INSTANCE.millis();
        }
    }

    private void start(Clock time) throws StartFailure {
        List<String> sets = List.of(
                "admin.port=0", "listeners.http.port=0", "listeners.messaging.port=0", "kernel.drain-time-out=8s");
        LoadedConfig loaded = new ConfigLoader(null, sets, dir).load();
        PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        running = Server.start(new ServerParts(loaded, dir, time, out, "test"));
    }

    @AfterEach
    void stop() {
        server().stop();
    }

    private Server server() {
        return Objects.requireNonNull(running);
    }

    @Test
    void messagesAreRefusedWithTheCauseAndTheServerIsNotReady() throws Exception {
        start(clock);
        try (JMSContext context = factory().createContext()) {
            Queue q = context.createQueue("demo");
            JMSProducer producer = context.createProducer();
            producer.send(q, "before");
            clock.victim.set("weir.journal.messages");
            assertThatThrownBy(() -> producer.send(q, "in hand")).isInstanceOf(JMSRuntimeException.class);
            assertThatThrownBy(() -> producer.send(q, "later"))
                    .isInstanceOf(JMSRuntimeException.class)
                    .hasMessageContaining("OutOfMemoryError: seed")
                    .hasMessageContaining("restart the server");
        }
        assertThat(admin("/health/ready").status()).isEqualTo(503);
        assertThat(admin("/health").body())
                .containsPattern("\"journal messages\",\"status\":\"down\",\"detail\":\"the thread of the journal")
                .contains("OutOfMemoryError: seed", "restart the server");
        assertThat(admin("/metrics").body())
                .contains("weir_journal_died_total{journal=\"messages\"} 1.0\n")
                .contains("weir_journal_suspended{journal=\"messages\"} 1.0\n");
        stop();
        start(SystemClock.INSTANCE);
        assertThat(admin("/health/ready").status()).isEqualTo(200);
        try (JMSContext context = factory().createContext()) {
            assertThat(context.createConsumer(context.createQueue("demo")).receiveBody(String.class, 10_000))
                    .isEqualTo("before");
        }
    }

    @Test
    void theClustersJournalIsToldToo() throws Exception {
        clock.victim.set("weir.journal.cluster");
        start(clock);
        // the member joins, which is written
        Await.until(() -> admin("/health/ready").status() == 503);
        assertThat(admin("/health").body())
                .containsPattern(
                        "\"name\":\"cluster [^\"]*\",\"status\":\"down\",\"detail\":\"the thread of the journal")
                .contains("OutOfMemoryError: seed", "restart the server");
        assertThat(admin("/metrics").body()).contains("weir_journal_died_total{journal=\"cluster\"} 1.0\n");
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

    private RawClient.Answer admin(String target) {
        int port = URI.create("http://" + server().adminAuthority()).getPort();
        try (RawClient client = new RawClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.ask("GET", target, "");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
