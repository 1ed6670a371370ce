package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Chapter 7 of the specification, from the client through the broker and back. */
@Timeout(300)
class SendRulesTest {
    private static final long WAIT = 10_000;
    private RealBroker broker;
    private JMSContext context;
    private Connection connection;
    private Session session;
    private Queue q;

    @BeforeEach
    void connect() throws Exception {
        broker = new RealBroker(null);
        context = broker.factory("default-delivery-mode=non-persistent").createContext();
        connection = broker.factory("default-delivery-mode=non-persistent").createConnection();
        connection.start();
        session = connection.createSession();
        q = session.createQueue("q");
    }

    @AfterEach
    void close() throws Exception {
        context.close();
        connection.close();
        broker.close();
    }

    private Message received() {
        try (var consumer = context.createConsumer(q)) {
            Message m = consumer.receive(WAIT);
            assertThat(m).isNotNull();
            return m;
        }
    }

    /** Keeps what came of a send. */
    private static final class Completed implements CompletionListener {
        final CompletableFuture<Message> message = new CompletableFuture<>();

        @Override
        public void onCompletion(Message m) {
            message.complete(m);
        }

        @Override
        public void onException(Message m, Exception e) {
            message.completeExceptionally(e);
        }
    }

    @Test
    void allSixKindsAreMadeAndAnotherSessionSendsThem() throws Exception {
        Session other = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = other.createProducer(q);
        List<Message> all = List.of(
                session.createMessage(),
                session.createTextMessage("x"),
                session.createBytesMessage(),
                session.createMapMessage(),
                session.createStreamMessage(),
                session.createObjectMessage("o"));
        for (Message m : all) {
            producer.send(m);
            assertThat(received()).hasSameClassAs(m);
        }
        assertThat(session.createObjectMessage("o").getObject()).isEqualTo("o");
        assertThat(session.createTextMessage("t").getText()).isEqualTo("t");
    }

    @Test
    void timesAreThoseOfTheSend() throws Exception {
        Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
        for (Session s : List.of(session, transacted)) {
            MessageProducer producer = s.createProducer(q);
            producer.setTimeToLive(60_000);
            producer.setDeliveryDelay(1);
            Message m = s.createMessage();
            m.setJMSRedelivered(true);
            producer.send(m);
            assertThat(m.getJMSExpiration()).isEqualTo(m.getJMSTimestamp() + 60_000);
            assertThat(m.getJMSDeliveryTime()).isEqualTo(m.getJMSTimestamp() + 1);
            if (s.getTransacted()) {
                s.commit();
            }
            Message got = received();
            assertThat(got.getJMSTimestamp()).isEqualTo(m.getJMSTimestamp());
            assertThat(got.getJMSExpiration()).isEqualTo(m.getJMSExpiration());
            assertThat(got.getJMSDeliveryTime()).isEqualTo(m.getJMSDeliveryTime());
            assertThat(got.getJMSRedelivered()).as("means nothing on send").isFalse();
        }
    }

