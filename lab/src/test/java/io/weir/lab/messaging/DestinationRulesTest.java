package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicRequestor;
import jakarta.jms.TopicSession;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Destinations, temporary ones, consumers and browsers; sections 4, 6.2 and 8 of the specification. */
@Timeout(300)
@Tag("slow")
class DestinationRulesTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static final long MILLIS = 20_000;
    private final Connection connection = SERVER.factory().createConnection();
    private final Connection other = SERVER.factory().createConnection();
    private final Session session = connection.createSession();
    private final Queue q = session.createQueue("q");

    DestinationRulesTest() throws JMSException {
        connection.start();
        other.start();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        other.close();
    }

    private static Message next(MessageConsumer in) throws JMSException {
        return Objects.requireNonNull(in.receive(MILLIS));
    }

    private void send(int count) throws JMSException {
        try (MessageProducer p = session.createProducer(q)) {
            for (int i = 0; i < count; i++) {
                Message m = session.createTextMessage("m" + i);
                m.setIntProperty("i", i);
                p.send(m);
            }
        }
    }

    private static List<String> texts(QueueBrowser browser) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (Enumeration<?> all = browser.getEnumeration(); all.hasMoreElements(); ) {
            texts.add(((TextMessage) all.nextElement()).getText());
        }
        return texts;
    }

    // ---- temporary destinations

    @Test
    void onlyItsConnectionConsumesOfATemporaryDestination() throws Exception {
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        Session foreign = other.createSession();
        for (jakarta.jms.Destination d : List.of(queue, topic)) {
            assertThatExceptionOfType(JMSException.class).isThrownBy(() -> foreign.createConsumer(d));
            MessageConsumer in = connection.createSession().createConsumer(d);
            foreign.createProducer(d).send(foreign.createTextMessage("anybody sends"));
            assertThat(next(in).getBody(String.class)).isEqualTo("anybody sends");
        }
    }

    @Test
    void aTemporaryDestinationEndsWithItsConnectionOrWhenItIsDeleted() throws Exception {
        Session foreign = other.createSession();
        TemporaryQueue deleted = session.createTemporaryQueue();
        TemporaryQueue closed = session.createTemporaryQueue();
        session.close();
        foreign.createProducer(deleted).send(foreign.createMessage());
        deleted.delete();
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> foreign.createProducer(null).send(deleted, foreign.createMessage()));
        connection.close();
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> foreign.createProducer(null).send(closed, foreign.createMessage()));
    }

    @Test
    void aTemporaryDestinationInUseIsNotDeleted() throws Exception {
        TemporaryTopic topic = session.createTemporaryTopic();
        MessageConsumer in = session.createConsumer(topic);
        assertThatExceptionOfType(JMSException.class).isThrownBy(topic::delete);
        in.close();
        topic.delete();
    }

    @Test
    void aTemporaryTopicTakesNoDurableSubscription() throws Exception {
        try (Connection named = SERVER.factory("client-id=temporary").createConnection();
                Session s = named.createSession()) {
            TemporaryTopic topic = s.createTemporaryTopic();
            assertThatExceptionOfType(InvalidDestinationException.class)
                    .isThrownBy(() -> s.createDurableConsumer(topic, "kept"));
            assertThatExceptionOfType(InvalidDestinationException.class)
                    .isThrownBy(() -> s.createSharedDurableConsumer(topic, "kept"));
        }
    }

    @Test
    void aReplyGoesToTheTemporaryQueueOfTheRequest() throws Exception {
        Session serving = other.createSession();
        serving.createConsumer(q).setMessageListener(request -> {
            try {
                Message reply = serving.createTextMessage("re: " + request.getBody(String.class));
                reply.setJMSCorrelationID(request.getJMSMessageID());
                serving.createProducer(request.getJMSReplyTo()).send(reply);
            } catch (JMSException e) {
                throw new java.lang.IllegalStateException(e);
            }
        });
        TemporaryQueue replies = session.createTemporaryQueue();
        MessageConsumer in = session.createConsumer(replies);
        for (int i = 0; i < 20; i++) {
            Message request = session.createTextMessage("r" + i);
            request.setJMSReplyTo(replies);
            session.createProducer(q).send(request);
            Message reply = next(in);
            assertThat(reply.getBody(String.class)).isEqualTo("re: r" + i);
            assertThat(reply.getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
        }
    }

    /** Replies to every request. */
    private void serve(jakarta.jms.Destination requests) throws JMSException {
        Session serving = other.createSession();
        serving.createConsumer(requests).setMessageListener(request -> {
            try {
                serving.createProducer(request.getJMSReplyTo())
                        .send(serving.createTextMessage("re: " + request.getBody(String.class)));
            } catch (JMSException e) {
                throw new java.lang.IllegalStateException(e);
            }
        });
    }

    @Test
    void theRequestorsOfTheSpecificationWork() throws Exception {
        Topic t = session.createTopic("t");
        serve(q);
        serve(t);
        QueueConnection queues = SERVER.factory().createQueueConnection();
        QueueSession queueSession = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        queues.start();
        QueueRequestor byQueue = new QueueRequestor(queueSession, q);
        assertThat(byQueue.request(queueSession.createTextMessage("a")).getBody(String.class))
                .isEqualTo("re: a");
        byQueue.close();
        queues.close();
        TopicConnection topics = SERVER.factory().createTopicConnection();
        TopicSession topicSession = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        topics.start();
        TopicRequestor byTopic = new TopicRequestor(topicSession, t);
        assertThat(byTopic.request(topicSession.createTextMessage("b")).getBody(String.class))
                .isEqualTo("re: b");
        byTopic.close();
        topics.close();
    }

    // ---- what is wrong

    @Test
    @SuppressWarnings("NullAway") // what the test is about
    void wrongDestinationsAndSelectorsAreRefusedAtOnce() throws Exception {
        Topic t = session.createTopic("t");
        Queue nowhere = session.createQueue("nowhere");
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> session.createConsumer(null));
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> session.createBrowser(null));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createSharedDurableConsumer(null, "x"));
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> session.createConsumer(nowhere));
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> session.createProducer(nowhere));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> texts(session.createBrowser(nowhere)));
        assertThatExceptionOfType(InvalidSelectorException.class).isThrownBy(() -> session.createConsumer(q, "a b"));
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> session.createSharedConsumer(t, "s", "= 1"));
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> texts(session.createBrowser(q, "LIKE")));
    }

    @Test
    void aReceivedDestinationEqualsTheOneSentTo() throws Exception {
        send(1);
        Message m = next(session.createConsumer(q));
        assertThat(m.getJMSDestination()).isEqualTo(q);
        assertThat(((Queue) m.getJMSDestination()).getQueueName()).isEqualTo("q");
        assertThat(session.createTopic("t").getTopicName()).isEqualTo("t");
    }

    // ---- browsers

    @Test
    void aBrowserShowsMessagesInOrderAndTakesNone() throws Exception {
        send(10);
        QueueBrowser browser = session.createBrowser(q);
        assertThat(browser.getQueue()).isEqualTo(q);
        assertThat(browser.getMessageSelector()).isNull();
        assertThat(texts(browser)).isEqualTo(Arrivals.numbered("m", 10));
        assertThat(texts(browser)).hasSize(10);
        QueueBrowser selecting = session.createBrowser(q, "i > 7");
        assertThat(selecting.getMessageSelector()).isEqualTo("i > 7");
        assertThat(texts(selecting)).containsExactly("m8", "m9");
        browser.close();
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(browser::getEnumeration);
    }

    @Test
    void browsingWhileOthersConsumeDisturbsNobody() throws Exception {
        send(200);
        Arrivals arrivals = new Arrivals();
        other.createSession().createConsumer(q).setMessageListener(arrivals);
        int last = Integer.MAX_VALUE;
        while (arrivals.texts().size() < 200) {
            int seen = texts(session.createBrowser(q)).size();
            assertThat(seen).isLessThanOrEqualTo(200);
            last = Math.min(last, seen);
        }
        arrivals.awaitOnce("m", 200);
        assertThat(texts(session.createBrowser(q))).isEmpty();
    }

    // ---- consumers

    @Test
    void listenersOfASessionAreCalledOneAtATimeAndThoseOfSeveralSideBySide() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch both = new CountDownLatch(2);
        CountDownLatch done = new CountDownLatch(20);
        for (String queue : List.of("q", "r")) {
            session.createConsumer(session.createQueue(queue)).setMessageListener(_ -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                Thread.onSpinWait();
                inside.decrementAndGet();
                done.countDown();
            });
        }
        Session sending = other.createSession();
        for (int i = 0; i < 20; i++) {
            sending.createProducer(sending.createQueue(i % 2 == 0 ? "q" : "r")).send(sending.createMessage());
        }
        done.await();
        assertThat(most).hasValue(1);
        session.close();
        Topic t = sending.createTopic("t");
        for (int i = 0; i < 2; i++) {
            connection.createSession().createConsumer(t).setMessageListener(_ -> {
                both.countDown();
                try {
                    both.await();
                } catch (InterruptedException e) {
                    throw new java.lang.IllegalStateException(e);
                }
            });
        }
        sending.createProducer(t).send(sending.createMessage());
        both.await();
    }

    @Test
    void aListenerIsSetReadReplacedAndTakenAway() throws Exception {
        MessageConsumer in = session.createConsumer(q, "i >= 0");
        Arrivals first = new Arrivals();
        Arrivals second = new Arrivals();
        in.setMessageListener(first);
        assertThat(in.getMessageListener()).isSameAs(first);
        assertThat(in.getMessageSelector()).isEqualTo("i >= 0");
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(in::receiveNoWait);
        Session sending = other.createSession();
        try (MessageProducer p = sending.createProducer(q)) {
            Message m = sending.createTextMessage("x");
            m.setIntProperty("i", 1);
            p.send(m);
            first.await(1);
            in.setMessageListener(second);
            p.send(m);
            second.await(1);
            in.setMessageListener(null);
            assertThat(in.getMessageListener()).isNull();
            p.send(m);
            assertThat(next(in).getBody(String.class)).isEqualTo("x");
        }
        assertThat(first.texts()).hasSize(1);
        assertThat(second.texts()).hasSize(1);
    }

    @Test
    void namesOfSubscriptionsMayBeLong() throws Exception {
        try (Connection named = SERVER.factory("client-id=long").createConnection();
                Session s = named.createSession()) {
            String name = "Aa_1.-".repeat(22).substring(0, 128);
            s.createDurableConsumer(s.createTopic("t"), name).close();
            s.unsubscribe(name);
        }
    }

    @Test
    void aSubscriptionsSelectorDecidesWhatItIsGiven() throws Exception {
        Topic t = session.createTopic("t");
        MessageConsumer in = session.createConsumer(t, "i = 2");
        List<String> all = new CopyOnWriteArrayList<>();
        try (MessageProducer p = session.createProducer(t)) {
            for (int i = 0; i < 4; i++) {
                Message m = session.createTextMessage("m" + i);
                m.setIntProperty("i", i);
                p.send(m);
            }
        }
        all.add(next(in).getBody(String.class));
        assertThat(in.receiveNoWait()).isNull();
        assertThat(all).containsExactly("m2");
    }
}
