package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.jms.WeirSession;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acknowledgement, recovery and transactions, sections 6.2.7 to 6.2.12 of the specification. */
@Timeout(300)
class AcknowledgeRulesTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static final long MILLIS = 20_000;
    private final Connection connection = SERVER.factory().createConnection();
    private final Session sending = connection.createSession();
    private final Queue q = sending.createQueue("q");

    AcknowledgeRulesTest() throws JMSException {
        connection.start();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
    }

    private void send(int count) throws JMSException {
        MessageProducer p = sending.createProducer(q);
        for (String text : Arrivals.numbered("m", count)) {
            p.send(sending.createTextMessage(text));
        }
        p.close();
    }

    private static Message next(MessageConsumer in) throws JMSException {
        return Objects.requireNonNull(in.receive(MILLIS));
    }

    /** As m1, or m1#2 for a second delivery; the flag must agree. */
    private static String numbered(Message m) throws JMSException {
        int count = m.getIntProperty("JMSXDeliveryCount");
        assertThat(m.getJMSRedelivered()).isEqualTo(count > 1);
        return ((TextMessage) m).getText() + (count == 1 ? "" : "#" + count);
    }

    private static List<String> numbered(MessageConsumer in, int count) throws JMSException {
        List<String> got = new ArrayList<>();
        while (got.size() < count) {
            got.add(numbered(next(in)));
        }
        return got;
    }

    private void leaves(String... messages) throws JMSException {
        try (Session s = connection.createSession();
                MessageConsumer in = s.createConsumer(q)) {
            assertThat(numbered(in, messages.length)).containsExactly(messages);
            assertThat(in.receiveNoWait()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, WeirSession.NO_ACKNOWLEDGE})
    void automaticAcknowledgementLeavesNothing(int mode) throws Exception {
        send(3);
        Session s = connection.createSession(mode);
        assertThat(s.getAcknowledgeMode()).isEqualTo(mode);
        MessageConsumer in = s.createConsumer(q);
        for (int i = 0; i < 3; i++) {
            next(in).acknowledge();
        }
        s.close();
        leaves();
    }

    @Test
    void acknowledgeIsForAllThatTheSessionConsumed() throws Exception {
        send(4);
        Session s = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer in = s.createConsumer(q);
        Message first = next(in);
        next(in);
        next(in);
        first.acknowledge();
        numbered(in, 1);
        s.close();
        leaves("m3#2");
    }

    @Test
    void recoverDeliversAgainInOrderFlaggedAndCounted() throws Exception {
        send(3);
        Session s = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer in = s.createConsumer(q);
        assertThat(numbered(in, 2)).containsExactly("m0", "m1");
        s.recover();
        assertThat(numbered(in, 3)).containsExactly("m0#2", "m1#2", "m2");
        s.recover();
        List<String> third = numbered(in, 3);
        assertThat(third).containsExactly("m0#3", "m1#3", "m2#2");
        s.close();
        leaves("m0#4", "m1#4", "m2#3");
    }

    @Test
    void recoverOfATopicsConsumerDeliversAgain() throws Exception {
        Session s = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Topic t = s.createTopic("t");
        MessageConsumer in = s.createConsumer(t);
        sending.createProducer(t).send(sending.createTextMessage("m0"));
        assertThat(numbered(in, 1)).containsExactly("m0");
        s.recover();
        Message again = next(in);
        assertThat(numbered(again)).isEqualTo("m0#2");
        again.acknowledge();
        s.recover();
        assertThat(in.receiveNoWait()).isNull();
    }

    @Test
    void closingASessionAcknowledgesNothing() throws Exception {
        send(2);
        Session s = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        numbered(s.createConsumer(q), 2);
        s.close();
        leaves("m0#2", "m1#2");
    }

    @Test
    void closingAConnectionAcknowledgesNothing() throws Exception {
        send(2);
        Connection other = SERVER.factory().createConnection();
        other.start();
        numbered(other.createSession(Session.CLIENT_ACKNOWLEDGE).createConsumer(q), 1);
        other.close();
        leaves("m0#2", "m1");
    }

    @Test
    void aMessageOfAClosedSessionCanBeReadButNotAcknowledged() throws Exception {
        send(1);
        Session s = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Message m = next(s.createConsumer(q));
        s.close();
        assertThat(m.getBody(String.class)).isEqualTo("m0");
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(m::acknowledge);
    }

    @Test
    void aTransactionConsumesAndProducesAllOrNothing() throws Exception {
        send(2);
        Session s = connection.createSession(Session.SESSION_TRANSACTED);
        assertThat(s.getTransacted()).isTrue();
        assertThat(s.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        Queue r = s.createQueue("r");
        MessageConsumer in = s.createConsumer(q);
        MessageConsumer out = sending.createConsumer(r);
        MessageProducer p = s.createProducer(r);
        numbered(in, 2);
        p.send(s.createTextMessage("never"));
        s.rollback();
        assertThat(out.receiveNoWait()).isNull();
        assertThat(numbered(in, 2)).containsExactly("m0#2", "m1#2");
        p.send(s.createTextMessage("once"));
        assertThat(out.receiveNoWait()).isNull();
        s.commit();
        assertThat(numbered(out, 1)).containsExactly("once");
        assertThat(out.receiveNoWait()).isNull();
        s.rollback();
        assertThat(in.receiveNoWait()).isNull();
    }

    @Test
    void aTransactionSpansConsumersThatWereClosedMeanwhile() throws Exception {
        send(3);
        Session s = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer in = s.createConsumer(q);
        numbered(in, 2);
        in.close();
        s.rollback();
        MessageConsumer again = s.createConsumer(q);
        assertThat(numbered(again, 3)).containsExactly("m0#2", "m1#2", "m2");
        again.close();
        s.commit();
        s.close();
        leaves();
    }

    @Test
    void closingATransactedSessionRollsBack() throws Exception {
        send(1);
        Session s = connection.createSession(Session.SESSION_TRANSACTED);
        numbered(s.createConsumer(q), 1);
        s.createProducer(q).send(s.createTextMessage("never"));
        s.close();
        leaves("m0#2");
    }

    @Test
    void losingTheConnectionsTransactionsRollsThemBack() throws Exception {
        send(1);
        Connection other = SERVER.factory().createConnection();
        other.start();
        Session s = other.createSession(Session.SESSION_TRANSACTED);
        numbered(s.createConsumer(q), 1);
        s.createProducer(q).send(s.createTextMessage("never"));
        other.close();
        leaves("m0#2");
    }

    @Test
    void commitRollbackAndRecoverAreForTheirSessionsOnly() throws Exception {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(sending::commit);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(sending::rollback);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(transacted::recover);
    }

    @Test
    void aListenerThatThrowsInAutoGetsTheMessageAgain() throws Exception {
        Failing listener = new Failing(2);
        connection.createSession().createConsumer(q).setMessageListener(listener);
        send(6);
        listener.accepted.awaitOnce("m", 6);
        assertThat(listener.wrong()).isEmpty();
        assertThat(listener.failures).hasValue(3);
    }

    @Test
    void aListenerThatThrowsInATransactionGetsTheNext() throws Exception {
        Session s = connection.createSession(Session.SESSION_TRANSACTED);
        List<String> got = new CopyOnWriteArrayList<>();
        s.createConsumer(q).setMessageListener(m -> {
            try {
                got.add(numbered(m));
                if (got.size() == 1) {
                    throw new java.lang.IllegalStateException("on purpose");
                }
                if (got.size() == 3) {
                    s.commit();
                }
            } catch (JMSException e) {
                got.add(e.toString());
            }
        });
        send(3);
        Await.until("three", () -> got.size() == 3);
        s.close();
        assertThat(got).containsExactly("m0", "m1", "m2");
        leaves();
    }

    @Test
    void aListenerRollsBackAndCommitsItsOwnSession() throws Exception {
        Session s = connection.createSession(Session.SESSION_TRANSACTED);
        List<String> got = new CopyOnWriteArrayList<>();
        AtomicInteger rollbacks = new AtomicInteger();
        s.createConsumer(q).setMessageListener(m -> {
            try {
                got.add(numbered(m));
                if (rollbacks.getAndIncrement() == 1) {
                    s.rollback();
                } else if (rollbacks.get() > 2) {
                    s.commit();
                }
            } catch (JMSException e) {
                got.add(e.toString());
            }
        });
        send(3);
        Await.until("five", () -> got.size() == 5);
        s.close();
        assertThat(got).containsExactly("m0", "m1", "m0#2", "m1#2", "m2");
        leaves();
    }

    @Test
    void aListenerRecoversItsOwnSession() throws Exception {
        Session s = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        List<String> got = new CopyOnWriteArrayList<>();
        s.createConsumer(q).setMessageListener(m -> {
            try {
                got.add(numbered(m));
                if (got.size() == 2) {
                    s.recover();
                } else if (got.size() == 5) {
                    m.acknowledge();
                }
            } catch (JMSException e) {
                got.add(e.toString());
            }
        });
        send(3);
        Await.until("five", () -> got.size() == 5);
        s.close();
        assertThat(got).containsExactly("m0", "m1", "m0#2", "m1#2", "m2");
        leaves();
    }

    @Test
    void whatIsChangedAfterClearingIsRedeliveredAsItWas() throws Exception {
        send(1);
        Session s = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer in = s.createConsumer(q);
        TextMessage m = (TextMessage) next(in);
        m.clearBody();
        m.clearProperties();
        m.setText("changed");
        m.setIntProperty("new", 1);
        s.recover();
        TextMessage again = (TextMessage) next(in);
        assertThat(again.getText()).isEqualTo("m0");
        assertThat(again.propertyExists("new")).isFalse();
        again.acknowledge();
    }

    @Test
    void messagesNotSelectedStayForOthersInOrder() throws Exception {
        MessageProducer p = sending.createProducer(q);
        for (int i = 0; i < 10; i++) {
            Message m = sending.createTextMessage("m" + i);
            m.setIntProperty("i", i);
            p.send(m);
        }
        Session s = connection.createSession();
        MessageConsumer small = s.createConsumer(q, "i < 3");
        assertThat(numbered(small, 3)).containsExactly("m0", "m1", "m2");
        assertThat(small.receiveNoWait()).isNull();
        MessageConsumer large = s.createConsumer(q, "i > 6");
        assertThat(numbered(large, 3)).containsExactly("m7", "m8", "m9");
        leaves("m3", "m4", "m5", "m6");
    }
}