    @Test
    void messageIdsAreUniqueOverConnectionsAndRestarts() throws Exception {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            try (RealBroker again = new RealBroker(null);
                    JMSContext one = again.factory().createContext();
                    JMSContext two = again.factory().createContext()) {
                for (JMSContext c : List.of(one, two)) {
                    Message m = c.createMessage();
                    c.createProducer()
                            .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                            .send(q, m);
                    assertThat(ids.add(m.getJMSMessageID())).isTrue();
                }
            }
        }
        assertThat(ids).hasSize(6);
    }

    @Test
    void aProducersOptionsHoldForItsMessagesAndASendsOverrideThem() throws Exception {
        MessageProducer producer = session.createProducer(q);
        producer.setPriority(7);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.setTimeToLive(50_000);
        producer.setDeliveryDelay(0);
        assertThat(producer.getDestination()).isEqualTo(q);
        assertThat(producer.getPriority()).isEqualTo(7);
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(producer.getTimeToLive()).isEqualTo(50_000);
        assertThat(producer.getDeliveryDelay()).isZero();
        producer.send(session.createMessage());
        Message got = received();
        assertThat(got.getJMSPriority()).isEqualTo(7);
        assertThat(got.getJMSExpiration()).isEqualTo(got.getJMSTimestamp() + 50_000);
        producer.send(session.createMessage(), DeliveryMode.NON_PERSISTENT, 2, 0);
        got = received();
        assertThat(got.getJMSPriority()).isEqualTo(2);
        assertThat(got.getJMSExpiration()).isZero();
    }

    @Test
    void aProducerWithoutADestinationTakesOneAtEachSend() throws Exception {
        MessageProducer producer = session.createProducer(null);
        producer.send(q, session.createTextMessage("x"));
        assertThat(received().getBody(String.class)).isEqualTo("x");
    }

    @Test
    void bodiesAreSentDirectly() throws Exception {
        JMSProducer producer = context.createProducer();
        producer.send(q, "text");
        assertThat(received().getBody(String.class)).isEqualTo("text");
        producer.send(q, Map.of("a", 1));
        assertThat((Object) received().getBody(Map.class)).isEqualTo(Map.of("a", 1));
        producer.send(q, new byte[] {1});
        assertThat(received().getBody(byte[].class)).containsExactly(1);
        producer.send(q, (String) null);
        assertThat(received().isBodyAssignableTo(Integer.class)).isTrue();
    }

    @Test
    void aNullMessageIsRefused() {
        Message none = nothing();
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> session.createProducer(q).send(none));
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> context.createProducer().send(q, none));
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what the test is about
    private static <T> T nothing() {
        return null;
    }

    @Test
    void whatAProducerSetsOverridesTheMessages() throws Exception {
        TextMessage m = context.createTextMessage("x");
        m.setStringProperty("p", "message");
        m.setStringProperty("own", "message");
        m.setJMSType("message");
        context.createProducer()
                .setProperty("p", "producer")
                .setJMSType("producer")
                .setJMSCorrelationID("c")
                .setJMSReplyTo(q)
                .send(q, m);
        Message got = received();
        assertThat(got.getStringProperty("p")).isEqualTo("producer");
        assertThat(got.getStringProperty("own")).isEqualTo("message");
        assertThat(got.getJMSType()).isEqualTo("producer");
        assertThat(got.getJMSCorrelationID()).isEqualTo("c");
        assertThat(got.getJMSReplyTo()).isEqualTo(q);
    }

    @Test
    void aProducersPropertiesAreReadListedAndCleared() {
        JMSProducer producer = context.createProducer();
        assertThat(producer.setProperty("a", 1).setPriority(5).setTimeToLive(1)).isSameAs(producer);
        assertThat(producer.getIntProperty("a")).isEqualTo(1);
        assertThat(producer.getPropertyNames()).containsExactly("a");
        assertThat(producer.propertyExists("a")).isTrue();
        assertThat(producer.clearProperties()).isSameAs(producer);
        assertThat(producer.propertyExists("a")).isFalse();
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> producer.setProperty("", 1));
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> producer.setProperty("a", new Object()));
    }

    @Test
    void anAsynchronousSendTellsItsListenerWhenTheHeaderIsThere() throws Exception {
        Completed completed = new Completed();
        Message m = session.createTextMessage("x");
        session.createProducer(q).send(m, completed);
        assertThat(completed.message.get(WAIT, TimeUnit.MILLISECONDS)).isSameAs(m);
        assertThat(m.getJMSMessageID()).startsWith("ID:");
        assertThat(m.getJMSDestination()).isEqualTo(q);
        CompletionListener none = nothing();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> session.createProducer(q).send(m, none));
    }

    @Test
    void whatTheSendThrowsItsListenerDoesNotHear() throws Exception {
        Completed completed = new Completed();
        Message none = nothing();
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> session.createProducer(q).send(none, completed));
        Completed next = new Completed();
        session.createProducer(q).send(session.createMessage(), next);
        next.message.get(WAIT, TimeUnit.MILLISECONDS);
        assertThat(completed.message).isNotDone();
    }

    @Test
    void synchronousAndAsynchronousSendsKeepTheirOrder() throws Exception {
        MessageProducer producer = session.createProducer(q);
        for (int i = 0; i < 100; i++) {
            if (i % 3 == 0) {
                producer.send(session.createTextMessage("m" + i));
            } else {
                producer.send(session.createTextMessage("m" + i), new Completed());
            }
        }
        List<@Nullable String> got = new ArrayList<>();
        List<String> sent = new ArrayList<>();
        try (var consumer = context.createConsumer(q)) {
            for (int i = 0; i < 100; i++) {
                got.add(consumer.receiveBody(String.class, WAIT));
                sent.add("m" + i);
            }
        }
        assertThat(got).isEqualTo(sent);
    }

    @Test
    void aTransactionsMessagesKeepTheirOrder() throws Exception {
        Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
        assertThat(transacted.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        MessageProducer producer = transacted.createProducer(q);
        for (int i = 0; i < 20; i++) {
            producer.send(transacted.createTextMessage("m" + i));
        }
        transacted.commit();
        MessageConsumer consumer = session.createConsumer(q);
        for (int i = 0; i < 20; i++) {
            assertThat(((TextMessage) consumer.receive(WAIT)).getText()).isEqualTo("m" + i);
        }
    }
}
