package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tuning semantics of WebLogic JMS (MessagesMaximum, prefetch, one-way sends, quotas) with the real client and the
 * whole server, by the server's counters; and their knobs changed while connections are open.
 */
@Timeout(300)
@Tag("slow")
class TuningTest {
    private static final int MILLIS = 20_000;

    @RegisterExtension
    static final OneServer SERVER = new OneServer(
            "admin.enabled=on",
            "admin.port=0",
            "messaging.quotas.small.messages-maximum=5",
            "messaging.queues.limited.quota=small");

    private final List<Connection> open = new ArrayList<>();
    private final CountDownLatch go = new CountDownLatch(1);

    private Session session(String... options) throws JMSException {
        Connection c = SERVER.factory(options).createConnection();
        open.add(c);
        c.start();
        return c.createSession();
    }

    @AfterEach
    void close() throws JMSException {
        go.countDown();
        for (Connection c : open) {
            c.close();
        }
        Session s = session();
        try (MessageConsumer left = s.createConsumer(s.createQueue("limited"))) {
            while (left.receiveNoWait() != null) {
                // the next
            }
        }
        open.getLast().close();
    }

    private static double value(String name, String destination) {
        return SERVER.get().counter(name, "{destination=\"" + destination + "\"}");
    }

    /** A listener that is stuck in its first message until the test ends. */
    private MessageListener stuck(CountDownLatch began) {
        return _ -> {
            try {
                began.countDown();
                assertThat(go.await(MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private static void send(Session s, Queue to, int count, int size) throws JMSException {
        MessageProducer p = s.createProducer(to);
        p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < count; i++) {
            p.send(s.createTextMessage("x".repeat(size)));
        }
    }

    /** What a listener is in does not count: it was passed on. */
    @ParameterizedTest
    @CsvSource({
        "send-timeout=10, 11", // says nothing about it: the default is 10
        "messages-maximum=10, 11",
        "messages-maximum=1, 2",
        "messages-maximum=-1, 50",
        "messages-maximum-bytes=1KiB, 9"
    })
    void theClientHoldsMessagesMaximumAndTheOverflowIsForOthers(String option, int atMost) throws Exception {
        Session slow = session(option);
        Queue q = slow.createQueue("q");
        CountDownLatch began = new CountDownLatch(1);
        slow.createConsumer(q).setMessageListener(stuck(began));
        Session sends = session();
        send(sends, q, 1, 100);
        assertThat(began.await(MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        send(sends, q, 49, 100);
        int held = (int) value("weir_destination_messages_pending", "queue/q");
        // until the client's credit for the one in the listener came the window is one smaller
        assertThat(held).isBetween(Math.max(1, atMost - 2), atMost);
        Arrivals others = new Arrivals();
        Session fast = session();
        fast.createConsumer(q).setMessageListener(others);
        others.await(50 - atMost);
        go.countDown();
    }

    @Test
    void whileConsumptionKeepsUpOneMessageAtATimeIsAtTheClient() throws Exception {
        Session listens = session();
        Queue q = listens.createQueue("q");
        Arrivals all = new Arrivals();
        listens.createConsumer(q).setMessageListener(all);
        Session sends = session();
        double delivered = value("weir_destination_delivered_total", "queue/q");
        for (int i = 1; i <= 20; i++) {
            send(sends, q, 1, 10);
            all.await(i);
            assertThat(value("weir_destination_delivered_total", "queue/q") - delivered)
                    .isEqualTo(i);
        }
    }

    @Test
    void prefetchFetchesABatchInOneRequestAndWithoutItEachMessageCostsOne() throws Exception {
        Session plain = session();
        Queue q = plain.createQueue("q");
        assertThat(requestsFor(plain, q)).isGreaterThanOrEqualTo(20);
        Session batches = session("synchronous-prefetch-mode=enabled", "messages-maximum=10");
        assertThat(requestsFor(batches, q)).isLessThanOrEqualTo(4);
    }

    private double requestsFor(Session s, Queue q) throws JMSException {
        send(s, q, 20, 10);
        double before = SERVER.get().counter("weir_jms_receive_requests_total", "");
        try (MessageConsumer c = s.createConsumer(q)) {
            for (int i = 0; i < 20; i++) {
                assertThat(c.receive(MILLIS)).isNotNull();
            }
            return SERVER.get().counter("weir_jms_receive_requests_total", "") - before;
        }
    }

    @Test
    void prefetchIsSilentlyOffWithTwoConsumersBeforeTheFirstReceiveAndRefusesASecondOneAfterIt() throws Exception {
        Session two = session("synchronous-prefetch-mode=enabled");
        Queue q = two.createQueue("q");
        try (MessageConsumer other = two.createConsumer(two.createQueue("r"))) {
            assertThat(requestsFor(two, q)).as("off").isGreaterThanOrEqualTo(20);
            assertThat(other.receiveNoWait()).isNull();
        }
        Session one = session("synchronous-prefetch-mode=enabled");
        send(one, q, 1, 10);
        try (MessageConsumer c = one.createConsumer(q)) {
            assertThat(c.receive(MILLIS)).isNotNull();
            assertThatThrownBy(() -> one.createConsumer(q).receiveNoWait())
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("prefetch");
        }
    }

    @Test
    void anOneWaySendOverQuotaIsDroppedAndTheNextSendWithAnAnswerSaysSo() throws Exception {
        Session s = session("one-way-send-mode=enabled", "one-way-send-window-size=10", "send-timeout=0");
        MessageProducer p = s.createProducer(s.createQueue("limited"));
        p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        double dropped = SERVER.get().counter("weir_jms_one_way_dropped_total", "");
        for (int i = 0; i < 9; i++) {
            p.send(s.createTextMessage("m" + i));
        }
        ResourceAllocationException e =
                catchThrowableOfType(ResourceAllocationException.class, () -> p.send(s.createTextMessage("tenth")));
        assertThat(e).isNotNull().hasMessageContaining("small");
        assertThat(SERVER.get().counter("weir_jms_one_way_dropped_total", "") - dropped)
                .isEqualTo(4);
        assertThat(value("weir_destination_messages_current", "queue/limited")).isEqualTo(5);
    }

    @Test
    void topicOnlyLeavesQueuesWithAnAnswerAndPersistentOnesAlwaysHaveOne() throws Exception {
        Session s = session("one-way-send-mode=topicOnly", "one-way-send-window-size=100");
        double before = SERVER.get().counter("weir_jms_one_way_sends_total", "");
        send(s, s.createQueue("q"), 3, 10);
        s.createProducer(s.createTopic("t")).send(s.createTextMessage("persistent"));
        assertThat(SERVER.get().counter("weir_jms_one_way_sends_total", "")).isEqualTo(before);
        MessageProducer p = s.createProducer(s.createTopic("t"));
        p.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        p.send(s.createTextMessage("one way"));
        send(s, s.createQueue("q"), 1, 10);
        assertThat(SERVER.get().counter("weir_jms_one_way_sends_total", "")).isEqualTo(before + 1);
    }

    @Test
    void aSendWaitsForRoomUntilItIsConsumedOrItsTimeIsOver() throws Exception {
        Session s = session("send-timeout=1");
        Queue limited = s.createQueue("limited");
        send(s, limited, 5, 10);
        assertThatThrownBy(() -> send(s, limited, 1, 10)).isInstanceOf(ResourceAllocationException.class);
        Session patient = session("send-timeout=20000");
        CompletableFuture<Void> waits = sending(patient, limited);
        Await.until("it waits", () -> SERVER.get().counter("weir_quota_waiting", "{quota=\"small\"}") == 1);
        assertThat(waits).isNotDone();
        Session consumes = session();
        try (MessageConsumer c = consumes.createConsumer(limited)) {
            Message m = c.receive(MILLIS);
            assertThat(m).isNotNull();
            waits.get(MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static CompletableFuture<Void> sending(Session s, Queue to) {
        return CompletableFuture.runAsync(() -> {
            try {
                send(s, to, 1, 10);
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void aQuotaChangesUnderOpenConnections() throws Exception {
        Session s = session("send-timeout=20000");
        Queue limited = s.createQueue("limited");
        send(s, limited, 5, 10);
        CompletableFuture<Void> waits = sending(s, limited);
        Await.until("it waits", () -> SERVER.get().counter("weir_quota_waiting", "{quota=\"small\"}") == 1);
        SERVER.get().change("messaging.quotas.small.messages-maximum", "6");
        waits.get(MILLIS, TimeUnit.MILLISECONDS);
        SERVER.get().change("messaging.quotas.small.messages-maximum", "2");
        Session impatient = session("send-timeout=1");
        assertThatThrownBy(() -> send(impatient, limited, 1, 10)).isInstanceOf(ResourceAllocationException.class);
        try (MessageConsumer c = s.createConsumer(limited)) {
            for (int i = 0; i < 5; i++) {
                assertThat(c.receive(MILLIS)).isNotNull();
            }
            Await.until(
                    "the acknowledgements", () -> SERVER.get().counter("weir_quota_messages", "{quota=\"small\"}") < 2);
            send(impatient, limited, 1, 10);
        } finally {
            SERVER.get().change("messaging.quotas.small.messages-maximum", "5");
        }
    }

    @Test
    void theLargestMessageAndTheRedeliveryLimitChangeUnderOpenConnections() throws Exception {
        Session s = session();
        Queue limited = s.createQueue("limited");
        send(s, limited, 1, 1000);
        SERVER.get().change("messaging.queues.limited.maximum-message-size", "500");
        try {
            assertThatThrownBy(() -> send(s, limited, 1, 1000))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("500");
        } finally {
            SERVER.get().change("messaging.queues.limited.maximum-message-size", "2147483647");
        }
        SERVER.get().change("messaging.queues.limited.delivery-failure.redelivery-limit", "1");
        Connection c = SERVER.factory().createConnection();
        open.add(c);
        c.start();
        Session transacted = c.createSession(true, Session.SESSION_TRANSACTED);
        try (MessageConsumer consumer = transacted.createConsumer(limited)) {
            for (int i = 0; i < 2; i++) {
                assertThat(consumer.receive(MILLIS)).isNotNull();
                transacted.rollback();
            }
            assertThat(consumer.receiveNoWait()).as("given up").isNull();
        } finally {
            SERVER.get().change("messaging.queues.limited.delivery-failure.redelivery-limit", "-1");
        }
    }

    @Test
    void aQueueIsPausedAndResumedByItsKnobUnderOpenConnections() throws Exception {
        Session s = session();
        Queue limited = s.createQueue("limited");
        SERVER.get().change("messaging.queues.limited.paused.production", "on");
        try {
            assertThatThrownBy(() -> send(s, limited, 1, 10))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("paused");
        } finally {
            SERVER.get().change("messaging.queues.limited.paused.production", "off");
        }
        send(s, limited, 1, 10);
    }
}
