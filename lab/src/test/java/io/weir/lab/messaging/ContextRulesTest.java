package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The simplified API: JMSContext, JMSProducer and JMSConsumer. */
@Timeout(300)
class ContextRulesTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static final long MILLIS = 20_000;
    private final JMSContext context = SERVER.factory().createContext();
    private final Queue q = context.createQueue("q");

    @AfterEach
    void close() {
        context.close();
    }

    private static Message next(JMSConsumer in) {
        return Objects.requireNonNull(in.receive(MILLIS));
    }

    @Test
    void theFirstConsumerStartsTheConnection() {
        context.createProducer().send(q, "x");
        assertThat(context.getAutoStart()).isTrue();
        assertThat(context.createConsumer(q).receiveBody(String.class, MILLIS)).isEqualTo("x");
    }

    @Test
    void withoutAutoStartTheConnectionWaitsForStart() {
        context.setAutoStart(false);
        context.createProducer().send(q, "x");
        JMSConsumer in = context.createConsumer(q);
        assertThat(in.receiveNoWait()).isNull();
        context.start();
        assertThat(in.receiveBody(String.class, MILLIS)).isEqualTo("x");
    }

    @Test
    void contextsMadeOfAnotherShareItsConnectionAndTheLastOneClosesIt() {
        JMSContext first = SERVER.factory().createContext();
        first.setClientID("shared");
        JMSContext second = first.createContext(JMSContext.SESSION_TRANSACTED);
        assertThat(second.getClientID()).isEqualTo("shared");
        assertThat(second.getSessionMode()).isEqualTo(JMSContext.SESSION_TRANSACTED);
        assertThat(second.getTransacted()).isTrue();
        first.close();
        second.createProducer().send(q, "from the second");
        second.commit();
        assertThat(context.createConsumer(q).receiveBody(String.class, MILLIS)).isEqualTo("from the second");
        second.close();
        try (JMSContext again = SERVER.factory().createContext()) {
            again.setClientID("shared");
        }
    }

    @Test
    void aContextIsMadeOfOneThatAnotherThreadUses() throws Exception {
        JMSConsumer in = context.createConsumer(q);
        CompletableFuture<String> received = CompletableFuture.supplyAsync(() -> in.receiveBody(String.class, MILLIS));
        try (JMSContext beside = context.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            beside.createProducer().send(q, "x");
        }
        assertThat(received.get(MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("x");
    }

    @Test
    void theModesOfContextsAreThoseOfSessions() {
        for (int mode : new int[] {
            JMSContext.AUTO_ACKNOWLEDGE,
            JMSContext.CLIENT_ACKNOWLEDGE,
            JMSContext.DUPS_OK_ACKNOWLEDGE,
            JMSContext.SESSION_TRANSACTED
        }) {
            try (JMSContext c = SERVER.factory().createContext(mode)) {
                assertThat(c.getSessionMode()).isEqualTo(mode);
                assertThat(c.getTransacted()).isEqualTo(mode == JMSContext.SESSION_TRANSACTED);
            }
        }
        assertThatExceptionOfType(JMSRuntimeException.class)
                .isThrownBy(() -> SERVER.factory().createContext(99));
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> context.createContext(99));
    }

    @Test
    void aClosedContextRefusesItsUseAndMayBeClosedAgain() {
        JMSContext closed = SERVER.factory().createContext();
        JMSProducer producer = closed.createProducer();
        JMSConsumer consumer = closed.createConsumer(q);
        closed.close();
        closed.close();
        assertThatExceptionOfType(IllegalStateRuntimeException.class).isThrownBy(() -> closed.createConsumer(q));
        assertThatExceptionOfType(IllegalStateRuntimeException.class).isThrownBy(closed::createTextMessage);
        assertThatExceptionOfType(IllegalStateRuntimeException.class).isThrownBy(() -> producer.send(q, "x"));
        assertThatExceptionOfType(IllegalStateRuntimeException.class).isThrownBy(consumer::receiveNoWait);
    }

    @Test
    void bodiesOfEveryKindAreSentAndReceived() {
        JMSProducer producer = context.createProducer();
        producer.send(q, "text")
                .send(q, new byte[] {1, 2})
                .send(q, Map.of("a", 1))
                .send(q, (Serializable) Integer.valueOf(7))
                .send(q, context.createMessage());
        JMSConsumer in = context.createConsumer(q);
        assertThat(next(in)).isInstanceOf(TextMessage.class);
        assertThat(next(in)).isInstanceOf(BytesMessage.class);
        assertThat(next(in)).isInstanceOf(MapMessage.class);
        assertThat(next(in)).isInstanceOf(ObjectMessage.class);
        assertThat(in.receive(MILLIS)).isNotNull();
        producer.send(q, "text").send(q, new byte[] {1, 2}).send(q, Map.of("a", 1));
        assertThat(in.receiveBody(String.class, MILLIS)).isEqualTo("text");
        assertThat(in.receiveBody(byte[].class, MILLIS)).containsExactly(1, 2);
        assertThat((Object) in.receiveBody(Map.class, MILLIS)).isEqualTo(Map.of("a", 1));
    }

    @Test
    void anObjectsBodyIsReceivedWhereItsClassIsAllowed() {
        context.createProducer().send(q, (Serializable) Integer.valueOf(7));
        try (JMSContext allowing =
                SERVER.factory("deserialization-allow-list=java.lang.*").createContext()) {
            assertThat(allowing.createConsumer(q).receiveBody(Integer.class, MILLIS))
                    .isEqualTo(7);
        }
    }

    @Test
    void nullBodiesAreMessagesWithoutBody() throws Exception {
        JMSProducer producer = context.createProducer();
        producer.send(q, (String) null);
        producer.send(q, (byte[]) null);
        producer.send(q, (Map<String, Object>) null);
        producer.send(q, (Serializable) null);
        JMSConsumer in = context.createConsumer(q);
        assertThat(((TextMessage) next(in)).getText()).isNull();
        assertThat(((BytesMessage) next(in)).getBodyLength()).isZero();
        assertThat(((MapMessage) next(in)).getMapNames().hasMoreElements()).isFalse();
        assertThat(((ObjectMessage) next(in)).getObject()).isNull();
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> producer.send(q, (Message) null));
    }

    @Test
    void settersOfAProducerReturnItAndItsPropertiesGoIntoEveryMessage() throws Exception {
        JMSProducer producer = context.createProducer();
        assertThat(producer.setProperty("i", 1)
                        .setProperty("s", "text")
                        .setProperty("b", true)
                        .setProperty("d", 1.5)
                        .setProperty("l", 2L)
                        .setProperty("o", (Object) Short.valueOf((short) 3))
                        .setPriority(6)
                        .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                        .setTimeToLive(100_000)
                        .setDeliveryDelay(1)
                        .setDisableMessageID(false)
                        .setDisableMessageTimestamp(false)
                        .setAsync(null)
                        .setJMSCorrelationID("c")
                        .setJMSType("type")
                        .setJMSReplyTo(q))
                .isSameAs(producer);
        producer.send(q, "one").send(q, "two");
        JMSConsumer in = context.createConsumer(q, "i = 1 AND s = 'text' AND b AND d > 1.4 AND l = 2 AND o = 3");
        for (String text : new String[] {"one", "two"}) {
            Message m = next(in);
            assertThat(m.getBody(String.class)).isEqualTo(text);
            assertThat(m.getJMSPriority()).isEqualTo(6);
            assertThat(m.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(m.getJMSCorrelationID()).isEqualTo("c");
            assertThat(m.getJMSType()).isEqualTo("type");
            assertThat(m.getJMSReplyTo()).isEqualTo(q);
        }
    }

    @Test
    void propertiesAndHeadersOfAProducerOverrideTheMessages() throws Exception {
        Message message = context.createTextMessage("x");
        message.setIntProperty("a", 1);
        message.setIntProperty("own", 1);
        message.setJMSCorrelationID("mine");
        message.setJMSType("mine");
        context.createProducer()
                .setProperty("a", 2)
                .setJMSCorrelationID("theirs")
                .setJMSType("theirs")
                .send(q, message);
        Message m = next(context.createConsumer(q));
        assertThat(m.getIntProperty("a")).isEqualTo(2);
        assertThat(m.getIntProperty("own")).isEqualTo(1);
        assertThat(m.getJMSCorrelationID()).isEqualTo("theirs");
        assertThat(m.getJMSType()).isEqualTo("theirs");
    }

    @Test
    void propertiesOfAProducerAreReadListedAndCleared() {
        JMSProducer producer = context.createProducer().setProperty("i", 1).setProperty("s", "2");
        assertThat(producer.getPropertyNames()).containsExactlyInAnyOrder("i", "s");
        assertThat(producer.propertyExists("i")).isTrue();
        assertThat(producer.getStringProperty("i")).isEqualTo("1");
        assertThat(producer.getIntProperty("s")).isEqualTo(2);
        assertThat(producer.getObjectProperty("i")).isEqualTo(1);
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> producer.getBooleanProperty("i"));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> producer.getPropertyNames().clear());
        assertThat(producer.clearProperties().getPropertyNames()).isEmpty();
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> producer.setProperty("", 1));
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> producer.setProperty("p", new Object()));
    }

    @Test
    void aBodyThatIsAnotherTypeComesAgainUnflagged() throws Exception {
        context.createProducer().send(q, "first").send(q, "second");
        JMSConsumer in = context.createConsumer(q);
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> in.receiveBody(Map.class, MILLIS));
        Message again = next(in);
        assertThat(again.getBody(String.class)).isEqualTo("first");
        assertThat(again.getJMSRedelivered()).isFalse();
        assertThat(in.receiveBody(String.class, MILLIS)).isEqualTo("second");
    }

    @Test
    void inATransactionAMessageWithAnotherBodyCountsAsReceived() {
        context.createProducer().send(q, "first").send(q, "second");
        try (JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED)) {
            JMSConsumer in = transacted.createConsumer(q);
            assertThatExceptionOfType(MessageFormatRuntimeException.class)
                    .isThrownBy(() -> in.receiveBody(Map.class, MILLIS));
            assertThat(in.receiveBody(String.class, MILLIS)).isEqualTo("second");
            transacted.rollback();
            assertThat(in.receiveBody(String.class, MILLIS)).isEqualTo("first");
            assertThat(in.receiveBody(String.class, MILLIS)).isEqualTo("second");
            transacted.commit();
        }
    }

    @Test
    void bodiesWithoutTypeCanNotBeReceivedAsBodies() {
        context.createProducer().send(q, context.createMessage());
        JMSConsumer in = context.createConsumer(q);
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> in.receiveBody(String.class, MILLIS));
        assertThat(in.receive(MILLIS)).isNotNull();
        assertThat(in.receiveBodyNoWait(String.class)).isNull();
    }

    @Test
    void acknowledgeIsForAllThatTheContextConsumed() throws JMSException {
        context.createProducer().send(q, "a").send(q, "b").send(q, "c");
        try (JMSContext client = SERVER.factory().createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            JMSConsumer in = client.createConsumer(q);
            next(in);
            next(in);
            client.acknowledge();
            next(in);
            client.recover();
            assertThat(next(in).getBody(String.class)).isEqualTo("c");
        }
        context.acknowledge();
        Message left = next(context.createConsumer(q));
        assertThat(left.getBody(String.class)).isEqualTo("c");
        assertThat(left.getJMSRedelivered()).isTrue();
    }

    @Test
    void failuresOfTheSimplifiedApiAreUnchecked() {
        JMSConsumer in = context.createConsumer(q, "a = 1");
        assertThat(in.getMessageSelector()).isEqualTo("a = 1");
        assertThat(in.getMessageListener()).isNull();
        assertThatExceptionOfType(InvalidSelectorRuntimeException.class)
                .isThrownBy(() -> context.createConsumer(q, "a ="));
        assertThatExceptionOfType(InvalidDestinationRuntimeException.class)
                .isThrownBy(() -> context.createConsumer(context.createQueue("nowhere")));
        assertThatExceptionOfType(InvalidDestinationRuntimeException.class)
                .isThrownBy(() -> context.createProducer().send(context.createTopic("nowhere"), "x"));
        assertThatExceptionOfType(IllegalStateRuntimeException.class).isThrownBy(context::commit);
        assertThatExceptionOfType(IllegalStateRuntimeException.class).isThrownBy(context::rollback);
        assertThatExceptionOfType(JMSRuntimeException.class)
                .isThrownBy(() -> context.createProducer().setPriority(10));
        in.close();
        assertThatExceptionOfType(IllegalStateRuntimeException.class).isThrownBy(in::receiveNoWait);
    }

    @Test
    void aSecondListenerIsSetWhileTheContextRuns() {
        Arrivals first = new Arrivals();
        Arrivals second = new Arrivals();
        context.createConsumer(q).setMessageListener(first);
        context.createConsumer(context.createQueue("r")).setMessageListener(second);
        try (JMSContext sending = SERVER.factory().createContext()) {
            sending.createProducer().send(q, "to q").send(sending.createQueue("r"), "to r");
        }
        first.await(1);
        second.await(1);
        assertThat(first.texts()).containsExactly("to q");
        assertThat(second.texts()).containsExactly("to r");
    }

    @Test
    void aContextsListenerMustNotCloseStopOrLeaveIt() {
        Arrivals refused = new Arrivals();
        context.createConsumer(q).setMessageListener(_ -> {
            for (Runnable forbidden : new Runnable[] {context::close, context::stop}) {
                try {
                    forbidden.run();
                    refused.add("done");
                } catch (IllegalStateRuntimeException e) {
                    refused.add("refused");
                }
            }
        });
        try (JMSContext sending = SERVER.factory().createContext()) {
            sending.createProducer().send(q, "x");
        }
        refused.await(2);
        assertThat(refused.texts()).containsExactly("refused", "refused");
    }
}
