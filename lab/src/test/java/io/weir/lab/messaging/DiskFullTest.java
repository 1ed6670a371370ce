package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The journal's disk is full under load: persistent sends are refused, everything else goes on, nothing promised is lost. */
@Timeout(300)
class DiskFullTest {
    private static final int MILLIS = 20_000;

    @TempDir
    private Path home = Path.of("");

    @Test
    void persistentSendsAreRefusedClearlyAndResumeAndNothingPromisedIsLost() throws Exception {
        List<Integer> promised = new ArrayList<>();
        try (MessagingServer server = MessagingServer.start(
                home,
                "messaging.journal.max-total-size=2MiB",
                "messaging.journal.max-file-size=256KiB",
                "messaging.journal.retry-after=1ms")) {
            try (HealthyPair healthy = withoutDisk(server);
                    Connection connection = server.factory().createConnection()) {
                Session session = connection.createSession();
                connection.start();
                MessageProducer producer = session.createProducer(session.createQueue("q"));
                JMSException full = fill(session, producer, promised);
                assertThat(full).hasMessageContaining("queue/q").hasMessageContaining("max-total-size");
                assertThat(promised).hasSizeGreaterThan(50);
                producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
                producer.send(session.createTextMessage("needs no disk"));
                healthy.goesOn();
                consumeHalf(session, promised);
                producer.setDeliveryMode(DeliveryMode.PERSISTENT);
                Await.until("there is room again", () -> sent(session, producer, promised, 1_000_000));
                healthy.goesOn();
            }
            server.stop();
            server.startAgain();
            try (Connection connection = server.factory().createConnection()) {
                assertThat(rest(connection)).containsExactlyElementsOf(promised);
            }
        }
    }

    /** Its messages are not persistent: the full disk is nothing to it. */
    private static HealthyPair withoutDisk(MessagingServer server) throws JMSException {
        return new HealthyPair(server, "default-delivery-mode=non-persistent");
    }

    private static JMSException fill(Session session, MessageProducer producer, List<Integer> promised) {
        for (int number = 0; number < 100_000; number++) {
            try {
                send(session, producer, promised, number);
            } catch (JMSException e) {
                return e;
            }
        }
        throw new AssertionError("never full");
    }

    private static boolean sent(Session session, MessageProducer producer, List<Integer> promised, int number) {
        try {
            send(session, producer, promised, number);
            return true;
        } catch (JMSException e) {
            return false;
        }
    }

    private static void send(Session session, MessageProducer producer, List<Integer> promised, int number)
            throws JMSException {
        BytesMessage m = session.createBytesMessage();
        m.writeBytes(new byte[10_000]);
        m.setIntProperty("number", number);
        producer.send(m);
        promised.add(number);
    }

    private static void consumeHalf(Session session, List<Integer> promised) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(session.createQueue("q"))) {
            for (int i = promised.size() / 2; i > 0; i--) {
                Message m = consumer.receive(MILLIS);
                assertThat(m.getIntProperty("number")).isEqualTo(promised.removeFirst());
            }
        }
    }

    private static List<Integer> rest(Connection connection) throws JMSException {
        List<Integer> all = new ArrayList<>();
        Session session = connection.createSession();
        connection.start();
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
            all.add(m.getIntProperty("number"));
        }
        return all;
    }
}
