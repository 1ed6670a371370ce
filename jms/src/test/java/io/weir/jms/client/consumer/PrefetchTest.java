package io.weir.jms.client.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.client.ClientConnection;
import io.weir.jms.client.Clients;
import io.weir.jms.client.FakeBroker;
import io.weir.jms.client.FakePeer;
import io.weir.jms.client.settings.PrefetchMode;
import io.weir.jms.frames.FrameType;
import io.weir.jms.message.WeirQueue;
import io.weir.jms.message.WeirTopic;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Prefetch for synchronous consumers: WebLogic's JMS tuning, "Synchronous Clients, User Transactions and Session Sharing". */
class PrefetchTest {
    private static final WeirQueue DEMO = new WeirQueue("demo");
    private static final String ON = "synchronous-prefetch-mode=enabled";
    private static final String FIVE = "messages-maximum=5";

    private final FakeBroker broker = new FakeBroker();

    @AfterEach
    void close() {
        broker.close();
    }

    private static void fill(ClientConnection c, int n) throws JMSException {
        try (Session s = c.createSession()) {
            MessageProducer p = s.createProducer(DEMO);
            for (int i = 0; i < n; i++) {
                p.send(s.createTextMessage("m" + i));
            }
        }
    }

    private String firstReceive() {
        return broker.heard(FrameType.RECEIVE).getFirst();
    }

    @Test
    void withoutTheModeEachReceiveFetchesOneMessage() throws Exception {
        try (ClientConnection c = Clients.started(broker, FIVE)) {
            fill(c, 3);
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            consumer.receive();
            consumer.receive();
            assertThat(broker.heard(FrameType.RECEIVE)).containsOnly("max 1 timeout -1");
        }
    }

