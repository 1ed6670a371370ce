package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a message says that went to an error destination or was moved by an administrator: where it was, why, how often, when. */
@Timeout(300)
class MovedMessagesTest {
    private static final long MILLIS = 60_000;
    private static final String ORIGIN = "JMS_WEIR_ORIGIN";
    private static final String FROM = "JMS_WEIR_FROM";
    private static final String REASON = "JMS_WEIR_REASON";
    private static final String COUNT = "JMS_WEIR_DELIVERY_COUNT";
    private static final String TIME = "JMS_WEIR_TIME";

    @TempDir
    private Path home = Path.of("");

    private @Nullable MessagingServer started;

    @BeforeEach
    void start() {
        started = MessagingServer.start(
                home,
                "admin.enabled=on",
                "admin.port=0",
                "messaging.wire.max-frame=64KiB",
                "messaging.queues.q.delivery-failure.redelivery-limit=1",
                "messaging.queues.q.delivery-failure.error-destination=queue/r",
                "messaging.queues.q.delivery-failure.expiration-policy=redirect",
                "messaging.queues.r.delivery-failure.redelivery-limit=0",
                "messaging.queues.r.delivery-failure.error-destination=queue/last",
                "messaging.queues.last.jndi-name=",
                "messaging.topics.t.delivery-failure.redelivery-limit=0",
                "messaging.topics.t.delivery-failure.error-destination=queue/r",
                "messaging.jms-server.expiration-scan-interval=100ms");
    }

    @AfterEach
    void stop() {
        server().close();
    }

    private MessagingServer server() {
        return Objects.requireNonNull(started);
    }

    private Connection connect() throws JMSException {
        Connection c = server().factory("synchronous-prefetch-mode=enabled").createConnection();
        c.start();
        return c;
    }

    private static MessageProducer producer(Session s, String queue) throws JMSException {
        return s.createProducer(s.createQueue(queue));
    }

    /** Receives and rolls back until the message is over its limit. */
    private static void fail(Connection c, String queue, int times) throws JMSException {
        try (Session s = c.createSession(Session.SESSION_TRANSACTED)) {
            MessageConsumer in = s.createConsumer(s.createQueue(queue));
            for (int i = 0; i < times; i++) {
                assertThat(in.receive(MILLIS)).as("delivery %d", i).isNotNull();
                s.rollback();
            }
        }
    }

    private static Message take(Connection c, String queue) throws JMSException {
        try (Session s = c.createSession()) {
            return Objects.requireNonNull(s.createConsumer(s.createQueue(queue)).receive(MILLIS), queue);
        }
    }

    private static void says(Message m, String origin, String from, String reason, int count) throws JMSException {
        assertThat(m.getStringProperty(ORIGIN)).isEqualTo(origin);
        assertThat(m.getStringProperty(FROM)).isEqualTo(from);
        assertThat(m.getStringProperty(REASON)).isEqualTo(reason);
        assertThat(m.getIntProperty(COUNT)).isEqualTo(count);
        assertThat(m.getLongProperty(TIME)).isGreaterThanOrEqualTo(m.getJMSTimestamp());
    }

    private static List<String> names(Message m) throws JMSException {
        List<String> all = new ArrayList<>();
        for (Enumeration<?> e = m.getPropertyNames(); e.hasMoreElements(); ) {
            all.add(String.valueOf(e.nextElement()));
        }
        return all;
    }

    private static TextMessage text(Session s, String text) throws JMSException {
        TextMessage m = s.createTextMessage(text);
        m.setStringProperty("colour", "blue");
        m.setJMSCorrelationID("c1");
        return m;
    }

