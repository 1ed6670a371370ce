package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.base.SystemClock;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Synchronous sends: delivery mode, priority, time-to-live, delivery delay and order; sections 6.2.9 and 7. */
@Timeout(300)
class ProducerRulesTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static final long MILLIS = 20_000;
    private static final long HOUR = 3_600_000;
    private final Connection connection = SERVER.factory().createConnection();
    private final Session session = connection.createSession();
    private final Queue q = session.createQueue("q");
    private final MessageProducer producer = session.createProducer(q);

    ProducerRulesTest() throws JMSException {
        connection.start();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
    }

    private static Message next(MessageConsumer in) throws JMSException {
        return Objects.requireNonNull(in.receive(MILLIS));
    }

    private static List<String> next(MessageConsumer in, int count) throws JMSException {
        List<String> got = new ArrayList<>();
        while (got.size() < count) {
            got.add(next(in).getBody(String.class));
        }
        return got;
    }

    private int browsed() throws JMSException {
        int found = 0;
        for (Enumeration<?> all = session.createBrowser(q).getEnumeration(); all.hasMoreElements(); all.nextElement()) {
            found++;
        }
        return found;
    }

    @Test
    void whatIsSetOnAProducerHoldsForAllItsMessages() throws Exception {
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.setPriority(7);
        producer.setTimeToLive(HOUR);
        producer.setDeliveryDelay(20);
        producer.send(session.createMessage());
        producer.send(session.createMessage());
        MessageConsumer in = session.createConsumer(q);
        for (int i = 0; i < 2; i++) {
            Message m = next(in);
            assertThat(m.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(m.getJMSPriority()).isEqualTo(7);
            assertThat(m.getJMSExpiration() - m.getJMSTimestamp()).isEqualTo(HOUR);
            assertThat(m.getJMSDeliveryTime() - m.getJMSTimestamp()).isEqualTo(20);
        }
        assertThat(producer.getDestination()).isEqualTo(q);
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(7);
        assertThat(producer.getTimeToLive()).isEqualTo(HOUR);
        assertThat(producer.getDeliveryDelay()).isEqualTo(20);
    }

    @Test
    void whatIsGivenToSendHasPrecedence() throws Exception {
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.setPriority(7);
        producer.setTimeToLive(HOUR);
        Message sent = session.createMessage();
        producer.send(sent, DeliveryMode.PERSISTENT, 2, 0);
        Message m = next(session.createConsumer(q));
        assertThat(m.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(m.getJMSPriority()).isEqualTo(2);
        assertThat(m.getJMSExpiration()).isZero();
        assertThat(m.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(m.getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
    }

    @Test
    void theTimestampLiesBetweenTheCallOfSendAndItsReturn() throws Exception {
        Message m = session.createMessage();
        long before = SystemClock.INSTANCE.millis();
        producer.send(m);
        assertThat(m.getJMSTimestamp()).isBetween(before, SystemClock.INSTANCE.millis());
    }

    @Test
    void aProducerWithoutDestinationTakesOneAtEachSend() throws Exception {
        MessageProducer anonymous = session.createProducer(null);
        assertThat(anonymous.getDestination()).isNull();
        Queue r = session.createQueue("r");
        anonymous.send(q, session.createTextMessage("to q"));
        anonymous.send(r, session.createTextMessage("to r"));
        assertThat(next(session.createConsumer(q)).getBody(String.class)).isEqualTo("to q");
        assertThat(next(session.createConsumer(r)).getBody(String.class)).isEqualTo("to r");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> anonymous.send(session.createMessage()));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> producer.send(r, session.createMessage()));
    }

    @Test
    void wrongModesPrioritiesAndTimesAreRefused() throws Exception {
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> producer.setDeliveryMode(0));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> producer.setPriority(10));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> producer.setPriority(-1));
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> producer.send(session.createMessage(), DeliveryMode.PERSISTENT, 11, 0));
        assertThat(producer.getPriority()).isEqualTo(4);
        assertThat(browsed()).isZero();
    }

    @Test
    @SuppressWarnings("NullAway") // what the test is about
    void nullMessagesAndDestinationsAreRefused() throws Exception {
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> producer.send(null));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createProducer(null).send((Queue) null, session.createMessage()));
    }

    @Test
    void aMessageMadeByOneSessionIsSentByAnother() throws Exception {
        try (Connection other = SERVER.factory().createConnection();
                Session s = other.createSession(Session.SESSION_TRANSACTED)) {
            s.createProducer(s.createQueue("q")).send(session.createTextMessage("made elsewhere"));
            s.commit();
        }
        assertThat(next(session.createConsumer(q)).getBody(String.class)).isEqualTo("made elsewhere");
    }

    @Test
    void higherPrioritiesComeFirstAndEqualOnesInOrder() throws Exception {
        for (int i = 0; i < 30; i++) {
            producer.send(session.createTextMessage("m" + i), DeliveryMode.NON_PERSISTENT, i % 10, 0);
        }
        List<String> expected = new ArrayList<>();
        for (int priority = 9; priority >= 0; priority--) {
            expected.addAll(List.of("m" + priority, "m" + (priority + 10), "m" + (priority + 20)));
        }
        assertThat(next(session.createConsumer(q), 30)).isEqualTo(expected);
    }

    @Test
    void eachDeliveryModeKeepsItsOrder() throws Exception {
        for (int i = 0; i < 40; i++) {
            int mode = i % 2 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
            producer.send(session.createTextMessage("m" + i), mode, 4, 0);
        }
        assertThat(next(session.createConsumer(q), 40)).isEqualTo(Arrivals.numbered("m", 40));
    }

    @Test
    void theMessagesOfATransactionKeepTheirOrder() throws Exception {
        try (Session transacted = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer p = transacted.createProducer(q);
            MessageConsumer in = session.createConsumer(q);
            for (int i = 0; i < 40; i++) {
                int mode = i % 2 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
                p.send(session.createTextMessage("m" + i), mode, 4, 0);
            }
            assertThat(in.receiveNoWait()).isNull();
            transacted.commit();
            assertThat(next(in, 40)).isEqualTo(Arrivals.numbered("m", 40));
        }
    }

    @Test
    void anExpiredMessageIsNeverDelivered() throws Exception {
        producer.send(session.createTextMessage("short"), DeliveryMode.PERSISTENT, 9, 1);
        producer.send(session.createTextMessage("long"), DeliveryMode.PERSISTENT, 4, HOUR);
        Await.until("expired", () -> {
            try {
                return browsed() == 1;
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(next(session.createConsumer(q)).getBody(String.class)).isEqualTo("long");
    }

    @Test
    void aDelayedMessageIsNeitherDeliveredNorBrowsedBeforeItsTime() throws Exception {
        producer.setDeliveryDelay(HOUR); // no test lasts that long
        producer.send(session.createTextMessage("much later"));
        producer.setDeliveryDelay(50);
        producer.send(session.createTextMessage("later"));
        producer.setDeliveryDelay(0);
        producer.send(session.createTextMessage("now"));
        MessageConsumer in = session.createConsumer(q);
        assertThat(next(in, 2)).containsExactly("now", "later");
        assertThat(in.receiveNoWait()).isNull();
        assertThat(browsed()).isZero();
    }

    @Test
    void aDelayedMessageGoesToASubscriptionThatExistedAtTheSend() throws Exception {
        Topic t = session.createTopic("t");
        MessageConsumer in = session.createConsumer(t);
        MessageProducer p = session.createProducer(t);
        p.setDeliveryDelay(50);
        p.send(session.createTextMessage("later"));
        assertThat(next(in).getBody(String.class)).isEqualTo("later");
    }

    @Test
    void timesCountFromTheSendAndNotFromTheCommit() throws Exception {
        try (Session transacted = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer p = transacted.createProducer(q);
            p.setTimeToLive(HOUR);
            p.setDeliveryDelay(30);
            Message sent = transacted.createTextMessage("x");
            p.send(sent);
            long expires = sent.getJMSExpiration();
            long due = sent.getJMSDeliveryTime();
            assertThat(expires - sent.getJMSTimestamp()).isEqualTo(HOUR);
            assertThat(due - sent.getJMSTimestamp()).isEqualTo(30);
            transacted.commit();
            Message got = next(session.createConsumer(q));
            assertThat(got.getJMSExpiration()).isEqualTo(expires);
            assertThat(got.getJMSDeliveryTime()).isEqualTo(due);
        }
    }
}
