package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Chapters 6 and 8 of the specification, from the client through the broker and back. */
@Timeout(300)
class ReceiveRulesTest {
    private static final long WAIT = 10_000;
    private static final long SHORT = 100;
    private RealBroker broker;
    private JMSContext context;
    private Queue q;
    private Topic t;

    @BeforeEach
    void connect() throws Exception {
        broker = new RealBroker(null);
        context = newContext(JMSContext.AUTO_ACKNOWLEDGE);
        q = context.createQueue("q");
        t = context.createTopic("t");
    }

    @AfterEach
    void close() {
        context.close();
        broker.close();
    }

    private JMSContext newContext(int mode) {
        return broker.factory("default-delivery-mode=non-persistent").createContext(mode);
    }

    private JMSContext client(String id) {
        JMSContext c = newContext(JMSContext.AUTO_ACKNOWLEDGE);
        c.setClientID(id);
        return c;
    }

    private void send(String text) {
        context.createProducer().send(q, text);
    }

    @Test
    void aContextStartsWithItsFirstConsumerUnlessToldNotTo() {
        send("x");
        try (JMSContext quiet = newContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            quiet.setAutoStart(false);
            JMSConsumer consumer = quiet.createConsumer(q);
            assertThat(consumer.receive(SHORT)).as("time runs while stopped").isNull();
            quiet.createProducer().send(t, "a stopped connection sends");
            quiet.start();
            assertThat(consumer.receiveBody(String.class, WAIT)).isEqualTo("x");
        }
    }

