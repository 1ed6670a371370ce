package io.weir.jms.client.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.client.Clients;
import io.weir.jms.client.FakeBroker;
import io.weir.jms.client.FakePeer;
import io.weir.jms.client.link.Runtimes;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.message.WeirQueue;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The simplified API. */
class ContextTest {
    private static final WeirQueue DEMO = new WeirQueue("demo");

    private final FakeBroker broker = new FakeBroker();

    @AfterEach
    void close() {
        broker.close();
    }

    private JMSContext context(int mode, String... knobs) {
        return ClientContext.on(Clients.target(broker, knobs), mode);
    }

    @Test
    void aContextSendsAndReceivesAndStartsByItself() {
        try (JMSContext c = context(JMSContext.AUTO_ACKNOWLEDGE)) {
            c.createProducer().send(DEMO, "hello");
            assertThat(broker.count(FrameType.CONNECTION_START)).isZero();
            assertThat(c.createConsumer(DEMO).receiveBody(String.class)).isEqualTo("hello");
        }
    }

    @Test
    void withoutAutoStartItWaitsToBeStarted() {
        try (JMSContext c = context(JMSContext.AUTO_ACKNOWLEDGE)) {
            c.setAutoStart(false);
            c.createProducer().send(DEMO, "hello");
            JMSConsumer consumer = c.createConsumer(DEMO);
            assertThat(consumer.receiveNoWait()).isNull();
            c.start();
            assertThat(consumer.receive()).isNotNull();
        }
    }

    @Test
    void theProducersOptionsGoIntoEachMessage() throws Exception {
        try (JMSContext c = context(JMSContext.AUTO_ACKNOWLEDGE)) {
            JMSProducer p = c.createProducer()
                    .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                    .setPriority(7)
                    .setTimeToLive(60_000)
                    .setProperty("n", 1)
                    .setProperty("s", "text")
                    .setJMSCorrelationID("corr")
                    .setJMSType("type")
                    .setJMSReplyTo(DEMO);
            p.send(DEMO, Map.of("k", 5));
            MapMessage m = (MapMessage) c.createConsumer(DEMO).receive();
            assertThat(m.getInt("k")).isEqualTo(5);
            assertThat(m.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(m.getJMSPriority()).isEqualTo(7);
            assertThat(m.getJMSExpiration()).isEqualTo(m.getJMSTimestamp() + 60_000);
            assertThat(m.getIntProperty("n")).isEqualTo(1);
            assertThat(m.getStringProperty("s")).isEqualTo("text");
            assertThat(m.getJMSCorrelationID()).isEqualTo("corr");
            assertThat(m.getJMSType()).isEqualTo("type");
            assertThat(m.getJMSReplyTo()).isEqualTo(DEMO);
            assertThat(p.getPropertyNames()).containsExactlyInAnyOrder("n", "s");
            assertThat(p.clearProperties().propertyExists("n")).isFalse();
        }
    }

    @Test
    void bodiesOfAllKindsAreSentAndReceived() {
        try (JMSContext c = context(JMSContext.AUTO_ACKNOWLEDGE, "deserialization-allow-list=java.util.*")) {
            JMSProducer p = c.createProducer();
            JMSConsumer consumer = c.createConsumer(DEMO);
            p.send(DEMO, new byte[] {1, 2});
            assertThat(consumer.receiveBody(byte[].class)).containsExactly(1, 2);
            p.send(DEMO, Map.<String, Object>of("a", 1L));
            assertThat((Object) consumer.receiveBody(Map.class, 10_000)).isEqualTo(Map.of("a", 1L));
            p.send(DEMO, new java.util.ArrayList<>(List.of("x")));
            assertThat((Object) consumer.receiveBody(java.util.ArrayList.class)).isEqualTo(List.of("x"));
            p.send(DEMO, "t");
            assertThatThrownBy(() -> consumer.receiveBody(byte[].class))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThat(consumer.receiveBody(String.class)).isEqualTo("t");
            assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
            assertThatThrownBy(() -> p.send(DEMO, (Message) null)).isInstanceOf(MessageFormatRuntimeException.class);
        }
    }

    @Test
    void acknowledgeCoversAllThatTheContextConsumed() {
        try (JMSContext c = context(JMSContext.CLIENT_ACKNOWLEDGE)) {
            c.createProducer().send(DEMO, "a").send(DEMO, "b");
            JMSConsumer consumer = c.createConsumer(DEMO);
            consumer.receive();
            consumer.receive();
            c.acknowledge();
            assertThat(broker.acknowledged()).containsExactly("1-2");
        }
    }

    @Test
    void aTransactedContextCommitsAndRollsBack() {
        try (JMSContext c = context(JMSContext.SESSION_TRANSACTED)) {
            assertThat(c.getTransacted()).isTrue();
            c.createProducer().send(DEMO, "a");
            c.rollback();
            c.createProducer().send(DEMO, "b");
            c.commit();
            assertThat(broker.depth(FakePeer.queue("demo"))).isEqualTo(1);
            assertThatThrownBy(c::recover).isInstanceOf(IllegalStateRuntimeException.class);
        }
    }

    @Test
    void contextsShareAConnectionThatClosesWithTheLast() {
        JMSContext first = context(JMSContext.AUTO_ACKNOWLEDGE);
        JMSContext second = first.createContext(JMSContext.CLIENT_ACKNOWLEDGE);
        assertThat(second.getSessionMode()).isEqualTo(JMSContext.CLIENT_ACKNOWLEDGE);
        second.createProducer().send(DEMO, "a");
        first.close();
        first.close();
        assertThatThrownBy(() -> first.createQueue("q")).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> first.createContext(1)).isInstanceOf(IllegalStateRuntimeException.class);
        second.createProducer().send(DEMO, "b");
        assertThat(broker.peers).hasSize(1);
        second.close();
        FakeBroker.await("the connection to close", broker.peers::isEmpty);
    }

