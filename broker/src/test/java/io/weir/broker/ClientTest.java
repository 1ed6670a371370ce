package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.broker.report.BrokerStats;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The broker through the client that applications use. */
@Timeout(300)
@Tag("slow")
class ClientTest {
    @TempDir
    Path journal;

    @Test
    void aTextGoesThroughAQueue() throws Exception {
        try (RealBroker b = new RealBroker(null);
                JMSContext context =
                        b.factory("default-delivery-mode=non-persistent").createContext()) {
            Queue q = context.createQueue("q");
            context.createProducer().send(q, "hello");
            assertThat(context.createConsumer(q).receiveBody(String.class, 10_000))
                    .isEqualTo("hello");
        }
    }

    @Test
    void aListenerGetsAThousandMessagesInOrder() throws Exception {
        try (RealBroker b = new RealBroker(null);
                Connection c = b.factory("default-delivery-mode=non-persistent").createConnection()) {
            Session in = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Session out = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Topic t = in.createTopic("t");
            List<String> got = new CopyOnWriteArrayList<>();
            CountDownLatch all = new CountDownLatch(1000);
            in.createConsumer(t).setMessageListener(m -> {
                try {
                    got.add(((TextMessage) m).getText());
                } catch (jakarta.jms.JMSException e) {
                    got.add(e.toString());
                }
                all.countDown();
            });
            c.start();
            MessageProducer p = out.createProducer(t);
            for (int i = 0; i < 1000; i++) {
                p.send(out.createTextMessage("m" + i));
            }
            assertThat(all.await(3, TimeUnit.MINUTES)).isTrue();
            assertThat(got.getFirst()).isEqualTo("m0");
            assertThat(got.getLast()).isEqualTo("m999");
        }
    }

    @Test
    void persistentMessagesSurviveARestartAndThoseThatWereDeliveredAreFlagged() throws Exception {
        try (RealBroker b = new RealBroker(journal);
                Connection c = b.factory().createConnection()) {
            Session s = c.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            MessageProducer p = s.createProducer(s.createQueue("q"));
            for (int i = 0; i < 10; i++) {
                p.send(s.createTextMessage("m" + i));
            }
            c.start();
            MessageConsumer in = s.createConsumer(s.createQueue("q"));
            TextMessage first = (TextMessage) in.receive(10_000);
            assertThat(first.getText()).isEqualTo("m0");
            first.acknowledge();
            assertThat(((TextMessage) in.receive(10_000)).getText()).isEqualTo("m1");
        }
        try (RealBroker b = new RealBroker(journal);
                Connection c = b.factory().createConnection()) {
            c.start();
            Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer in = s.createConsumer(s.createQueue("q"));
            for (int i = 1; i < 10; i++) {
                TextMessage m = (TextMessage) in.receive(10_000);
                assertThat(m.getText()).isEqualTo("m" + i);
                assertThat(m.getJMSRedelivered()).isEqualTo(i == 1);
            }
            assertThat(in.receiveNoWait()).isNull();
        }
    }

    @Test
    void aCommitIsAtomicOverARestart() throws Exception {
        try (RealBroker b = new RealBroker(journal, "queues.r.jndi-name=");
                Connection c = b.factory().createConnection()) {
            c.start();
            Session s = c.createSession(true, Session.SESSION_TRANSACTED);
            MessageProducer q = s.createProducer(s.createQueue("q"));
            q.send(s.createTextMessage("in"));
            s.commit();
            q.send(s.createTextMessage("never"));
            s.rollback();
            TextMessage in = (TextMessage) s.createConsumer(s.createQueue("q")).receive(10_000);
            s.createProducer(s.createQueue("r")).send(s.createTextMessage("out of " + in.getText()));
            s.commit();
        }
        try (RealBroker b = new RealBroker(journal, "queues.r.jndi-name=");
                JMSContext x = b.factory().createContext()) {
            assertThat(x.createConsumer(x.createQueue("r")).receiveBody(String.class, 10_000))
                    .isEqualTo("out of in");
            assertThat(x.createConsumer(x.createQueue("q")).receiveNoWait()).isNull();
        }
    }

    @Test
    void aDurableSubscriptionKeepsMessagesOverARestart() throws Exception {
        try (RealBroker b = new RealBroker(journal);
                JMSContext x = b.factory("client-id=me").createContext()) {
            Topic t = x.createTopic("t");
            x.createDurableConsumer(t, "sub").close();
            x.createProducer().send(t, "kept");
        }
        try (RealBroker b = new RealBroker(journal);
                JMSContext x = b.factory("client-id=me").createContext()) {
            Topic t = x.createTopic("t");
            assertThat(x.createDurableConsumer(t, "sub").receiveBody(String.class, 10_000))
                    .isEqualTo("kept");
        }
    }

