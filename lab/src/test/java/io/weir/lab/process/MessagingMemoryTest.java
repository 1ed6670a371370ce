package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Producers without consumers, no quota configured, a small virtual machine: sends are refused before memory ends, what was
 * accepted is delivered, and there is room again afterwards.
 */
@Tag("slow")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MessagingMemoryTest {
    private static final int MILLIS = 120_000;
    private static final int SUBSCRIPTIONS = 200;

    @TempDir
    Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource({"0, true", "1000000, false"})
    void aProducerWithoutConsumerIsRefusedBeforeMemoryEnds(int size, boolean persistent) throws Exception {
        refusedBeforeMemoryEnds(size, persistent);
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({"0, false", "20000, true"})
    void soIsOneOfOtherSizes(int size, boolean persistent) throws Exception {
        refusedBeforeMemoryEnds(size, persistent);
    }

    private void refusedBeforeMemoryEnds(int size, boolean persistent) throws Exception {
        int accepted;
        try (ProcessLauncher.Running server = start()) {
            try (Connection connection = factory(server).createConnection()) {
                accepted = fill(connection, size, persistent);
            }
            assertThat(server.alive()).isTrue();
            Counters.Reading read = new Counters(server.port("admin"), SystemClock.INSTANCE).read();
            assertThat(read.sum("weir_jms_memory_messages", "")).isEqualTo(accepted);
            assertThat(read.sum("weir_quota_refused_total", "")).isEqualTo(1);
            assertThat(server.log()).filteredOn(l -> l.contains("040493")).hasSize(1);
            if (!persistent) {
                drain(server, accepted);
            } else {
                server.kill();
            }
        }
        if (persistent) {
            try (ProcessLauncher.Running server = start()) {
                drain(server, accepted);
            }
        }
    }

    @Test
    void manySubscriptionsOfOneTopicAreCountedBeforeMemoryEnds() throws Exception {
        try (ProcessLauncher.Running server = start()) {
            try (Connection connection = factory(server).createConnection()) {
                connection.setClientID("many");
                Session session = connection.createSession();
                for (int i = 0; i < SUBSCRIPTIONS; i++) {
                    session.createDurableConsumer(session.createTopic("t"), "s" + i)
                            .close();
                }
                int accepted = fill(session.createTopic("t"), session, 0, true);
                Counters.Reading read = new Counters(server.port("admin"), SystemClock.INSTANCE).read();
                assertThat(read.sum("weir_jms_memory_messages", "")).isEqualTo(accepted);
                assertThat(read.sum("weir_jms_memory_references", ""))
                        .as("%d messages", accepted)
                        .isEqualTo((double) accepted * (SUBSCRIPTIONS - 1));
            }
            assertThat(server.alive()).isTrue();
            server.kill();
        }
        // all that was accepted comes back, within the same memory
        try (ProcessLauncher.Running server = start()) {
            assertThat(server.alive()).isTrue();
        }
    }

    private static int fill(Connection connection, int size, boolean persistent) throws JMSException {
        Session session = connection.createSession();
        return fill(session.createQueue("q"), session, size, persistent);
    }

    private static int fill(Destination to, Session session, int size, boolean persistent) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(new byte[size]);
        MessageProducer producer = session.createProducer(to);
        producer.setDeliveryMode(persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        for (int sent = 0; sent < 10_000_000; sent++) {
            try {
                producer.send(message);
            } catch (ResourceAllocationException e) {
                assertThat(e)
                        .hasMessageContaining("in memory")
                        .hasMessageContaining(to instanceof Topic ? "topic/t" : "queue/q");
                return sent;
            }
        }
        throw new AssertionError("never refused");
    }

    private static void drain(ProcessLauncher.Running server, int accepted) throws JMSException {
        try (Connection connection = factory(server).createConnection()) {
            Session session = connection.createSession(Session.DUPS_OK_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
            connection.start();
            for (int i = 0; i < accepted; i++) {
                assertThat(consumer.receive(MILLIS))
                        .as("message %d of %d", i, accepted)
                        .isNotNull();
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
        try (Connection connection = factory(server).createConnection()) {
            Session session = connection.createSession();
            session.createProducer(session.createQueue("q")).send(session.createTextMessage("room again"));
        }
    }

    private static WeirConnectionFactory factory(ProcessLauncher.Running server) {
        return new WeirConnectionFactory("weir://127.0.0.1:" + server.port("messaging")
                + "?synchronous-prefetch-mode=enabled&messages-maximum=300&send-timeout=0");
    }

    private ProcessLauncher.Running start() throws Exception {
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                admin: {port: 0}
                messaging:
                  queues: {q: {}}
                  topics: {t: {}}
                  journal: {synchronous-write-policy: disabled}
                """);
        return Servers.launcher()
                .withJvmOptions(
                        "-Xmx40m",
                        "-XX:MaxDirectMemorySize=64m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Dio.netty.leakDetection.level=disabled")
                .start(config, folder.resolve("data"), List.of());
    }
}