    @Test
    void aClientIdentifierCanBeSetOnAFreshContext() {
        try (JMSContext c = context(JMSContext.AUTO_ACKNOWLEDGE)) {
            c.setClientID("me");
            assertThat(c.getClientID()).isEqualTo("me");
            assertThatThrownBy(() -> c.setClientID("you")).isInstanceOf(IllegalStateRuntimeException.class);
        }
    }

    @Test
    void asyncSendsCompleteOnTheListener() throws Exception {
        try (JMSContext c = context(JMSContext.AUTO_ACKNOWLEDGE)) {
            CompletableFuture<Message> done = new CompletableFuture<>();
            c.createProducer()
                    .setAsync(new CompletionListener() {
                        @Override
                        public void onCompletion(Message message) {
                            done.complete(message);
                        }

                        @Override
                        public void onException(Message message, Exception e) {
                            done.completeExceptionally(e);
                        }
                    })
                    .send(DEMO, "later");
            assertThat(Clients.text(done.get(3, TimeUnit.MINUTES))).isEqualTo("later");
        }
    }

    @Test
    void aListenerThatClosesItsContextIsRefused() throws Exception {
        try (JMSContext c = context(JMSContext.AUTO_ACKNOWLEDGE)) {
            CompletableFuture<Boolean> refused = new CompletableFuture<>();
            c.createConsumer(DEMO).setMessageListener(m -> {
                try {
                    Runtimes.run(c::close);
                    refused.complete(false);
                } catch (IllegalStateRuntimeException e) {
                    refused.complete(true);
                }
            });
            try (JMSContext other = context(JMSContext.AUTO_ACKNOWLEDGE)) {
                other.createProducer().send(DEMO, "a");
            }
            assertThat(refused.get(3, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void refusalsBecomeTheUncheckedException() {
        try (JMSContext c = context(JMSContext.AUTO_ACKNOWLEDGE)) {
            broker.refuse(FrameType.OPEN_CONSUMER, RefusalCode.INVALID_SELECTOR, "bad");
            assertThatThrownBy(() -> c.createConsumer(DEMO, "=")).isInstanceOf(InvalidSelectorRuntimeException.class);
            broker.refuse(FrameType.SEND, RefusalCode.RESOURCE_ALLOCATION, "full");
            assertThatThrownBy(() -> c.createProducer().send(DEMO, "x"))
                    .isInstanceOf(ResourceAllocationRuntimeException.class);
        }
    }

    @Test
    void eachCheckedExceptionHasItsUncheckedOne() {
        Map<JMSException, Class<? extends JMSRuntimeException>> all = Map.ofEntries(
                Map.entry(new jakarta.jms.IllegalStateException("x", "c"), IllegalStateRuntimeException.class),
                Map.entry(new InvalidClientIDException("x", "c"), InvalidClientIDRuntimeException.class),
                Map.entry(new InvalidDestinationException("x", "c"), InvalidDestinationRuntimeException.class),
                Map.entry(new InvalidSelectorException("x", "c"), InvalidSelectorRuntimeException.class),
                Map.entry(new JMSSecurityException("x", "c"), JMSSecurityRuntimeException.class),
                Map.entry(new MessageFormatException("x", "c"), MessageFormatRuntimeException.class),
                Map.entry(new MessageNotWriteableException("x", "c"), MessageNotWriteableRuntimeException.class),
                Map.entry(new ResourceAllocationException("x", "c"), ResourceAllocationRuntimeException.class),
                Map.entry(new TransactionInProgressException("x", "c"), TransactionInProgressRuntimeException.class),
                Map.entry(new TransactionRolledBackException("x", "c"), TransactionRolledBackRuntimeException.class),
                Map.entry(new JMSException("x", "c"), JMSRuntimeException.class));
        all.forEach((checked, unchecked) -> {
            JMSRuntimeException e = Runtimes.of(checked);
            assertThat(e).isExactlyInstanceOf(unchecked).hasMessage("x").hasCause(checked);
            assertThat(e.getErrorCode()).isEqualTo("c");
        });
    }
}
