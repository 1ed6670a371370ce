package io.weir.jms.client.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.client.ClientConnection;
import io.weir.jms.client.Clients;
import io.weir.jms.client.FakeBroker;
import io.weir.jms.client.FakePeer;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.message.WeirQueue;
import io.weir.jms.message.WeirTopic;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Synchronous receives and the acknowledge modes. */
class ReceiveTest {
    private static final WeirQueue DEMO = new WeirQueue("demo");

    private final FakeBroker broker = new FakeBroker();

    @AfterEach
    void close() {
        broker.close();
    }

    private void fill(ClientConnection c, int n) throws JMSException {
        try (Session s = c.createSession()) {
            MessageProducer p = s.createProducer(DEMO);
            for (int i = 0; i < n; i++) {
                p.send(s.createTextMessage("m" + i));
            }
        }
    }

    @Test
    void eachReceiveFetchesOneMessageAndAcknowledgesItAtOnce() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            fill(c, 2);
            Session s = c.createSession();
            MessageConsumer consumer = s.createConsumer(DEMO);
            Message first = consumer.receive();
            assertThat(Clients.text(first)).isEqualTo("m0");
            assertThat(first.getJMSDestination()).isEqualTo(DEMO);
            assertThat(first.getJMSRedelivered()).isFalse();
            assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
            FakeBroker.await("the acknowledgement", () -> broker.acknowledged().size() == 1);
            assertThat(Clients.text(consumer.receive(10_000))).isEqualTo("m1");
            FakeBroker.await("the other", () -> broker.acknowledged().contains("2-2"));
            assertThat(broker.heard(FrameType.RECEIVE)).containsExactly("max 1 timeout -1", "max 1 timeout 10000");
        }
    }

    @Test
    void nothingInTimeIsNull() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            assertThat(consumer.receiveNoWait()).isNull();
            assertThat(consumer.receive(5)).isNull();
            assertThat(broker.heard(FrameType.RECEIVE)).containsExactly("max 1 timeout 0", "max 1 timeout 5");
        }
    }

    @Test
    void receiveWithATimeOfNothingWaitsForEver() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            CompletableFuture<Message> received = async(() -> consumer.receive(0));
            FakeBroker.await("a receive", () -> broker.count(FrameType.RECEIVE) == 1);
            assertThat(broker.heard(FrameType.RECEIVE)).containsExactly("max 1 timeout -1");
            fill(c, 1);
            assertThat(Clients.text(received.get(3, TimeUnit.MINUTES))).isEqualTo("m0");
        }
    }

    private interface Receiving {
        Message receive() throws JMSException;
    }

    private static CompletableFuture<Message> async(Receiving receiving) {
        CompletableFuture<Message> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(receiving.receive());
            } catch (JMSException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    @Test
    void aConnectionThatIsNotStartedDeliversNothing() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            fill(c, 1);
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            assertThat(consumer.receiveNoWait()).isNull();
            assertThat(consumer.receive(5)).isNull();
            c.start();
            assertThat(Clients.text(consumer.receive())).isEqualTo("m0");
            c.stop();
            fill(c, 1);
            assertThat(consumer.receiveNoWait()).isNull();
            c.start();
            assertThat(Clients.text(consumer.receive())).isEqualTo("m0");
        }
    }

    @Test
    void aReceiveThatIsClosedFromAnotherThreadReturnsNull() throws Exception {
        ClientConnection c = Clients.started(broker);
        Session s = c.createSession();
        MessageConsumer consumer = s.createConsumer(DEMO);
        CompletableFuture<Message> received = async(consumer::receive);
        FakeBroker.await("a receive", () -> broker.count(FrameType.RECEIVE) == 1);
        consumer.close();
        assertThat(received.get(3, TimeUnit.MINUTES)).isNull();
        assertThat(broker.count(FrameType.CANCEL_RECEIVE)).isEqualTo(1);

        MessageConsumer other = s.createConsumer(DEMO);
        CompletableFuture<Message> again = async(other::receive);
        FakeBroker.await("a receive", () -> broker.count(FrameType.RECEIVE) == 2);
        c.close();
        assertThat(again.get(3, TimeUnit.MINUTES)).isNull();
    }

    @Test
    void twoThreadsCanNotReceiveFromOneSession() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            MessageConsumer consumer = s.createConsumer(DEMO);
            MessageConsumer other = s.createConsumer(DEMO);
            CompletableFuture<Message> received = async(consumer::receive);
            FakeBroker.await("a receive", () -> broker.count(FrameType.RECEIVE) == 1);
            assertThatThrownBy(other::receiveNoWait)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("two threads");
            fill(c, 1);
            assertThat(received.get(3, TimeUnit.MINUTES)).isNotNull();
        }
    }

    @Test
    void clientAcknowledgeCoversAllThatTheSessionConsumed() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            fill(c, 3);
            Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = s.createConsumer(DEMO);
            Message first = consumer.receive();
            consumer.receive();
            consumer.receive();
            assertThat(broker.acknowledged()).isEmpty();
            first.acknowledge();
            assertThat(broker.acknowledged()).containsExactly("1-3");
            assertThat(broker.count(FrameType.SYNC)).isEqualTo(1);
        }
    }

    @Test
    void acknowledgePolicyPreviousCoversMessagesUpToThisOne() throws Exception {
        try (ClientConnection c = Clients.started(broker, "acknowledge-policy=previous")) {
            fill(c, 3);
            Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = s.createConsumer(DEMO);
            consumer.receive();
            Message second = consumer.receive();
            consumer.receive();
            second.acknowledge();
            assertThat(broker.acknowledged()).containsExactly("1-2");
            s.close();
            assertThat(broker.depth(FakePeer.queue("demo"))).isEqualTo(1);
        }
    }

    @Test
    void recoverDeliversUnacknowledgedMessagesAgainFlagged() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            fill(c, 3);
            Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = s.createConsumer(DEMO);
            consumer.receive().acknowledge();
            assertThat(Clients.text(consumer.receive())).isEqualTo("m1");
            s.recover();
            Message again = consumer.receive();
            assertThat(Clients.text(again)).isEqualTo("m1");
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
            Message other = consumer.receive();
            assertThat(other.getJMSRedelivered()).isFalse();
            other.acknowledge();
            s.close();
            assertThat(broker.depth(FakePeer.queue("demo"))).isZero();
        }
    }

    @Test
    void anInvalidTopicIsSaidBeforeAMissingClientIdentifier() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            for (Topic topic : new Topic[] {null, s.createTemporaryTopic()}) {
                assertThatThrownBy(() -> s.createDurableConsumer(topic, "sub"))
                        .isInstanceOf(InvalidDestinationException.class);
                assertThatThrownBy(() -> s.createDurableSubscriber(topic, "sub", null, true))
                        .isInstanceOf(InvalidDestinationException.class);
            }
            assertThatThrownBy(() -> s.createDurableConsumer(new WeirTopic("missing"), "sub"))
                    .isInstanceOf(InvalidDestinationException.class);
            assertThatThrownBy(() -> s.createDurableConsumer(new WeirTopic("news"), "sub"))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void dupsOkAcknowledgesLazilyAndAtTheLatestAtClose() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            fill(c, 4);
            Session s = c.createSession(Session.DUPS_OK_ACKNOWLEDGE);
            MessageConsumer consumer = s.createConsumer(DEMO);
            for (int i = 0; i < 4; i++) {
                consumer.receive();
            }
            s.close();
            assertThat(broker.acknowledged().size()).isLessThan(4);
            assertThat(broker.depth(FakePeer.queue("demo"))).isZero();
        }
    }

    @Test
    void noAcknowledgeSendsNoAcknowledgement() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            fill(c, 2);
            Session s = c.createSession(4);
            assertThat(s.getAcknowledgeMode()).isEqualTo(4);
            MessageConsumer consumer = s.createConsumer(DEMO);
            consumer.receive().acknowledge();
            consumer.receive();
            s.close();
            assertThat(broker.acknowledged()).isEmpty();
        }
    }

    @Test
    void aTransactionAcknowledgesAtCommitAndGivesBackAtRollback() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            fill(c, 3);
            Session s = c.createSession(true, Session.SESSION_TRANSACTED);
            MessageConsumer consumer = s.createConsumer(DEMO);
            MessageProducer producer = s.createProducer(new WeirQueue("out"));
            consumer.receive();
            producer.send(s.createTextMessage("staged"));
            assertThat(broker.acknowledged()).isEmpty();
            assertThat(broker.depth(FakePeer.queue("out"))).isZero();
            s.commit();
            assertThat(broker.acknowledged()).containsExactly("1-1");
            assertThat(broker.depth(FakePeer.queue("out"))).isEqualTo(1);
            consumer.receive();
            s.rollback();
            Message again = consumer.receive();
            assertThat(Clients.text(again)).isEqualTo("m1");
            assertThat(again.getJMSRedelivered()).isTrue();
            s.close();
            assertThat(broker.depth(FakePeer.queue("demo"))).isEqualTo(2);
        }
    }

    @Test
    void aConsumersMessagesCanBeAcknowledgedAfterItIsClosed() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            fill(c, 2);
            Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = s.createConsumer(DEMO);
            Message m = consumer.receive();
            consumer.close();
            m.acknowledge();
            s.close();
            assertThat(broker.depth(FakePeer.queue("demo"))).isEqualTo(1);
        }
    }

    @Test
    void recoverIsForSessionsThatAreNotTransactedAndCommitForThoseThatAre() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            Session t = c.createSession(Session.SESSION_TRANSACTED);
            assertThatThrownBy(t::recover).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(s::commit).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(s::rollback).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aConsumerThatTheBrokerRefusesIsNotMade() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            assertThatThrownBy(() -> s.createConsumer(new WeirQueue("missing")))
                    .isInstanceOf(InvalidDestinationException.class);
            broker.refuse(FrameType.OPEN_CONSUMER, RefusalCode.INVALID_SELECTOR, "a = ");
            assertThatThrownBy(() -> s.createConsumer(DEMO, "a = ")).isInstanceOf(InvalidSelectorException.class);
            assertThatThrownBy(() -> s.createConsumer(null)).isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    void aConsumerThatTheServerClosesTellsTheExceptionListenerAndRefuses() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            CompletableFuture<JMSException> told = new CompletableFuture<>();
            c.setExceptionListener(told::complete);
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            broker.run(() -> broker.peers.getFirst().closeConsumer(1, 1));
            assertThat(told.get(3, TimeUnit.MINUTES)).isInstanceOf(InvalidDestinationException.class);
            assertThatThrownBy(consumer::receive)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was deleted");
        }
    }

    @Test
    void anInterruptedReceiveEndsAndTheNextOneWorks() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            Thread.currentThread().interrupt();
            assertThatThrownBy(consumer::receive)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
            fill(c, 1);
            assertThat(Clients.text(consumer.receive(10_000))).isEqualTo("m0");
        }
    }
}
