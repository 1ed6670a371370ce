package io.weir.jms.client.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.client.ClientConnection;
import io.weir.jms.client.Clients;
import io.weir.jms.client.FakeBroker;
import io.weir.jms.client.ForeignText;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.message.WeirQueue;
import io.weir.jms.message.WeirTopic;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sending: two ways, one way, and what refusals become. */
class SendTest {
    private static final WeirQueue DEMO = new WeirQueue("demo");

    private final FakeBroker broker = new FakeBroker();

    @AfterEach
    void close() {
        broker.close();
    }

    private void sends(MessageProducer p, Session s, int n) throws JMSException {
        for (int i = 0; i < n; i++) {
            p.send(s.createTextMessage("m" + i));
        }
    }

    private List<String> ways() {
        return broker.heard(FrameType.SEND).stream().map(w -> w.substring(0, 7)).toList();
    }

    @Test
    void aSendWaitsForItsAnswerAndStampsTheMessage() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            Message m = s.createTextMessage("hello");
            MessageProducer p = s.createProducer(DEMO);
            p.setTimeToLive(1000);
            p.send(m);
            assertThat(m.getJMSMessageID()).startsWith("ID:weir-");
            assertThat(m.getJMSDestination()).isEqualTo(DEMO);
            assertThat(m.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            assertThat(m.getJMSPriority()).isEqualTo(4);
            assertThat(m.getJMSExpiration()).isEqualTo(m.getJMSTimestamp() + 1000);
            assertThat(m.getJMSDeliveryTime()).isEqualTo(m.getJMSTimestamp());
            assertThat(broker.heard(FrameType.SEND))
                    .containsExactly("two-way persistent producer 1 timeout 10 to queue/demo");
        }
    }

    @Test
    void nonPersistentMessagesGoTwoWaysUnlessOneWaySendsAreEnabled() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            sends(p, s, 2);
            assertThat(ways()).containsOnly("two-way");
        }
    }

    @Test
    void theLastMessageOfEachOneWayWindowGoesTwoWays() throws Exception {
        try (ClientConnection c = Clients.connect(broker, "one-way-send-mode=enabled", "one-way-send-window-size=3")) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            sends(p, s, 6);
            assertThat(ways()).containsExactly("one-way", "one-way", "two-way", "one-way", "one-way", "two-way");
        }
    }

    @Test
    void aWindowOfOneSendsEveryMessageTwoWays() throws Exception {
        try (ClientConnection c = Clients.connect(broker, "one-way-send-mode=enabled")) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            sends(p, s, 2);
            assertThat(ways()).containsOnly("two-way");
        }
    }

    @Test
    void persistentAndTransactedMessagesGoTwoWaysWhateverTheMode() throws Exception {
        try (ClientConnection c =
                Clients.connect(broker, "one-way-send-mode=enabled", "one-way-send-window-size=100")) {
            Session s = c.createSession();
            sends(s.createProducer(DEMO), s, 2);
            Session t = c.createSession(Session.SESSION_TRANSACTED);
            MessageProducer p = t.createProducer(DEMO);
            p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            sends(p, t, 2);
            assertThat(ways()).containsOnly("two-way");
        }
    }

    @Test
    void topicOnlyLeavesQueuesTwoWays() throws Exception {
        try (ClientConnection c =
                Clients.connect(broker, "one-way-send-mode=topicOnly", "one-way-send-window-size=100")) {
            Session s = c.createSession();
            for (Destination d : List.of(DEMO, new WeirTopic("news"))) {
                MessageProducer p = s.createProducer(d);
                p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
                sends(p, s, 1);
            }
            s.close();
            assertThat(ways()).containsExactly("two-way", "one-way");
        }
    }

    @Test
    void whatBecameOfOneWayMessagesIsRaisedAtTheNextTwoWaySendOnce() throws Exception {
        try (ClientConnection c = Clients.connect(broker, "one-way-send-mode=enabled", "one-way-send-window-size=2")) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            sends(p, s, 1);
            broker.run(() -> broker.peers.getFirst().oneWayFailed(1, 1, 3));
            assertThatThrownBy(() -> sends(p, s, 1))
                    .isInstanceOf(ResourceAllocationException.class)
                    .hasMessageContaining("3 one-way messages of this producer were dropped: over quota");
            sends(p, s, 2);
        }
    }

    @Test
    void aWindowedSendThatFailsItselfTellsOfThoseBeforeIt() throws Exception {
        try (ClientConnection c = Clients.connect(broker, "one-way-send-mode=enabled", "one-way-send-window-size=2")) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            sends(p, s, 1);
            broker.refuse(
                    FrameType.SEND,
                    RefusalCode.RESOURCE_ALLOCATION,
                    "no room",
                    () -> broker.peers.getFirst().oneWayFailed(1, 1, 49));
            assertThatThrownBy(() -> sends(p, s, 1))
                    .isInstanceOf(ResourceAllocationException.class)
                    .hasMessageContaining("no room")
                    .hasMessageContaining("before it 49 one-way messages of this producer were dropped: over quota");
            MessageProducer other = s.createProducer(DEMO);
            sends(other, s, 1);
            p.setDeliveryMode(DeliveryMode.PERSISTENT);
            sends(p, s, 1);
        }
    }

    @Test
    void aMessageOverTheMaximumIsRefusedBeforeItIsSent() throws Exception {
        try (ClientConnection c = Clients.connect(broker, "maximum-message-size=1KiB")) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            assertThatThrownBy(() -> p.send(s.createTextMessage("x".repeat(1024))))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("over the limit of 1024, this client's maximum-message-size");
            p.send(s.createTextMessage("small"));
            assertThat(broker.count(FrameType.SEND)).isEqualTo(1);
        }
    }

    @Test
    void refusalsBecomeTheExceptionsOfTheSpecification() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            record Case(RefusalCode code, Class<? extends JMSException> type) {}
            List<Case> cases = List.of(
                    new Case(RefusalCode.INVALID_DESTINATION, InvalidDestinationException.class),
                    new Case(RefusalCode.DESTINATION_DELETED, InvalidDestinationException.class),
                    new Case(RefusalCode.INVALID_SELECTOR, InvalidSelectorException.class),
                    new Case(RefusalCode.SECURITY, JMSSecurityException.class),
                    new Case(RefusalCode.RESOURCE_ALLOCATION, ResourceAllocationException.class),
                    new Case(RefusalCode.ILLEGAL_STATE, IllegalStateException.class),
                    new Case(RefusalCode.TRANSACTION_ROLLED_BACK, TransactionRolledBackException.class),
                    new Case(RefusalCode.STORE, JMSException.class));
            for (Case each : cases) {
                broker.refuse(FrameType.SEND, each.code(), "because");
                assertThatThrownBy(() -> sends(p, s, 1))
                        .isExactlyInstanceOf(each.type())
                        .hasMessage("because")
                        .extracting(e -> ((JMSException) e).getErrorCode())
                        .isEqualTo(each.code().name());
            }
        }
    }

    @Test
    void aProducerForADestinationThatDoesNotExistIsRefused() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            assertThatThrownBy(() -> s.createProducer(s.createQueue("missing")))
                    .isInstanceOf(InvalidDestinationException.class);
            MessageProducer p = s.createProducer(null);
            assertThatThrownBy(() -> p.send(s.createQueue("missing"), s.createMessage()))
                    .isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    void aDestinationIsAskedForOnce() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            s.createProducer(DEMO);
            s.createProducer(new WeirQueue("demo"));
            assertThat(broker.count(FrameType.CHECK_DESTINATION)).isEqualTo(1);
        }
    }

    @Test
    void wrongArgumentsAreRefusedAtOnce() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            MessageProducer anonymous = s.createProducer(null);
            Message m = s.createMessage();
            List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> wrong = new ArrayList<>();
            wrong.add(() -> p.setPriority(10));
            wrong.add(() -> p.setDeliveryMode(3));
            wrong.add(() -> p.setTimeToLive(-1));
            wrong.add(() -> p.setDeliveryDelay(-1));
            wrong.forEach(w -> assertThatThrownBy(w).isInstanceOf(JMSException.class));
            assertThatThrownBy(() -> p.send(null)).isInstanceOf(MessageFormatException.class);
            assertThatThrownBy(() -> p.send(DEMO, m)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> anonymous.send(m)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> anonymous.send(null, m)).isInstanceOf(InvalidDestinationException.class);
            assertThatThrownBy(() -> p.send(m, null)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aClosedProducerRefusesAndClosingAgainDoesNothing() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            p.close();
            p.close();
            assertThatThrownBy(() -> p.send(s.createMessage())).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(p::getPriority).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aSendWhoseConnectionIsLostFailsWithItsOutcomeUnknown() throws Exception {
        try (ClientConnection c = Clients.connect(broker, "reconnect-policy=none")) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            broker.hold(FrameType.SEND);
            Thread cutter = Thread.ofPlatform().start(() -> {
                FakeBroker.await("the send", () -> broker.count(FrameType.SEND) == 1);
                broker.cut();
            });
            assertThatThrownBy(() -> sends(p, s, 1)).hasMessageContaining("the outcome is unknown");
            cutter.join();
        }
    }

    @Test
    void messagesOfAnotherProviderAreCopiedAndStamped() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            Message foreign = ForeignText.of("from elsewhere");
            s.createProducer(DEMO).send(foreign);
            assertThat(foreign.getJMSMessageID()).startsWith("ID:weir-");
            assertThat(Clients.text(s.createConsumer(DEMO).receive())).isEqualTo("from elsewhere");
        }
    }
}
