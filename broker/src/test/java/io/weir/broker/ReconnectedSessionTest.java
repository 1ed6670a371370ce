package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.broker.admin.DestinationView;
import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.WeirSession;
import io.weir.jms.frames.FrameType;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was delivered on a link is acknowledged there or not at all, whatever the client does when another takes its place. */
@Timeout(300)
class ReconnectedSessionTest {
    private RealBroker broker;
    private Relay relay;

    @BeforeEach
    void open() throws Exception {
        broker = new RealBroker(null);
        relay = new Relay(broker);
    }

    @AfterEach
    void close() throws Exception {
        relay.close();
        broker.close();
    }

    private void fill(int messages) {
        try (JMSContext x =
                broker.factory("default-delivery-mode=non-persistent").createContext()) {
            for (int i = 0; i < messages; i++) {
                x.createProducer().send(x.createQueue("q"), "m" + i);
            }
        }
    }

    /** What is in the queue, in order. */
    private List<String> rest() {
        List<String> all = new ArrayList<>();
        try (JMSContext x = broker.factory().createContext()) {
            var consumer = x.createConsumer(x.createQueue("q"));
            for (String m = consumer.receiveBody(String.class, 100);
                    m != null;
                    m = consumer.receiveBody(String.class, 100)) {
                all.add(m);
            }
        }
        return all;
    }

    private Connection connect(String... options) throws JMSException {
        Connection c = new WeirConnectionFactory(relay.url(options)).createConnection();
        c.start();
        return c;
    }

    private static String text(@Nullable Message m) throws JMSException {
        return m == null ? "nothing" : ((TextMessage) m).getText();
    }

    /** Cuts the link and lets no other be made; afterwards the client knows. */
    private void lose() {
        relay.down();
        relay.cut();
        int before = relay.turnedAway();
        Relay.await("the client to notice", () -> relay.turnedAway() > before);
    }

    @Test
    void aPrefetchedMessageOfALostLinkIsNotAcknowledgedOnTheNext() throws Exception {
        fill(12);
        List<String> had = new ArrayList<>();
        try (Connection c =
                connect("reconnect-policy=all", "synchronous-prefetch-mode=enabled", "messages-maximum=4")) {
            Session s = c.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer in = s.createConsumer(s.createQueue("q"));
            had.add(text(in.receive(10_000)));
            Relay.await("the batch's end", () -> relay.passed().stream().anyMatch(f -> f.is(FrameType.RECEIVE_DONE)));
            lose();
            // two of four are left after this one: it asks for more, and waits for the connection
            CompletableFuture<Message> second = new CompletableFuture<>();
            Thread receiving = Thread.ofPlatform().start(() -> {
                try {
                    second.complete(in.receive(60_000));
                } catch (JMSException e) {
                    second.completeExceptionally(e);
                }
            });
            Relay.await("it to wait", () -> receiving.getState() == Thread.State.TIMED_WAITING);
            relay.up();
            Message again = second.get(60, TimeUnit.SECONDS);
            had.add(text(again));
            assertThat(again.getJMSRedelivered()).isTrue();
        }
        assertThat(had).startsWith("m0");
        List<String> all = new ArrayList<>(had);
        all.addAll(rest());
        for (int i = 0; i < 12; i++) {
            assertThat(all).contains("m" + i);
        }
    }

    /** The messages of the queue, available and at consumers. */
    private long inQueue() {
        DestinationView q = broker.broker.admin().destinations().join().stream()
                .filter(d -> d.name().equals("queue/q"))
                .findFirst()
                .orElseThrow();
        return q.messagesCurrent() + q.messagesPending();
    }