    @Test
    void withItReceiveFetchesBatchesOfMessagesMaximumAndHandsThemOutOneByOne() throws Exception {
        try (ClientConnection c = Clients.started(broker, ON, FIVE)) {
            fill(c, 12);
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            for (int i = 0; i < 12; i++) {
                assertThat(Clients.text(consumer.receive(10_000))).isEqualTo("m" + i);
            }
            assertThat(broker.heard(FrameType.RECEIVE)).allMatch(r -> r.startsWith("max 5 "));
            assertThat(broker.count(FrameType.RECEIVE)).isLessThan(6);
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void theNextBatchIsAskedForBeforeTheOneInUseIsUsedUp() throws Exception {
        try (ClientConnection c = Clients.started(broker, ON, FIVE)) {
            fill(c, 10);
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            for (int i = 0; i < 4; i++) {
                consumer.receive();
            }
            FakeBroker.await(
                    "the next batch to be asked for",
                    () -> broker.heard(FrameType.RECEIVE).contains("max 5 timeout 0"));
        }
    }

    @Test
    void aSingleConsumerAtTheFirstReceiveTurnsItOnForTheRestOfTheSession() throws Exception {
        try (ClientConnection c = Clients.started(broker, ON, FIVE)) {
            Session s = c.createSession();
            MessageConsumer first = s.createConsumer(DEMO);
            assertThat(first.receiveNoWait()).isNull();
            first.close();
            MessageConsumer second = s.createConsumer(DEMO);
            assertThat(second.receiveNoWait()).isNull();
            assertThat(broker.heard(FrameType.RECEIVE)).containsExactly("max 5 timeout 0", "max 5 timeout 0");
        }
    }

    @Test
    void severalConsumersBeforeTheFirstReceiveTurnItOffSilentlyForTheRestOfTheSession() throws Exception {
        try (ClientConnection c = Clients.started(broker, ON, FIVE)) {
            Session s = c.createSession();
            MessageConsumer first = s.createConsumer(DEMO);
            MessageConsumer second = s.createConsumer(DEMO);
            first.receiveNoWait();
            second.close();
            first.receiveNoWait();
            assertThat(broker.heard(FrameType.RECEIVE)).containsOnly("max 1 timeout 0");
            assertThatCode(() -> s.createConsumer(DEMO)).doesNotThrowAnyException();
        }
    }

    @Test
    void aSecondConsumerAfterItWasTurnedOnIsRefused() throws Exception {
        try (ClientConnection c = Clients.started(broker, ON, FIVE)) {
            Session s = c.createSession();
            s.createConsumer(DEMO).receiveNoWait();
            assertThatThrownBy(() -> s.createConsumer(DEMO))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("prefetch is on");
            assertThatCode(() -> c.createSession().createConsumer(DEMO)).doesNotThrowAnyException();
        }
    }

    @Test
    void aFirstReceiveInAUserTransactionTurnsItOffSilently() throws Exception {
        PrefetchRules rules = new PrefetchRules(PrefetchMode.ENABLED);
        assertThat(rules.receiving(1, false, true)).isFalse();
        assertThat(rules.receiving(1, false, false)).isFalse();
        rules.creating(1);
    }

    @Test
    void aUserTransactionAfterItWasTurnedOnIsRefused() throws Exception {
        PrefetchRules rules = new PrefetchRules(PrefetchMode.ENABLED);
        assertThat(rules.receiving(1, false, false)).isTrue();
        assertThatThrownBy(() -> rules.receiving(1, false, true))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("user transaction");
        assertThat(rules.receiving(1, false, false)).isTrue();
    }

    @Test
    void topicSubscriberOnlyLeavesQueuesAlone() throws Exception {
        try (ClientConnection c = Clients.started(broker, "synchronous-prefetch-mode=topicSubscriberOnly", FIVE)) {
            c.createSession().createConsumer(DEMO).receiveNoWait();
            assertThat(firstReceive()).isEqualTo("max 1 timeout 0");
            broker.forget();
            c.createSession().createConsumer(new WeirTopic("news")).receiveNoWait();
            assertThat(firstReceive()).isEqualTo("max 5 timeout 0");
        }
    }

    @Test
    void whatWasFetchedAndNotReceivedGoesBackUnflaggedAtClose() throws Exception {
        try (ClientConnection c = Clients.started(broker, ON, FIVE)) {
            fill(c, 4);
            Session s = c.createSession();
            MessageConsumer consumer = s.createConsumer(DEMO);
            consumer.receive();
            consumer.close();
            FakeBroker.await("them to go back", () -> broker.depth(FakePeer.queue("demo")) == 3);
            Message m = c.createSession().createConsumer(DEMO).receive(10_000);
            assertThat(Clients.text(m)).isEqualTo("m1");
            assertThat(m.getJMSRedelivered()).isFalse();
        }
    }

    @Test
    void aRollbackWithinABatchKeepsTheOrder() throws Exception {
        try (ClientConnection c = Clients.started(broker, ON, FIVE)) {
            fill(c, 8);
            Session s = c.createSession(Session.SESSION_TRANSACTED);
            MessageConsumer consumer = s.createConsumer(DEMO);
            consumer.receive();
            consumer.receive();
            s.rollback();
            for (int i = 0; i < 8; i++) {
                Message m = consumer.receive(10_000);
                assertThat(Clients.text(m)).isEqualTo("m" + i);
                assertThat(m.getJMSRedelivered()).isEqualTo(i < 2);
            }
            s.commit();
            s.close();
            assertThat(broker.depth(FakePeer.queue("demo"))).isZero();
        }
    }

    @Test
    void acknowledgementsOfABatchGoTogetherAndTheLastIsNotKeptBack() throws Exception {
        try (ClientConnection c = Clients.started(broker, ON, "messages-maximum=300")) {
            Clients.fill(c, DEMO, DeliveryMode.NON_PERSISTENT, 300);
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            for (int i = 0; i < 299; i++) {
                consumer.receive();
            }
            FakeBroker.await(
                    "what was consumed to be acknowledged",
                    () -> broker.heard(FrameType.ACK).stream().anyMatch(a -> a.endsWith("-299")));
            assertThat(broker.count(FrameType.ACK)).isLessThan(150);
        }
    }
}