    @Test
    void overTheLimitAndOnceMoreAndAfterRestarts() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession()) {
            producer(s, "q").send(text(s, "poison"));
            fail(c, "q", 2);
        }
        server().stop();
        server().startAgain();
        try (Connection c = connect();
                Session s = c.createSession()) {
            // a selector sees it, too
            MessageConsumer in = s.createConsumer(
                    s.createQueue("r"), REASON + " = 'redelivery-limit' AND " + ORIGIN + " = 'queue/q'");
            in.close();
            fail(c, "r", 1);
        }
        server().stop();
        server().startAgain();
        try (Connection c = connect()) {
            TextMessage m = (TextMessage) take(c, "last");
            says(m, "queue/q", "queue/r", "redelivery-limit", 1);
            assertThat(m.getText()).isEqualTo("poison");
            assertThat(m.getStringProperty("colour")).isEqualTo("blue");
            assertThat(m.getJMSCorrelationID()).isEqualTo("c1");
            assertThat(names(m)).doesNotHaveDuplicates();
        }
    }

    @Test
    void aSelectorFindsWhatWentThere() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession()) {
            producer(s, "q").send(text(s, "poison"));
            fail(c, "q", 2);
            String wanted = REASON + " = 'redelivery-limit' AND " + ORIGIN + " = 'queue/q' AND " + COUNT + " = 2";
            Message m = s.createConsumer(s.createQueue("r"), wanted).receive(MILLIS);
            says(Objects.requireNonNull(m), "queue/q", "queue/q", "redelivery-limit", 2);
        }
    }

    @Test
    void expiredWithoutPropertiesOfItsOwn() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession()) {
            producer(s, "q").send(s.createMessage(), DeliveryMode.NON_PERSISTENT, 4, 1);
            says(take(c, "r"), "queue/q", "queue/q", "expired", 0);
        }
    }

    @Test
    void aSubscriptionsMessage() throws Exception {
        try (Connection c = server().factory("client-id=shop").createConnection();
                Session s = c.createSession(Session.SESSION_TRANSACTED)) {
            c.start();
            MessageConsumer in = s.createDurableConsumer(s.createTopic("t"), "all");
            s.createProducer(s.createTopic("t")).send(s.createTextMessage("poison"));
            s.commit();
            assertThat(in.receive(MILLIS)).isNotNull();
            s.rollback();
            says(take(c, "r"), "topic/t#shop.all", "topic/t#shop.all", "redelivery-limit", 1);
        }
    }

    @Test
    void movedBackAndFailedAgainItKeepsItsOrigin() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession()) {
            producer(s, "q").send(text(s, "poison"));
            fail(c, "q", 2);
            move("queue/r", "queue/last");
            move("queue/last", "queue/q");
            fail(c, "q", 1);
            Message again = take(c, "q");
            says(again, "queue/q", "queue/last", "moved", 0);
        }
    }

    private void move(String from, String to) {
        String said = server().ask("POST", "/messaging/move?from=" + from + "&to=" + to, "");
        assertThat(said).contains("\"moved\":1");
    }

    // what applications do with such names

    @Test
    void nobodyCanSayWhereAMessageWas() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession()) {
            TextMessage m = text(s, "forged");
            m.setStringProperty(ORIGIN, "queue/elsewhere");
            m.setIntProperty("JMS_WEIR_OTHER", 1);
            assertThat(m.propertyExists(ORIGIN)).isFalse();
            producer(s, "q").send(m);
            Message got = take(c, "q");
            assertThat(names(got)).containsExactlyInAnyOrder("colour", "JMSXDeliveryCount");
        }
    }

    @Test
    void whatIsSentOnHasNotBeenMoved() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession()) {
            producer(s, "q").send(text(s, "poison"));
            fail(c, "q", 2);
            Message dead = take(c, "r");
            says(dead, "queue/q", "queue/q", "redelivery-limit", 2);
            producer(s, "last").send(dead);
            TextMessage again = (TextMessage) take(c, "last");
            assertThat(again.getText()).isEqualTo("poison");
            assertThat(names(again)).containsExactlyInAnyOrder("colour", "JMSXDeliveryCount");
            // also where nothing is left
            producer(s, "q").send(s.createMessage(), DeliveryMode.PERSISTENT, 4, 1);
            producer(s, "last").send(take(c, "r"));
            assertThat(names(take(c, "last"))).containsExactly("JMSXDeliveryCount");
        }
    }

    @Test
    void aMessageAtTheLimitOfAFrameIsReceivedWithoutThem() throws Exception {
        try (Connection c = connect();
                Session s = c.createSession()) {
            for (int size : List.of((64 << 10) - 100, (64 << 10) - 1000)) {
                BytesMessage m = s.createBytesMessage();
                m.writeBytes(new byte[size]);
                producer(s, "q").send(m);
                fail(c, "q", 2);
                BytesMessage dead = (BytesMessage) take(c, "r");
                assertThat(dead.getBodyLength()).isEqualTo(size);
                assertThat(dead.propertyExists(ORIGIN)).isEqualTo(size == (64 << 10) - 1000);
            }
            assertThat(server().counter("weir_jms_moved_untold_total", "")).isEqualTo(1);
        }
    }
}