    @Test
    void whatAListenerWasNotPassedOfALostLinkIsNotPassedLater() throws Exception {
        fill(6);
        Handings books = new Handings();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Connection c = connect("reconnect-policy=all", "messages-maximum=4")) {
            Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE);
            s.createConsumer(s.createQueue("q")).setMessageListener(m -> {
                try {
                    books.handed(text(m), m.getJMSRedelivered());
                    first.countDown();
                    goOn.await(60, TimeUnit.SECONDS);
                } catch (JMSException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(first.await(60, TimeUnit.SECONDS)).isTrue();
            lose();
            relay.up();
            Relay.await("another link", () -> relay.connections() == 2);
            goOn.countDown();
            Relay.await("all", () -> books.had(List.of("m0", "m1", "m2", "m3", "m4", "m5")));
        }
        assertThat(books.repeated()).isEqualTo(1);
    }

    @Test
    void whatCanNotBeAcknowledgedAnyMoreIsSaidOnceAndComesAgain() throws Exception {
        fill(2);
        try (Connection c = connect("reconnect-policy=all")) {
            Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer in = s.createConsumer(s.createQueue("q"), "JMSXDeliveryCount = 1");
            Message first = in.receive(10_000);
            lose();
            assertThatThrownBy(first::acknowledge)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("are redelivered");
            relay.up();
            // the first comes again to others only: it was delivered before
            Message second = in.receive(10_000);
            assertThat(text(second)).isEqualTo("m1");
            assertThatThrownBy(first::acknowledge)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("are redelivered");
            second.acknowledge();
        }
        assertThat(rest()).containsExactly("m0");
    }

    @Test
    void anAcknowledgementOfAllSaysWhatItDoesNotCover() throws Exception {
        fill(2);
        try (Connection c = connect("reconnect-policy=all")) {
            Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer in = s.createConsumer(s.createQueue("q"), "JMSXDeliveryCount = 1");
            assertThat(text(in.receive(10_000))).isEqualTo("m0");
            lose();
            relay.up();
            Message second = in.receive(10_000);
            assertThat(text(second)).isEqualTo("m1");
            assertThatThrownBy(second::acknowledge)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("are redelivered");
            second.acknowledge();
        }
        assertThat(rest()).containsExactly("m0");
    }

    @Test
    void aContextAcknowledgesNothingInSilence() {
        fill(1);
        JMSContext x = new WeirConnectionFactory(relay.url("reconnect-policy=all"))
                .createContext(JMSContext.CLIENT_ACKNOWLEDGE);
        try (x) {
            assertThat(x.createConsumer(x.createQueue("q")).receiveBody(String.class, 10_000))
                    .isEqualTo("m0");
            lose();
            relay.up();
            // waits for the link
            x.createTemporaryQueue();
            assertThatThrownBy(x::acknowledge).isInstanceOf(JMSRuntimeException.class);
            x.acknowledge();
        }
        assertThat(rest()).containsExactly("m0");
    }

    @Test
    void aTransactionThatTookMessagesOfALostLinkIsRolledBack() throws Exception {
        fill(3);
        try (Connection c = connect("reconnect-policy=all", "synchronous-prefetch-mode=enabled")) {
            Session s = c.createSession(Session.SESSION_TRANSACTED);
            MessageConsumer in = s.createConsumer(s.createQueue("q"));
            assertThat(text(in.receive(10_000))).isEqualTo("m0");
            lose();
            relay.up();
            Message again = in.receive(10_000);
            assertThat(text(again)).isEqualTo("m0");
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThatThrownBy(s::commit).isInstanceOf(TransactionRolledBackException.class);
            for (int i = 0; i < 3; i++) {
                assertThat(text(in.receive(10_000))).isEqualTo("m" + i);
            }
            s.commit();
        }
        assertThat(inQueue()).isZero();
    }

    @Test
    void aConsumerWhoseCloseMetTheLossOfTheLinkIsNotOpenedAgain() throws Exception {
        try (Connection c = connect("reconnect-policy=all")) {
            Session s = c.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer in = s.createConsumer(s.createQueue("q"));
            in.setMessageListener(m -> {});
            relay.cutAt(f -> f.is(FrameType.CLOSE_CONSUMER));
            assertThatThrownBy(in::close).isInstanceOf(JMSException.class);
            relay.cutAt(f -> false);
            c.createSession().close();
            fill(3);
            assertThat(rest()).containsExactly("m0", "m1", "m2");
        }
    }

    @Test
    void aSessionThatIsClosedWhileItIsOpenedAgainIsClosedThereToo() throws Exception {
        try (Connection c = connect("reconnect-policy=all")) {
            Session s = c.createSession(Session.AUTO_ACKNOWLEDGE);
            s.createConsumer(s.createQueue("q")).setMessageListener(m -> {});
            CountDownLatch asked = new CountDownLatch(1);
            CountDownLatch closing = new CountDownLatch(1);
            relay.cut();
            relay.cutAt(f -> {
                if (f.is(FrameType.OPEN_CONSUMER)) {
                    asked.countDown();
                    awaitQuietly(closing);
                }
                return false;
            });
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
            Thread closer = Thread.ofPlatform().start(() -> {
                try {
                    s.close();
                } catch (JMSException e) {
                    throw new IllegalStateException(e);
                }
            });
            Relay.await("the close to wait", () -> closer.getState() == Thread.State.WAITING || !closer.isAlive());
            closing.countDown();
            closer.join(60_000);
            c.createSession().close();
            fill(3);
            assertThat(rest()).containsExactly("m0", "m1", "m2");
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatNeedsNoAcknowledgementIsHandedOutAfterItsLinkWasLostAndAfterRecover() throws Exception {
        fill(4);
        try (Connection c =
                connect("reconnect-policy=all", "synchronous-prefetch-mode=enabled", "messages-maximum=4")) {
            Session s = c.createSession(WeirSession.NO_ACKNOWLEDGE);
            MessageConsumer in = s.createConsumer(s.createQueue("q"));
            assertThat(text(in.receive(10_000))).isEqualTo("m0");
            s.recover();
            assertThat(text(in.receive(10_000))).isEqualTo("m1");
            // an answer behind them: the others are here, not on their way, where they would be lost with the link
            c.createSession().close();
            lose();
            relay.up();
            Relay.await("another link", () -> relay.connections() == 2);
            Message third = in.receive(10_000);
            assertThat(text(third)).isEqualTo("m2");
            assertThat(text(in.receive(10_000))).isEqualTo("m3");
        }
    }
}