    @Test
    void whatDoesNotExistIsSaidSo() throws Exception {
        try (RealBroker b = new RealBroker(null);
                Connection c = b.factory().createConnection()) {
            Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
            assertThatThrownBy(() -> s.createConsumer(s.createQueue("nowhere")))
                    .isInstanceOf(InvalidDestinationException.class)
                    .hasMessageContaining("queue/nowhere");
        }
    }

    @Test
    void aQuotaMakesSendersWaitAndThenFail() throws Exception {
        try (RealBroker b = new RealBroker(null, "quotas.one.messages-maximum=1", "queues.q.quota=one");
                Connection c = b.factory("default-delivery-mode=non-persistent", "send-timeout=200")
                        .createConnection()) {
            c.start();
            Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer p = s.createProducer(s.createQueue("q"));
            p.send(s.createTextMessage("fits"));
            assertThatThrownBy(() -> p.send(s.createTextMessage("does not")))
                    .isInstanceOf(ResourceAllocationException.class)
                    .hasMessageContaining("quota one");
            assertThat(s.createConsumer(s.createQueue("q")).receive(10_000)).isNotNull();
            p.send(s.createTextMessage("fits again"));
        }
    }

    @Test
    void requestAndReplyGoOverATemporaryQueue() throws Exception {
        try (RealBroker b = new RealBroker(null);
                JMSContext client =
                        b.factory("default-delivery-mode=non-persistent").createContext();
                JMSContext server =
                        b.factory("default-delivery-mode=non-persistent").createContext()) {
            JMSContext answers = server.createContext(JMSContext.AUTO_ACKNOWLEDGE);
            server.createConsumer(server.createQueue("q")).setMessageListener(m -> {
                try {
                    answers.createProducer().send(m.getJMSReplyTo(), "re: " + ((TextMessage) m).getText());
                } catch (jakarta.jms.JMSException e) {
                    throw new IllegalStateException(e);
                }
            });
            Queue reply = client.createTemporaryQueue();
            client.createProducer().setJMSReplyTo(reply).send(client.createQueue("q"), "ask");
            assertThat(client.createConsumer(reply).receiveBody(String.class, 10_000))
                    .isEqualTo("re: ask");
        }
    }

    private static int shown(QueueBrowser browser) throws JMSException {
        int shown = 0;
        for (var all = browser.getEnumeration(); all.hasMoreElements(); all.nextElement()) {
            shown++;
        }
        return shown;
    }

    @Test
    void aSelectorPicksAndABrowserOnlyLooks() throws Exception {
        try (RealBroker b = new RealBroker(null);
                JMSContext x = b.factory("default-delivery-mode=non-persistent").createContext()) {
            Queue q = x.createQueue("q");
            for (int i = 0; i < 5; i++) {
                x.createProducer().setProperty("n", i).send(q, "m" + i);
            }
            assertThat(shown(x.createBrowser(q))).isEqualTo(5);
            assertThat(x.createConsumer(q, "n BETWEEN 2 AND 3").receiveBody(String.class, 10_000))
                    .isEqualTo("m2");
            assertThat(shown(x.createBrowser(q, "n > 2"))).isEqualTo(2);
        }
    }

    @Test
    void persistentMessagesBehindASlowConsumerAreFlaggedOnlyIfTheyWereDelivered() throws Exception {
        try (RealBroker b = new RealBroker(journal);
                Connection c = b.factory("messages-maximum=2").createConnection()) {
            c.start();
            Session s = c.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            CountDownLatch first = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            s.createConsumer(s.createQueue("q")).setMessageListener(m -> {
                first.countDown();
                try {
                    end.await(3, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Session out = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer p = out.createProducer(out.createQueue("q"));
            for (int i = 0; i < 20; i++) {
                p.send(out.createTextMessage("m" + i));
            }
            assertThat(first.await(3, TimeUnit.MINUTES)).isTrue();
            // the credit of the one that was passed may be on its way yet
            Relay.await("one is passed and two wait", () -> b.stats.value(BrokerStats.DELIVERED, "queue/q") == 3);
            b.broker.close();
            end.countDown();
        }
        try (RealBroker b = new RealBroker(journal);
                JMSContext x = b.factory().createContext()) {
            JMSConsumer in = x.createConsumer(x.createQueue("q"));
            for (int i = 0; i < 20; i++) {
                TextMessage m = (TextMessage) in.receive(10_000);
                assertThat(m.getText()).isEqualTo("m" + i);
                assertThat(m.getJMSRedelivered()).as(m.getText()).isEqualTo(i < 3);
            }
        }
    }
}