    @Test
    void contextsOfOneConnectionShareItUntilTheLastIsClosed() {
        JMSContext first = newContext(JMSContext.AUTO_ACKNOWLEDGE);
        JMSContext second = first.createContext(JMSContext.AUTO_ACKNOWLEDGE);
        first.close();
        send("x");
        assertThat(second.createConsumer(q).receiveBody(String.class, WAIT)).isEqualTo("x");
        second.close();
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> second.createConsumer(q));
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> newContext(77));
    }

    @Test
    void aContextAcknowledgesAllThatItConsumed() {
        send("a");
        send("b");
        try (JMSContext client = newContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            JMSConsumer consumer = client.createConsumer(q);
            consumer.receiveBody(String.class, WAIT);
            client.acknowledge();
            consumer.receiveBody(String.class, WAIT);
        }
        Message left = context.createConsumer(q).receive(WAIT);
        assertThat(left).isNotNull();
        assertThat(text(left)).as("close acknowledges nothing").isEqualTo("b");
    }

    private static String text(Message m) {
        try {
            return String.valueOf(m.getBody(String.class));
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aMessageThatWasChangedIsRedeliveredAsItWas() throws Exception {
        context.createProducer().setProperty("p", "was").send(q, "was");
        try (JMSContext client = newContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            JMSConsumer consumer = client.createConsumer(q);
            TextMessage m = (TextMessage) consumer.receive(WAIT);
            m.clearBody();
            m.clearProperties();
            m.setText("is");
            client.recover();
            Message again = consumer.receive(WAIT);
            assertThat(text(again)).isEqualTo("was");
            assertThat(again.getStringProperty("p")).isEqualTo("was");
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
    }

    @Test
    void whatASelectorDoesNotMatchStaysForOthersInOrder() {
        for (int i = 0; i < 6; i++) {
            context.createProducer().setProperty("even", i % 2 == 0).send(q, "m" + i);
        }
        try (JMSConsumer odd = context.createConsumer(q, "even = FALSE")) {
            assertThat(odd.getMessageSelector()).isEqualTo("even = FALSE");
            for (int i = 1; i < 6; i += 2) {
                assertThat(odd.receiveBody(String.class, WAIT)).isEqualTo("m" + i);
            }
            assertThat(odd.receiveNoWait()).isNull();
        }
        try (JMSConsumer rest = context.createConsumer(q)) {
            for (int i = 0; i < 6; i += 2) {
                assertThat(rest.receiveBody(String.class, WAIT)).isEqualTo("m" + i);
            }
        }
    }

    @Test
    void onlyWhatItsSelectorMatchesIsAddedToASubscription() {
        JMSConsumer red = context.createConsumer(t, "color = 'red'");
        JMSConsumer all = context.createConsumer(t);
        context.createProducer().setProperty("color", "blue").send(t, "1");
        context.createProducer().setProperty("color", "red").send(t, "2");
        assertThat(red.receiveBody(String.class, WAIT)).isEqualTo("2");
        assertThat(all.receiveBody(String.class, WAIT)).isEqualTo("1");
        assertThat(all.receiveBody(String.class, WAIT))
                .as("each its own subscription")
                .isEqualTo("2");
    }

    @Test
    void aBodyThatCanNotBeHadSoIsDeliveredAgainUnflagged() throws Exception {
        send("x");
        JMSConsumer consumer = context.createConsumer(q);
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> consumer.receiveBody(Integer.class, WAIT));
        Message again = consumer.receive(WAIT);
        assertThat(text(again)).isEqualTo("x");
        assertThat(again.getJMSRedelivered()).isFalse();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void inATransactionSuchABodyCountsAsReceived() {
        send("x");
        try (JMSContext transacted = newContext(JMSContext.SESSION_TRANSACTED)) {
            JMSConsumer consumer = transacted.createConsumer(q);
            assertThatExceptionOfType(MessageFormatRuntimeException.class)
                    .isThrownBy(() -> consumer.receiveBody(Integer.class, WAIT));
            assertThat(consumer.receive(SHORT)).isNull();
            transacted.rollback();
            assertThat(consumer.receiveBody(String.class, WAIT)).isEqualTo("x");
        }
    }

    @Test
    void closingATransactedSessionRollsBack() {
        send("x");
        try (JMSContext transacted = newContext(JMSContext.SESSION_TRANSACTED)) {
            assertThat(transacted.createConsumer(q).receiveBody(String.class, WAIT))
                    .isEqualTo("x");
            transacted.createProducer().send(q, "never sent");
        }
        JMSConsumer consumer = context.createConsumer(q);
        assertThat(consumer.receiveBody(String.class, WAIT)).isEqualTo("x");
        assertThat(consumer.receive(SHORT)).isNull();
    }

    @Test
    void aMessageCanBeReadAfterItsConnectionIsClosed() {
        send("x");
        Message m;
        try (JMSContext other = newContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            m = other.createConsumer(q).receive(WAIT);
        }
        assertThat(text(m)).isEqualTo("x");
    }

    @Test
    void aSharedSubscriptionIsKnownByNameAndEndsWithItsLastConsumer() {
        JMSConsumer first = context.createSharedConsumer(t, "s");
        try (JMSContext other = newContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            assertThatExceptionOfType(JMSRuntimeException.class)
                    .isThrownBy(() -> other.createSharedConsumer(t, "s", "a = 1"));
            JMSConsumer second = other.createSharedConsumer(t, "s");
            first.close();
            context.createProducer().send(t, "x");
            assertThat(second.receiveBody(String.class, WAIT)).isEqualTo("x");
            context.createProducer().send(t, "lost");
        }
        JMSConsumer later = context.createSharedConsumer(t, "s", "a IS NULL");
        assertThat(later.receive(SHORT)).isNull();
    }

    @Test
    void sharedAndDurableSubscriptionsMayHaveOneNameSharedDurableAndUnsharedNot() {
        try (JMSContext one = client("one")) {
            one.createSharedConsumer(t, "s");
            JMSConsumer durable = one.createSharedDurableConsumer(t, "s");
            context.createProducer().send(t, "x");
            assertThat(durable.receiveBody(String.class, WAIT)).isEqualTo("x");
            assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> one.createDurableConsumer(t, "s"));
            one.createDurableConsumer(t, "u").close();
            assertThatExceptionOfType(JMSRuntimeException.class)
                    .isThrownBy(() -> one.createSharedDurableConsumer(t, "u"));
        }
    }

    @Test
    void aSharedDurableSubscriptionChangesWhenNobodyUsesItOnly() {
        JMSConsumer consumer = context.createSharedDurableConsumer(t, "s", "a = 1");
        assertThatExceptionOfType(JMSRuntimeException.class)
                .isThrownBy(() -> context.createSharedDurableConsumer(t, "s", "a = 2"));
        context.createProducer().setProperty("a", 1).send(t, "old");
        consumer.close();
        JMSConsumer anew = context.createSharedDurableConsumer(t, "s", "a = 2");
        assertThat(anew.receive(SHORT)).isNull();
        context.createProducer().setProperty("a", 2).send(t, "new");
        assertThat(anew.receiveBody(String.class, WAIT)).isEqualTo("new");
    }

    @Test
    void namesOfSubscriptionsMayBeLong() {
        String name = "A-z_0.9" + "x".repeat(121);
        JMSConsumer consumer = context.createSharedDurableConsumer(t, name);
        consumer.close();
        context.unsubscribe(name);
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> context.unsubscribe(name));
    }

    @Test
    void anotherConnectionDoesNotConsumeOfATemporaryTopic() throws Exception {
        TemporaryTopic temporary = context.createTemporaryTopic();
        try (JMSContext other = newContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> other.createConsumer(temporary));
            JMSConsumer own = context.createConsumer(temporary);
            other.createProducer().send(temporary, "x");
            assertThat(own.receiveBody(String.class, WAIT)).isEqualTo("x");
            own.close();
        }
        temporary.delete();
    }

    @Test
    void aDeletedTemporaryQueueIsNoDestinationAnyMore() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            Session session = connection.createSession();
            TemporaryQueue temporary = session.createTemporaryQueue();
            temporary.delete();
            assertThatExceptionOfType(InvalidDestinationException.class)
                    .isThrownBy(() -> session.createProducer(temporary).send(session.createMessage()));
        }
    }

    @Test
    void aQueueRequestorGetsItsReply() throws Exception {
        context.createConsumer(q).setMessageListener(m -> {
            try (JMSContext replier = newContext(JMSContext.AUTO_ACKNOWLEDGE)) {
                replier.createProducer().send(m.getJMSReplyTo(), "re: " + text(m));
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        try (QueueConnection connection =
                broker.factory("default-delivery-mode=non-persistent").createQueueConnection()) {
            connection.start();
            QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            QueueRequestor requestor = new QueueRequestor(session, session.createQueue("q"));
            assertThat(text(requestor.request(session.createTextMessage("x")))).isEqualTo("re: x");
            requestor.close();
        }
    }

    @Test
    void automaticSessionsIgnoreAcknowledge() throws Exception {
        send("x");
        try (Connection connection = broker.factory().createConnection()) {
            connection.start();
            MessageConsumer consumer = connection.createSession().createConsumer(q);
            Message m = consumer.receive(WAIT);
            m.acknowledge();
            assertThat(consumer.receive(SHORT)).isNull();
        }
    }
}
