package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a restart of the server keeps and what it does not: delivery modes, subscriptions, transactions. */
@Timeout(300)
@Tag("slow")
class RestartRulesTest {
    private static final long MILLIS = 20_000;

    @TempDir
    private Path home = Path.of("");

    private @Nullable MessagingServer started;

    @BeforeEach
    void start() {
        started = MessagingServer.start(home);
    }

    @AfterEach
    void stop() {
        server().close();
    }

    private MessagingServer server() {
        return Objects.requireNonNull(started);
    }

    private void restart() {
        server().stop();
        server().startAgain();
    }

    private Connection connect(String... options) throws JMSException {
        Connection c = server().factory(options).createConnection();
        c.start();
        return c;
    }

    private static void send(Session s, MessageProducer p, String... texts) throws JMSException {
        for (String text : texts) {
            p.send(s.createTextMessage(text));
        }
    }

    /** All that is there, redelivered ones with their count: m1#2. */
    private static List<String> all(MessageConsumer in) throws JMSException {
        List<String> got = new ArrayList<>();
        for (Message m = in.receiveNoWait(); m != null; m = in.receiveNoWait()) {
            String text = ((TextMessage) m).getText();
            got.add(m.getJMSRedelivered() ? text + "#" + m.getIntProperty("JMSXDeliveryCount") : text);
        }
        return got;
    }

    @Test
    void persistentMessagesStayInTheirOrderAndOthersGo() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession()) {
            MessageProducer p = s.createProducer(s.createQueue("q"));
            for (int i = 0; i < 10; i++) {
                int mode = i % 2 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
                p.send(s.createTextMessage("m" + i), mode, 4, 0);
            }
        }
        restart();
        try (Connection c = connect();
                Session s = c.createSession()) {
            assertThat(all(s.createConsumer(s.createQueue("q")))).containsExactly("m0", "m2", "m4", "m6", "m8");
        }
        restart();
        try (Connection c = connect();
                Session s = c.createSession()) {
            assertThat(all(s.createConsumer(s.createQueue("q")))).isEmpty();
        }
    }

    @Test
    void whatWasDeliveredAndNotAcknowledgedIsFlagged() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            Queue q = s.createQueue("q");
            send(s, s.createProducer(q), "m0", "m1", "m2", "m3");
            MessageConsumer in = s.createConsumer(q);
            Objects.requireNonNull(in.receive(MILLIS)).acknowledge();
            assertThat(in.receive(MILLIS)).isNotNull();
            restart();
        }
        try (Connection c = connect();
                Session s = c.createSession()) {
            List<String> left = all(s.createConsumer(s.createQueue("q")));
            assertThat(left).hasSize(3);
            assertThat(left.getFirst()).startsWith("m1#");
            assertThat(left.subList(1, 3)).containsExactly("m2", "m3");
        }
    }

    @Test
    void anOpenTransactionIsRolledBackAndACommittedOneStays() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession(Session.SESSION_TRANSACTED)) {
            Queue q = s.createQueue("q");
            MessageProducer p = s.createProducer(q);
            send(s, p, "a", "b");
            s.commit();
            assertThat(s.createConsumer(q).receive(MILLIS)).isNotNull();
            send(s, p, "never");
            restart();
        }
        try (Connection c = connect();
                Session s = c.createSession()) {
            List<String> left = all(s.createConsumer(s.createQueue("q")));
            assertThat(left).hasSize(2);
            assertThat(left.getFirst()).startsWith("a#");
            assertThat(left.getLast()).isEqualTo("b");
        }
    }

    @Test
    void durableSubscriptionsStayWithTheirSelectorsAndMessages() throws Exception {
        try (Connection c = connect("client-id=me");
                Session s = c.createSession()) {
            Topic t = s.createTopic("t");
            s.createDurableConsumer(t, "own", "JMSPriority > 5", false).close();
            s.createSharedDurableConsumer(t, "shared").close();
            MessageProducer p = s.createProducer(t);
            p.send(s.createTextMessage("low"));
            p.send(s.createTextMessage("high"), DeliveryMode.PERSISTENT, 9, 0);
        }
        restart();
        try (Connection c = connect("client-id=me");
                Session s = c.createSession()) {
            Topic t = s.createTopic("t");
            s.createProducer(t).send(s.createTextMessage("after"));
            assertThat(all(s.createDurableConsumer(t, "own", "JMSPriority > 5", false)))
                    .containsExactly("high");
            assertThat(all(s.createSharedDurableConsumer(t, "shared"))).containsExactly("high", "low", "after");
        }
    }

    @Test
    void aDurableSubscriptionWithoutItsOwnMessagesStaysSo() throws Exception {
        try (Connection c = connect("client-id=me");
                Session s = c.createSession()) {
            s.createDurableConsumer(s.createTopic("t"), "others", null, true).close();
        }
        restart();
        try (Connection c = connect("client-id=me");
                Connection other = connect();
                Session s = c.createSession();
                Session foreign = other.createSession()) {
            Topic t = s.createTopic("t");
            send(s, s.createProducer(t), "mine");
            send(foreign, foreign.createProducer(t), "another's");
            assertThat(all(s.createDurableConsumer(t, "others", null, true))).containsExactly("another's");
        }
    }

    @Test
    void messagesOfADurableSubscriptionThatWereNotAcknowledgedComeAgain() throws Exception {
        try (Connection c = connect("client-id=me")) {
            Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE);
            Topic t = s.createTopic("t");
            MessageConsumer in = s.createDurableConsumer(t, "kept");
            send(s, s.createProducer(t), "m0", "m1");
            assertThat(in.receive(MILLIS)).isNotNull();
            s.close();
            Session next = c.createSession();
            assertThat(all(next.createDurableConsumer(t, "kept"))).containsExactly("m0#2", "m1");
        }
    }

    @Test
    void aDelayedMessageStaysDelayed() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession()) {
            MessageProducer p = s.createProducer(s.createQueue("q"));
            p.setDeliveryDelay(3_600_000);
            send(s, p, "in an hour");
            p.setDeliveryDelay(1);
            send(s, p, "soon");
        }
        restart();
        try (Connection c = connect();
                Session s = c.createSession()) {
            MessageConsumer in = s.createConsumer(s.createQueue("q"));
            assertThat(Objects.requireNonNull(in.receive(MILLIS)).getBody(String.class))
                    .isEqualTo("soon");
            assertThat(in.receiveNoWait()).isNull();
        }
    }

    @Test
    void aReconnectedConnectionSendsWhereItSentBefore() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession()) {
            MessageProducer p = s.createProducer(s.createQueue("q"));
            send(s, p, "before");
            restart();
            send(s, p, "after");
        }
        try (Connection c = connect();
                Session s = c.createSession()) {
            assertThat(all(s.createConsumer(s.createQueue("q")))).containsExactly("before", "after");
        }
    }

    @Test
    void aConsumerComesBackWhereTheFactorySaysSo() throws Exception {
        try (Connection c = connect("reconnect-policy=all");
                Connection sending = connect()) {
            Arrivals arrivals = new Arrivals();
            Session s = c.createSession();
            s.createConsumer(s.createTopic("t")).setMessageListener(arrivals);
            MessageConsumer in = c.createSession().createConsumer(s.createQueue("q"));
            Session out = sending.createSession();
            send(out, out.createProducer(out.createTopic("t")), "m0");
            arrivals.await(1);
            restart();
            send(out, out.createProducer(out.createQueue("q")), "q");
            assertThat(Objects.requireNonNull(in.receive(MILLIS)).getBody(String.class))
                    .isEqualTo("q");
        }
    }
}
